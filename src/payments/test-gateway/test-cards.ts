/**
 * The test gateway's cards, all published test numbers, and their tokens. The browser sends the
 * token, never the number.
 */
export const TEST_CARDS = {
  '4242424242424242': 'succeeds',
  '4000000000000002': 'declined',
  '4000000000009995': 'insufficient_funds',
  '4000002500003155': 'asks',
  '4000000000000341': 'succeeds',
  '4000056655665556': 'succeeds',
  '4012888888881881': 'succeeds',
  '4111111111111111': 'succeeds',
  '2223003122003222': 'succeeds',
  '5105105105105100': 'succeeds',
  '5200828282828210': 'succeeds',
  '5555555555554444': 'succeeds',
  '6011000990139424': 'succeeds',
  '6011111111111117': 'succeeds',
  '3056930009020004': 'succeeds',
  '3530111333300000': 'succeeds',
  '3566002020360505': 'succeeds',
  '6200000000000005': 'succeeds',
} as const;
export type TestToken = (typeof TEST_CARDS)[keyof typeof TEST_CARDS];

/** Identifies a card after the payment; no two of these cards share their last digits. */
export const TEST_LAST4 = Object.keys(TEST_CARDS).map((number) => number.slice(-4));

export function testToken(cardNumber: string): TestToken | undefined {
  return Object.entries(TEST_CARDS).find(([number]) => number === cardNumber)?.[1];
}

/** The last digits of the first card with this token. */
export function last4Of(token: TestToken): string {
  const [number = ''] =
    Object.entries(TEST_CARDS).find(([, cardToken]) => cardToken === token) ?? [];
  return number.slice(-4);
}

/** Looks a card up by its last digits, all that the server knows of it. */
export function brandOfLast4(last4: string): string {
  const number = Object.keys(TEST_CARDS).find((card) => card.endsWith(last4)) ?? '';
  return brandOf(number) ?? 'Card';
}

/** The typed digits of each field. They stay in the browser's memory. */
export interface CardNumbers {
  number: string;
  /** MMYY. */
  expiry: string;
  cvv: string;
}

export const LENGTHS = { number: 16, expiry: 4, cvv: 3 };

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

const BRANDS: readonly [string, RegExp][] = [
  ['Visa', /^4/],
  ['Mastercard', /^(5[1-5]|2[2-7])/],
  ['Amex', /^3[47]/],
  ['Discover', /^6[045]/],
];

export function brandOf(number: string): string | undefined {
  return BRANDS.find(([, begins]) => begins.test(number))?.[0];
}

/** Returns an error message for each invalid field; empty when the card can be sent. */
export function cardErrors(
  { number, expiry, cvv }: CardNumbers,
  now: Date,
): Partial<Record<keyof CardNumbers, string>> {
  return {
    ...missingDigits('number', number, 'card number'),
    ...expiryError(expiry, now),
    ...missingDigits('cvv', cvv, 'CVV'),
  };
}

function missingDigits(part: 'number' | 'cvv', typed: string, what: string) {
  if (typed.length === LENGTHS[part]) return {};
  const wrong = `Your ${what} must have ${LENGTHS[part]} digits`;
  return { [part]: typed === '' ? `Please enter your ${what}` : wrong };
}

function expiryError(expiry: string, now: Date): { expiry?: string } {
  if (expiry === '') return { expiry: 'Please enter the expiry date' };
  const month = Number(expiry.slice(0, 2));
  if (expiry.length !== LENGTHS.expiry || month < 1 || month > 12)
    return { expiry: 'The expiry date must be a month and a year, as MM/YY' };
  // A card is good until the end of its month.
  const end = new Date(2000 + Number(expiry.slice(2)), month, 1);
  return end > now ? {} : { expiry: 'This card has expired' };
}
