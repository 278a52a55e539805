export interface CardBehaviour {
  brand: 'visa' | 'mastercard' | 'amex' | 'unknown';
  last4: string;
  /** Asked before the bank answers; the answer below comes after it. */
  authentication: boolean;
  code?: string;
  declineCode?: string;
  message?: string;
  /** The payment succeeds and is disputed at once. */
  disputed?: boolean;
}

type Answer = Omit<CardBehaviour, 'brand' | 'last4' | 'authentication'> & {
  authentication?: boolean;
};

const declined = (declineCode: string, message = 'Your card was declined.'): Answer => ({
  code: 'card_declined',
  declineCode,
  message,
});

const insufficient = declined('insufficient_funds', 'Your card has insufficient funds.');

const testCards: Record<string, Answer> = {
  '4242424242424242': {},
  '4000056655665556': {},
  '5555555555554444': {},
  '378282246310005': {},
  '4000000000000002': declined('generic_decline'),
  '4000000000000341': declined('generic_decline'),
  '4000000000009995': insufficient,
  '4000000000009987': declined('lost_card'),
  '4000000000009979': declined('stolen_card'),
  '4000000000000069': { code: 'expired_card', message: 'Your card has expired.' },
  '4000000000000127': { code: 'incorrect_cvc', message: "Your card's security code is incorrect." },
  '4000000000000119': {
    code: 'processing_error',
    message: 'An error occurred while processing your card. Try again in a little bit.',
  },
  '4000002500003155': { authentication: true },
  '4000002760003184': { authentication: true },
  '4000000000003220': { authentication: true },
  '4000008260003178': { ...insufficient, authentication: true },
  '4000000000000259': { disputed: true },
};

const liveCard = declined(
  'test_mode_live_card',
  'Your card was declined. Your request was in test mode, but used a non test (live) card. For a list of valid test cards, visit: https://stripe.com/docs/testing.',
);

const brandOf = (digits: string): CardBehaviour['brand'] => {
  if (digits.startsWith('4')) return 'visa';
  if (/^5[1-5]|^2[2-7]/.test(digits)) return 'mastercard';
  return /^3[47]/.test(digits) ? 'amex' : 'unknown';
};

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
  return { authentication: false, ...answer, brand: brandOf(digits), last4: digits.slice(-4) };
};
