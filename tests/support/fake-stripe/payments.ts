import {
  emit,
  intentOf,
  invoiceOf,
  invoiceUnpaid,
  settleInvoice,
  subscriptionOf,
} from './billing.ts';
import { type CardBehaviour, cardFor } from './cards.ts';
import { type ErrorBody, invalid } from './errors.ts';
import type { Invoice } from './objects-invoice.ts';
import {
  type Billing,
  makeCharge,
  makePaymentMethod,
  type PaymentIntent,
  type PaymentMethod,
} from './objects-payment.ts';
import { find, retrieve, save, type World } from './world.ts';

/** How a stored payment method will answer, which Stripe's objects do not tell. */
const behaviours = new WeakMap<PaymentMethod, CardBehaviour>();

const charge = (
  world: World,
  intent: PaymentIntent,
  method: PaymentMethod,
  refusing?: CardBehaviour,
): void => {
  const made = save(world, 'charge', makeCharge(world, intent, method, refusing));
  intent.latest_charge = made.id;
  emit(world, `charge.${made.status}`, made);
};

const succeed = (world: World, intent: PaymentIntent, method: PaymentMethod): void => {
  charge(world, intent, method);
  method.customer = intent.customer;
  intent.status = 'succeeded';
  intent.amount_received = intent.amount;
  intent.next_action = null;
  intent.last_payment_error = null;
  intent.payment_method = method.id;
  emit(world, 'payment_intent.succeeded', intent);
  settleInvoice(world, invoiceOf(world, intent), method.id);
};

const refuse = (world: World, intent: PaymentIntent, error: ErrorBody): void => {
  intent.status = 'requires_payment_method';
  intent.next_action = null;
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
  refuse(world, intent, {
    type: 'card_error',
    code: card.code,
    decline_code: card.declineCode,
    message: card.message ?? '',
  });
};

const answer = (world: World, intent: PaymentIntent, method: PaymentMethod): void => {
  const card = behaviours.get(method);
  if (card?.code === undefined) succeed(world, intent, method);
  else decline(world, intent, method, card);
};

const verbs: Partial<Record<PaymentIntent['status'], string>> = {
  succeeded: 'it has already succeeded after being previously confirmed',
  processing: 'it is already being processed',
  canceled:
    'it has a status of canceled. Only a PaymentIntent with one of the following statuses may be confirmed: requires_confirmation, requires_action',
};

const unexpected = (message: string) =>
  invalid(message, undefined, 'payment_intent_unexpected_state');

/** Confirms with a card, as the customer's browser does. */
export const confirm = (
  world: World,
  intent: PaymentIntent,
  card: CardBehaviour,
  billing: Billing,
): void => {
  const method = save(world, 'payment_method', makePaymentMethod(world, card, billing));
  behaviours.set(method, card);
  const reason = verbs[intent.status];
  if (reason !== undefined)
    throw unexpected(`You cannot confirm this PaymentIntent because ${reason}.`);
  if (!card.authentication) {
    answer(world, intent, method);
    return;
  }
  intent.status = 'requires_action';
  intent.payment_method = method.id;
  intent.last_payment_error = null;
  intent.next_action = { type: 'use_stripe_sdk' };
  emit(world, 'payment_intent.requires_action', intent);
  invoiceUnpaid(world, invoiceOf(world, intent), true);
};

export const authenticate = (world: World, intent: PaymentIntent, approve: boolean): void => {
  if (intent.status !== 'requires_action' || intent.payment_method === null) {
    throw unexpected(
      `The PaymentIntent ${intent.id} is ${intent.status}; nothing waits for authentication.`,
    );
  }
  if (approve) answer(world, intent, retrieve(world, 'payment_method', intent.payment_method));
  else {
    refuse(world, intent, {
      type: 'invalid_request_error',
      code: 'payment_intent_authentication_failure',
      message:
        'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
    });
  }
};

/** Stripe's own attempt on an open invoice, without the customer: with the stored card, and the end the test wants. */
export const attemptInvoice = (world: World, invoice: Invoice, succeeds: boolean): void => {
  const intent = intentOf(world, invoice.id);
  if (intent === undefined || invoice.status !== 'open')
    throw invalid(`The invoice ${invoice.id} is ${invoice.status}; nothing is left to pay.`);
  const { id, default_payment_method: stored } = subscriptionOf(world, invoice);
  const method = find(world, 'payment_method', stored ?? '');
  if (method === undefined)
    throw invalid(`The subscription ${id} has no stored payment method to pay with.`);
  // The bank's plain no, to a card that it took before.
  const refusal = cardFor('4000000000000002');
  if (succeeds || refusal === undefined) succeed(world, intent, method);
  else decline(world, intent, method, refusal);
};
