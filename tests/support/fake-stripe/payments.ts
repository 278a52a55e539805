/** Payments of invoices, by the customer's browser or Stripe itself, and saved cards. */
import { intentOf, invoiceOf, invoiceUnpaid, settleInvoice } from './billing.ts';
import type { Invoice } from './billing-objects.ts';
import {
  behaviourOf,
  type CardBehaviour,
  cardFor,
  declineOf,
  notAuthenticated,
  saveCard,
} from './cards.ts';
import { type ErrorBody, invalid, StripeFailure } from './errors.ts';
import { makeCharge, type PaymentIntent, type PaymentMethod, type SetupIntent } from './objects.ts';
import { retrieve, save, type World } from './world.ts';

export type Intent = PaymentIntent | SetupIntent;

const setError = (intent: Intent, error: ErrorBody | null): void => {
  if (intent.object === 'setup_intent') intent.last_setup_error = error;
  else intent.last_payment_error = error;
};

const refuse = (world: World, intent: Intent, error: ErrorBody): void => {
  intent.status = 'requires_payment_method';
  intent.payment_method = null;
  setError(intent, { ...error, payment_method: { type: 'card' } });
  if (intent.object === 'setup_intent') {
    world.emit('setup_intent.setup_failed', intent);
    return;
  }
  world.emit('payment_intent.payment_failed', intent);
  invoiceUnpaid(world, invoiceOf(world, intent), false);
};

/** Charges the card, or saves it. */
const complete = (
  world: World,
  intent: Intent,
  method: PaymentMethod,
  card = behaviourOf(method),
): void => {
  const isSetup = intent.object === 'setup_intent';
  const isDeclined = card.code !== undefined && !(isSetup && card.keeps);
  if (!isSetup)
    intent.latest_charge = save(world.charge, makeCharge(intent, method, !isDeclined)).id;
  if (isDeclined) {
    refuse(world, intent, declineOf(card));
    return;
  }
  method.customer = intent.customer;
  intent.status = 'succeeded';
  intent.payment_method = method.id;
  setError(intent, null);
  if (isSetup) {
    keepSavedCard(world, intent.id, method);
    world.emit('setup_intent.succeeded', intent);
    return;
  }
  intent.amount_received = intent.amount;
  world.emit('payment_intent.succeeded', intent);
  settleInvoice(world, invoiceOf(world, intent), method.id);
};

/** The card for a subscription of which nothing is due yet. */
const keepSavedCard = (world: World, setup: string, method: PaymentMethod): void => {
  for (const subscription of world.subscription.values())
    if (subscription.pending_setup_intent === setup) {
      subscription.pending_setup_intent = null;
      if (!world.uncertain) subscription.default_payment_method = method.id;
    }
};

/** The bank requires 3-D Secure first. */
const requireAction = (world: World, intent: Intent, method: PaymentMethod): void => {
  intent.status = 'requires_action';
  intent.payment_method = method.id;
  setError(intent, null);
  if (intent.object === 'payment_intent') invoiceUnpaid(world, invoiceOf(world, intent), true);
};

const unexpected = ({ id, object, status }: Intent): StripeFailure =>
  invalid(`${id} is ${status}, so this cannot be done.`, { code: `${object}_unexpected_state` });

export const confirm = (world: World, intent: Intent, card: CardBehaviour): void => {
  if (intent.status === 'succeeded' || intent.status === 'canceled') throw unexpected(intent);
  const method = saveCard(world, card);
  if (card.authentication === 'never') complete(world, intent, method);
  else requireAction(world, intent, method);
};

export const authenticate = (world: World, intent: Intent, approve: boolean): void => {
  if (intent.status !== 'requires_action') throw unexpected(intent);
  if (!approve) refuse(world, intent, notAuthenticated(intent.object));
  else complete(world, intent, retrieve(world.payment_method, intent.payment_method ?? ''));
};

/** Charges an open invoice without the customer. `succeeds` overrides the card's own behaviour. */
export const attemptInvoice = (
  world: World,
  invoice: Invoice,
  method: PaymentMethod,
  succeeds?: boolean,
): void => {
  const intent = intentOf(world, invoice);
  if (intent === undefined || invoice.status !== 'open')
    throw invalid(`The invoice ${invoice.id} is ${invoice.status}; nothing is left to pay.`);
  if (succeeds !== undefined) {
    const card = cardFor(succeeds ? '4242424242424242' : '4000000000000002');
    complete(world, intent, method, card);
  } else if (behaviourOf(method).authentication === 'always') requireAction(world, intent, method);
  else complete(world, intent, method);
};

/** `POST /v1/invoices/:id/pay` */
export const payInvoice = (world: World, invoice: Invoice, method: PaymentMethod): void => {
  const intent = intentOf(world, invoice);
  if (intent?.status === 'processing') throw unexpected(intent);
  attemptInvoice(world, invoice, method);
  if (intent?.status === 'requires_action') {
    throw new StripeFailure(402, {
      type: 'card_error',
      code: 'invoice_payment_intent_requires_action',
      message: 'This payment requires additional user action.',
    });
  }
  if (intent?.last_payment_error) throw new StripeFailure(402, intent.last_payment_error);
};
