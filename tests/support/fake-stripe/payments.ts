import { emit, intentOf, invoiceOf, invoiceUnpaid, settleInvoice } from './billing.ts';
import { type CardBehaviour, cardFor } from './cards.ts';
import { docUrl, type ErrorBody, invalid } from './errors.ts';
import type { Invoice } from './objects-invoice.ts';
import {
  type BillingDetails,
  type Charge,
  makeCharge,
  makePaymentMethod,
  type PaymentIntent,
  type PaymentMethod,
} from './objects-payment.ts';
import { openDispute } from './reversals.ts';
import { newId, retrieve, save, type World } from './world.ts';

/** How a stored payment method will answer, which Stripe's objects do not tell. */
const behaviours = new WeakMap<PaymentMethod, CardBehaviour>();

const accepted: CardBehaviour = { brand: 'visa', last4: '4242', authentication: false };

export const addCard = (
  world: World,
  card: CardBehaviour,
  billing: BillingDetails,
): PaymentMethod => {
  const method = save(world, 'payment_method', makePaymentMethod(world, card, billing));
  behaviours.set(method, card);
  return method;
};

/** The bank's plain no, to a card that it took before. */
const refusal = (method: PaymentMethod): CardBehaviour => ({
  ...(cardFor('4000000000000002') ?? accepted),
  last4: method.card.last4,
});

const noBilling: BillingDetails = {
  address: null,
  email: null,
  name: null,
  phone: null,
  tax_id: null,
};

const behaviourOf = (method: PaymentMethod): CardBehaviour => behaviours.get(method) ?? accepted;

const charge = (
  world: World,
  intent: PaymentIntent,
  method: PaymentMethod,
  card: CardBehaviour,
  paid: boolean,
  authenticated: boolean,
): Charge => {
  const made = save(world, 'charge', makeCharge(world, intent, method, card, paid, authenticated));
  intent.latest_charge = made.id;
  return made;
};

const succeed = (
  world: World,
  intent: PaymentIntent,
  method: PaymentMethod,
  authenticated: boolean,
): void => {
  const made = charge(world, intent, method, behaviourOf(method), true, authenticated);
  method.customer = intent.customer;
  intent.status = 'succeeded';
  intent.amount_received = intent.amount;
  intent.next_action = null;
  intent.last_payment_error = null;
  intent.payment_method = method.id;
  emit(world, 'charge.succeeded', made);
  emit(world, 'payment_intent.succeeded', intent);
  const invoice = invoiceOf(world, intent.id);
  if (invoice !== undefined) settleInvoice(world, invoice, method.id);
  if (behaviourOf(method).disputed === true) openDispute(world, made.id, {});
};

const refuse = (world: World, intent: PaymentIntent, error: ErrorBody): void => {
  intent.status = 'requires_payment_method';
  intent.next_action = null;
  intent.payment_method = null;
  intent.last_payment_error =
    error.code === undefined ? error : { ...error, doc_url: docUrl(error.code) };
  emit(world, 'payment_intent.payment_failed', intent);
  const invoice = invoiceOf(world, intent.id);
  if (invoice !== undefined) invoiceUnpaid(world, invoice, false);
};

const decline = (
  world: World,
  intent: PaymentIntent,
  method: PaymentMethod,
  card: CardBehaviour,
  authenticated: boolean,
): void => {
  const made = charge(world, intent, method, card, false, authenticated);
  emit(world, 'charge.failed', made);
  refuse(world, intent, {
    type: 'card_error',
    code: card.code ?? 'card_declined',
    ...(card.declineCode === undefined ? {} : { decline_code: card.declineCode }),
    message: card.message ?? 'Your card was declined.',
    charge: made.id,
    payment_method: structuredClone(method),
  });
};

const askForAuthentication = (world: World, intent: PaymentIntent, method: PaymentMethod): void => {
  intent.status = 'requires_action';
  intent.payment_method = method.id;
  intent.last_payment_error = null;
  intent.next_action = {
    type: 'use_stripe_sdk',
    use_stripe_sdk: { type: 'three_d_secure_redirect', source: newId('payatt') },
  };
  emit(world, 'payment_intent.requires_action', intent);
  const invoice = invoiceOf(world, intent.id);
  if (invoice !== undefined) invoiceUnpaid(world, invoice, true);
};

