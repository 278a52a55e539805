/** The test gateway's published test numbers and their tokens, of which the browser sends these. */
const SPECIAL = {
  '4000000000000002': 'declined',
  '4000000000009995': 'insufficient_funds',
  '4000002500003155': 'asks',
} as const;
const SUCCEEDING = `
  4242424242424242 4000000000000341 4000056655665556 4012888888881881 4111111111111111
  2223003122003222 5105105105105100 5200828282828210 5555555555554444 6011000990139424
  6011111111111117 3056930009020004 3530111333300000 3566002020360505 6200000000000005
`;
const CARDS = new Map<string, TestToken>([
  ...SUCCEEDING.trim()
    .split(/\s+/)
    .map((number) => [number, 'succeeds'] as const),
  ...Object.entries(SPECIAL),
]);
export const TEST_TOKENS = ['succeeds', ...Object.values(SPECIAL)] as const;
export type TestToken = (typeof TEST_TOKENS)[number];

/** Identifies a card after the payment; no two of these cards share their last digits. */
export const TEST_LAST4 = [...CARDS.keys()].map((number) => number.slice(-4));

export function testToken(cardNumber: string): TestToken | undefined {
  return CARDS.get(cardNumber);
}

/** Looks a card up by its last digits, all that the server knows of it. */
export function brandOfLast4(last4: string): string {
  const number = [...CARDS.keys()].find((card) => card.endsWith(last4)) ?? '';
  return brandOf(number) ?? 'Card';
}

/** What the digits of a field are read from: '12 / 2030', '203012' and '3/30' have four, too. */
export function readCard(part: keyof CardNumbers, text: string): string {
  const read = part === 'expiry' ? readExpiry(text) : text;
  return read.replace(/\D/g, '').slice(0, LENGTHS[part]);
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

function readExpiry(pasted: string): string {
  const text = pasted.replace(/^\s*(\w{3})[a-z.]*/i, (name, begins: string) => {
    const month = MONTHS.indexOf(begins.toLowerCase()) + 1;
    return month > 0 ? `${String(month).padStart(2, '0')}/` : name;
  });
  // A digit typed after '12/20' is of a year in four: '12/203' becomes '12/3'.
  const [, month = '', year = ''] = /^\D*(\d{1,2})\D*20(\d\d|(?<=\d\d\/20)\d)\D*$/.exec(text) ?? [];
  const [, yearFirst = '', monthLast = ''] = /^\D*20(\d\d)\D*(\d{1,2})\D*$/.exec(text) ?? [];
  if (month || monthLast) return (month || monthLast).padStart(2, '0') + (year || yearFirst);
  return text.replace(/^\D*(\d)(?=\s*[/.-])/, '0$1');
}

/** The digits of each field. They never leave the browser's page. */
export interface CardNumbers {
  number: string;
  /** MMYY. */
  expiry: string;
  cvv: string;
}

const LENGTHS = { number: 16, expiry: 4, cvv: 3 };

export function showExpiry(expiry: string): string {
  return expiry.length > 2 ? `${expiry.slice(0, 2)}/${expiry.slice(2)}` : expiry;
}

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
