import { emit } from './billing.ts';
import type { CardBehaviour } from './cards.ts';
import { type ErrorBody, invalid } from './errors.ts';
import type { Billing, PaymentMethod, SetupIntent } from './objects.ts';
import { behaviourOf, declineOf, keepCard, notAuthenticated } from './payment-methods.ts';
import { retrieve, type World } from './world.ts';

const refuse = (world: World, intent: SetupIntent, error: ErrorBody): void => {
  intent.status = 'requires_payment_method';
  intent.next_action = null;
  intent.payment_method = null;
  intent.last_setup_error = error;
  emit(world, 'setup_intent.setup_failed', intent);
};

const keep = (world: World, intent: SetupIntent, method: PaymentMethod): void => {
  const card = behaviourOf(method);
  if (card.code !== undefined && !card.keeps) {
    refuse(world, intent, declineOf(card));
    return;
  }
  method.customer = intent.customer;
  intent.status = 'succeeded';
  intent.next_action = null;
  intent.last_setup_error = null;
  intent.payment_method = method.id;
  emit(world, 'payment_method.attached', method);
  emit(world, 'setup_intent.succeeded', intent);
};

const unexpected = (message: string) =>
  invalid(message, undefined, 'setup_intent_unexpected_state');

/** Keeps a card for later, as the customer's browser does. */
export const confirmSetup = (
  world: World,
  intent: SetupIntent,
  card: CardBehaviour,
  billing: Billing,
): void => {
  if (intent.status === 'succeeded')
    throw unexpected('You cannot confirm this SetupIntent because it has already succeeded.');
  const method = keepCard(world, card, billing);
  if (card.authentication === 'never') {
    keep(world, intent, method);
    return;
  }
  intent.status = 'requires_action';
  intent.payment_method = method.id;
  intent.last_setup_error = null;
  intent.next_action = { type: 'use_stripe_sdk' };
  emit(world, 'setup_intent.requires_action', intent);
};

export const authenticateSetup = (world: World, intent: SetupIntent, approve: boolean): void => {
  if (intent.status !== 'requires_action' || intent.payment_method === null) {
    throw unexpected(
      `The SetupIntent ${intent.id} is ${intent.status}; nothing waits for authentication.`,
    );
  }
  if (approve) keep(world, intent, retrieve(world, 'payment_method', intent.payment_method));
  else refuse(world, intent, notAuthenticated('setup_intent'));
};
