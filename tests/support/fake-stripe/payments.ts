/** Payments of invoices, by the customer's browser or by Stripe itself, and cards saved for later. */
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
import { emit, retrieve, save, type World } from './world.ts';

const charge = (
  world: World,
  intent: PaymentIntent,
  method: PaymentMethod,
  declined?: CardBehaviour,
): void => {
  const made = save(world, 'charge', makeCharge(world, intent, method, declined));
  intent.latest_charge = made.id;
};

const succeed = (world: World, intent: PaymentIntent, method: PaymentMethod): void => {
  charge(world, intent, method);
  method.customer = intent.customer;
  intent.status = 'succeeded';
  intent.amount_received = intent.amount;
  intent.last_payment_error = null;
  intent.payment_method = method.id;
  emit(world, 'payment_intent.succeeded', intent);
  settleInvoice(world, invoiceOf(world, intent), method.id);
};

const refuse = (world: World, intent: PaymentIntent, error: ErrorBody): void => {
  intent.status = 'requires_payment_method';
  intent.payment_method = null;
  intent.last_payment_error = error;
  emit(world, 'payment_intent.payment_failed', intent);
  invoiceUnpaid(world, invoiceOf(world, intent), false);
};

const decline = (
  world: World,
  intent: PaymentIntent,
  method: PaymentMethod,
  card: CardBehaviour,
): void => {
  charge(world, intent, method, card);
  refuse(world, intent, declineOf(card));
};

const answer = (world: World, intent: PaymentIntent, method: PaymentMethod): void => {
  const card = behaviourOf(method);
  if (card.code === undefined) succeed(world, intent, method);
  else decline(world, intent, method, card);
};

/** The bank requires 3-D Secure first. */
const requireAction = (world: World, intent: PaymentIntent, method: PaymentMethod): void => {
  intent.status = 'requires_action';
  intent.payment_method = method.id;
  intent.last_payment_error = null;
  invoiceUnpaid(world, invoiceOf(world, intent), true);
};

const unexpected = ({ id, object, status }: PaymentIntent | SetupIntent) =>
  invalid(`${id} is ${status}, so this cannot be done.`, undefined, `${object}_unexpected_state`);

export const confirm = (world: World, intent: PaymentIntent, card: CardBehaviour): void => {
  const method = saveCard(world, card);
  if (['succeeded', 'processing', 'canceled'].includes(intent.status)) throw unexpected(intent);
  if (card.authentication === 'never') answer(world, intent, method);
  else requireAction(world, intent, method);
};

export const authenticate = (world: World, intent: PaymentIntent, approve: boolean): void => {
  if (intent.status !== 'requires_action' || intent.payment_method === null)
    throw unexpected(intent);
  const method = retrieve(world, 'payment_method', intent.payment_method);
  if (approve) answer(world, intent, method);
  else refuse(world, intent, notAuthenticated('payment_intent'));
};

/** Charges an open invoice without the customer. `succeeds` overrides the card's own behaviour. */
export const attemptInvoice = (
  world: World,
  invoice: Invoice,
  method: PaymentMethod,
  succeeds?: boolean,
): void => {
  const intent = intentOf(world, invoice.id);
  if (intent === undefined || invoice.status !== 'open')
    throw invalid(`The invoice ${invoice.id} is ${invoice.status}; nothing is left to pay.`);
  if (succeeds === true) succeed(world, intent, method);
  // A generic decline, whatever the card.
  else if (succeeds === false) decline(world, intent, method, cardFor('4000000000000002'));
  else if (behaviourOf(method).authentication === 'always') requireAction(world, intent, method);
  else answer(world, intent, method);
};

/** `POST /v1/invoices/:id/pay` */
export const payInvoice = (world: World, invoice: Invoice, method: PaymentMethod): Invoice => {
  if (invoice.status === 'paid') throw invalid('Invoice is already paid');
  attemptInvoice(world, invoice, method);
  const intent = intentOf(world, invoice.id);
  if (intent?.status === 'requires_action') {
    throw new StripeFailure({
      status: 402,
      type: 'card_error',
      code: 'invoice_payment_intent_requires_action',
      message: 'This payment requires additional user action.',
    });
  }
  if (intent?.last_payment_error)
    throw new StripeFailure({ status: 402, ...intent.last_payment_error });
  return invoice;
};

const refuseSetup = (intent: SetupIntent, error: ErrorBody): void => {
  intent.status = 'requires_payment_method';
  intent.payment_method = null;
  intent.last_setup_error = error;
};

const completeSetup = (intent: SetupIntent, method: PaymentMethod): void => {
  const card = behaviourOf(method);
  if (card.code !== undefined && !card.keeps) {
    refuseSetup(intent, declineOf(card));
    return;
  }
  method.customer = intent.customer;
  intent.status = 'succeeded';
  intent.last_setup_error = null;
  intent.payment_method = method.id;
};

export const confirmSetup = (world: World, intent: SetupIntent, card: CardBehaviour): void => {
  if (intent.status === 'succeeded') throw unexpected(intent);
  const method = saveCard(world, card);
  if (card.authentication === 'never') {
    completeSetup(intent, method);
    return;
  }
  intent.status = 'requires_action';
  intent.payment_method = method.id;
  intent.last_setup_error = null;
};

export const authenticateSetup = (world: World, intent: SetupIntent, approve: boolean): void => {
  if (intent.status !== 'requires_action' || intent.payment_method === null)
    throw unexpected(intent);
  if (approve) completeSetup(intent, retrieve(world, 'payment_method', intent.payment_method));
  else refuseSetup(intent, notAuthenticated('setup_intent'));
};
