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

/** '4242424242424242' → '4242 4242 4242 4242'. */
export function showNumber(number: string): string {
  return number.replace(/(.{4})(?=.)/g, '$1 ');
}

/** Which numbers are whose, by how they begin. */
const BRANDS: readonly [string, RegExp][] = [
  ['Visa', /^4/],
  ['Mastercard', /^(5[1-5]|2(22[1-9]|2[3-9]|[3-6]|7[01]|720))/],
  ['Amex', /^3[47]/],
  ['Discover', /^(6011|64[4-9]|65)/],
];

export function brandOf(number: string): string | undefined {
  return BRANDS.find(([, begins]) => begins.test(number))?.[0];
}

/** What keeps the card from being sent, in words for its fields. */
export function cardFaults(
  { number, expiry, cvv }: CardNumbers,
  now: Date,
): Partial<Record<keyof CardNumbers, string>> {
  return {
    ...missingDigits('number', number, 16, 'card number'),
    ...expiryFault(expiry, now),
    ...missingDigits('cvv', cvv, 3, 'CVV'),
  };
}

function missingDigits(part: 'number' | 'cvv', typed: string, length: number, what: string) {
  if (typed.length === length) return {};
  const wrong = `Your ${what} must have ${length} digits`;
  return { [part]: typed === '' ? `Please enter your ${what}` : wrong };
}

function expiryFault(expiry: string, now: Date): { expiry?: string } {
  if (expiry === '') return { expiry: 'Please enter the expiry date' };
  const month = Number(expiry.slice(0, 2));
  if (expiry.length !== 4 || month < 1 || month > 12) {
    return { expiry: 'The expiry date must be a month and a year, as MM/YY' };
  }
  // A card is good until the end of its month.
  const end = new Date(2000 + Number(expiry.slice(2)), month, 1);
  return end > now ? {} : { expiry: 'This card has expired' };
}
