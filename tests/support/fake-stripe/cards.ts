export interface CardBehaviour {
  brand: string;
  last4: string;
  /** Whether the bank wants to see the customer; its answer below comes after that. */
  authentication: 'never' | 'until-set-up' | 'always';
  /** It can be kept for later, and is refused only when it is charged. */
  keeps?: boolean;
  code?: string;
  declineCode?: string;
  message?: string;
}

type Answer = Partial<Omit<CardBehaviour, 'brand' | 'last4'>>;

const declined = (declineCode: string, message = 'Your card was declined.'): Answer => ({
  code: 'card_declined',
  declineCode,
  message,
});

/** Of Stripe's test cards those that a test pays with; every other number is taken for a real card. */
const testCards: Record<string, Answer> = {
  '4242424242424242': {},
  '5555555555554444': {},
  '4000000000000002': declined('generic_decline'),
  '4000000000009995': declined('insufficient_funds', 'Your card has insufficient funds.'),
  '4000000000000341': { ...declined('generic_decline'), keeps: true },
  '4000002500003155': { authentication: 'until-set-up' },
  '4000002760003184': { authentication: 'always' },
};

const liveCard = declined(
  'test_mode_live_card',
  'Your card was declined. Your request was in test mode, but used a non test (live) card. For a list of valid test cards, visit: https://stripe.com/docs/testing.',
);

const brands: Record<string, string> = { 3: 'amex', 4: 'visa', 5: 'mastercard', 6: 'discover' };

const passesLuhn = (digits: string): boolean => {
  const total = Array.from(digits)
    .reverse()
    .map(Number)
    .reduce((sum, digit, place) => {
      const weighed = place % 2 === 1 ? digit * 2 : digit;
      return sum + (weighed > 9 ? weighed - 9 : weighed);
    }, 0);
  return total % 10 === 0;
};

/** Undefined for what is no card number at all. */
export const cardFor = (number: string): CardBehaviour | undefined => {
  const digits = number.replaceAll(/[\s-]/g, '');
  if (!/^\d{13,19}$/.test(digits) || !passesLuhn(digits)) return undefined;
  const answer = testCards[digits] ?? liveCard;
  const brand = brands[digits[0] ?? ''] ?? 'unknown';
  return { authentication: 'never', ...answer, brand, last4: digits.slice(-4) };
};
