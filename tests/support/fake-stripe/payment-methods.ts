import type { Subscription } from './billing-objects.ts';
import type { CardBehaviour } from './cards.ts';
import { type ErrorBody, noSuch } from './errors.ts';
import { type Billing, makePaymentMethod, type PaymentMethod } from './objects.ts';
import { find, retrieve, save, type World } from './world.ts';

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

/** What an invoice is charged to: the subscription's own method, else the customer's for invoices. */
export const defaultMethodOf = (
  world: World,
  { customer, default_payment_method: own }: Subscription,
): PaymentMethod | undefined => {
  const { invoice_settings: settings } = retrieve(world, 'customer', customer);
  return find(world, 'payment_method', own ?? settings.default_payment_method ?? '');
};