const answer = (
  world: World,
  intent: PaymentIntent,
  method: PaymentMethod,
  authenticated: boolean,
): void => {
  const card = behaviourOf(method);
  if (card.code === undefined) succeed(world, intent, method, authenticated);
  else decline(world, intent, method, card, authenticated);
};

const verbs: Partial<Record<PaymentIntent['status'], string>> = {
  succeeded: 'it has already succeeded after being previously confirmed',
  processing: 'it is already being processed',
  canceled:
    'it has a status of canceled. Only a PaymentIntent with one of the following statuses may be confirmed: requires_confirmation, requires_action',
};

const checkConfirmable = (intent: PaymentIntent): void => {
  const reason = verbs[intent.status];
  if (reason === undefined) return;
  throw invalid(
    `You cannot confirm this PaymentIntent because ${reason}.`,
    undefined,
    'payment_intent_unexpected_state',
  );
};

/** Confirms with a card, as the customer's browser does. */
export const confirm = (world: World, intent: PaymentIntent, method: PaymentMethod): void => {
  checkConfirmable(intent);
  if (behaviourOf(method).authentication) askForAuthentication(world, intent, method);
  else answer(world, intent, method, false);
};

export const authenticate = (world: World, intent: PaymentIntent, approve: boolean): void => {
  if (intent.status !== 'requires_action' || intent.payment_method === null) {
    throw invalid(
      `The PaymentIntent ${intent.id} is ${intent.status}; nothing waits for authentication.`,
      undefined,
      'payment_intent_unexpected_state',
    );
  }
  const method = retrieve(world, 'payment_method', intent.payment_method);
  if (approve) {
    answer(world, intent, method, true);
    return;
  }
  refuse(world, intent, {
    type: 'invalid_request_error',
    code: 'payment_intent_authentication_failure',
    message:
      'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
    payment_method: structuredClone(method),
  });
};

/** A payment whose end takes its time, as a bank debit's does; cards never stop here. */
export const startProcessing = (world: World, intent: PaymentIntent): void => {
  checkConfirmable(intent);
  const method = addCard(world, accepted, noBilling);
  intent.status = 'processing';
  intent.payment_method = method.id;
  intent.last_payment_error = null;
  emit(world, 'payment_intent.processing', intent);
};

export const finishProcessing = (world: World, intent: PaymentIntent, succeeds: boolean): void => {
  if (intent.status !== 'processing' || intent.payment_method === null) {
    throw invalid(`The PaymentIntent ${intent.id} is ${intent.status}, not processing.`);
  }
  const method = retrieve(world, 'payment_method', intent.payment_method);
  if (succeeds) succeed(world, intent, method, false);
  else decline(world, intent, method, refusal(method), false);
};

export type Outcome = boolean | 'requires_action';

/** Stripe's own attempt on an open invoice, without the customer: with the stored card, and the end the test wants. */
export const attemptInvoice = (world: World, invoice: Invoice, pay: Outcome): void => {
  const intent = intentOf(world, invoice.id);
  if (intent === undefined || invoice.status !== 'open') {
    throw invalid(`The invoice ${invoice.id} is ${invoice.status}; nothing is left to pay.`);
  }
  const subscription = retrieve(
    world,
    'subscription',
    invoice.parent.subscription_details.subscription,
  );
  const customer = retrieve(world, 'customer', invoice.customer);
  const stored =
    subscription.default_payment_method ?? customer.invoice_settings.default_payment_method;
  const method = stored === null ? undefined : world.tables.payment_method.get(stored);
  if (method === undefined) {
    if (pay !== false) {
      throw invalid(
        `The subscription ${subscription.id} has no stored payment method to pay with.`,
      );
    }
    refuse(world, intent, {
      type: 'invalid_request_error',
      code: 'resource_missing',
      message: 'This customer has no attached payment source or default payment method.',
    });
    return;
  }
  if (pay === 'requires_action') askForAuthentication(world, intent, method);
  else if (pay) succeed(world, intent, method, false);
  else decline(world, intent, method, refusal(method), false);
};
