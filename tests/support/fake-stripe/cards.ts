/** Test cards, how each behaves, and the payment methods made from them. */
import { type ErrorBody, noSuch } from './errors.ts';
import { makePaymentMethod, type PaymentMethod } from './objects.ts';
import { retrieve, save, type World } from './world.ts';

export interface CardBehaviour {
  brand: string;
  last4: string;
  /** Whether the bank requires 3-D Secure; the decline below comes after it. */
  authentication: 'never' | 'until-set-up' | 'always';
  /** Can be saved, but is declined when charged. */
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

/** The test cards that tests use. Any other counts as a real one, which is declined. */
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
  'Your card was declined. Your request was in test mode, but used a non test (live) card.',
);

export const cardFor = (number: string): CardBehaviour => {
  const digits = number.replaceAll(/[\s-]/g, '');
  const answer = testCards[digits] ?? liveCard;
  const brand = digits.startsWith('5') ? 'mastercard' : 'visa';
  return { authentication: 'never', ...answer, brand, last4: digits.slice(-4) };
};

/** How a saved payment method behaves, which is no field of Stripe's object. */
const behaviours = new WeakMap<PaymentMethod, CardBehaviour>();

export const saveCard = (world: World, card: CardBehaviour): PaymentMethod => {
  const method = save(world.payment_method, makePaymentMethod(card));
  behaviours.set(method, card);
  return method;
};

export const behaviourOf = (method: PaymentMethod): CardBehaviour => {
  const card = behaviours.get(method);
  if (card === undefined) throw new Error(`the payment method ${method.id} has no card behind it`);
  return card;
};

export const declineOf = ({ code, declineCode, message = '' }: CardBehaviour): ErrorBody => ({
  type: 'card_error',
  code,
  decline_code: declineCode,
  message,
});

export const notAuthenticated = (kind: 'payment_intent' | 'setup_intent'): ErrorBody => ({
  type: 'invalid_request_error',
  code: `${kind}_authentication_failure`,
  message:
    'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
});

/** The payment method must belong to the customer. */
export const methodOf = (world: World, id: string, customer: string): PaymentMethod => {
  const method = retrieve(world.payment_method, id);
  if (method.customer !== customer) throw noSuch('payment_method', id);
  return method;
};
