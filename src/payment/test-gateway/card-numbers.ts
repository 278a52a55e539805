/** What is typed on a card form: digits only. It stays in the browser's memory. */
export interface CardNumbers {
  number: string;
  /** MMYY. */
  expiry: string;
  cvv: string;
}

export function digits(text: string): string {
  return text.replace(/\D/g, '');
}

/** '1229' → '12/29'. */
export function showExpiry(expiry: string): string {
  return expiry.length > 2 ? `${expiry.slice(0, 2)}/${expiry.slice(2)}` : expiry;
}

/** What keeps the card from being sent, in words for its fields. */
export function cardFaults(
  { number, expiry, cvv }: CardNumbers,
  now: Date,
): Partial<Record<keyof CardNumbers, string>> {
  return {
    ...(number.length === 16 ? {} : { number: 'Please enter the 16 digits of your card number' }),
    ...expiryFault(expiry, now),
    ...(cvv.length === 3 ? {} : { cvv: 'Please enter the 3 digits of your CVV' }),
  };
}

function expiryFault(expiry: string, now: Date): { expiry?: string } {
  const month = Number(expiry.slice(0, 2));
  if (expiry.length !== 4 || month < 1 || month > 12) {
    return { expiry: 'Please enter the expiry date as MM/YY' };
  }
  // A card is good until the end of its month.
  const end = new Date(2000 + Number(expiry.slice(2)), month, 1);
  return end > now ? {} : { expiry: 'This card has expired' };
}
