/** The customer's cards: how each answers when it is charged or kept, and where Stripe keeps it. */
import type { Subscription } from './billing-objects.ts';
import { type ErrorBody, noSuch } from './errors.ts';
import { type Billing, makePaymentMethod, type PaymentMethod } from './objects.ts';
import { find, retrieve, save, type World } from './world.ts';

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
  'Your card was declined. Your request was in test mode, but used a non test (live) card.',
);

export const cardFor = (number: string): CardBehaviour => {
  const digits = number.replaceAll(/[\s-]/g, '');
  const answer = testCards[digits] ?? liveCard;
  const brand = digits.startsWith('5') ? 'mastercard' : 'visa';
  return { authentication: 'never', ...answer, brand, last4: digits.slice(-4) };
};

/** How a stored payment method will answer, which Stripe's objects do not tell. */
const behaviours = new WeakMap<PaymentMethod, CardBehaviour>();

export const keepCard = (world: World, card: CardBehaviour, billing: Billing): PaymentMethod => {
  const method = save(world, 'payment_method', makePaymentMethod(world, card, billing));
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

/** One that a parameter names: it must be attached to the customer. */
export const methodOf = (
  world: World,
  id: string,
  customer: string,
  param: string,
): PaymentMethod => {
  const method = retrieve(world, 'payment_method', id, param, 400);
  if (method.customer !== customer) throw noSuch('payment_method', id, param, 400);
  return method;
};

/** What the subscription's bills are charged to. */
export const defaultMethodOf = (
  world: World,
  { default_payment_method: own }: Subscription,
): PaymentMethod | undefined => find(world, 'payment_method', own ?? '');
