/** A card that is kept for later, as the customer's browser enters it. */
import { behaviourOf, type CardBehaviour, declineOf, keepCard, notAuthenticated } from './cards.ts';
import { type ErrorBody, invalid } from './errors.ts';
import type { Billing, PaymentMethod, SetupIntent } from './objects.ts';
import { retrieve, type World } from './world.ts';

const refuse = (intent: SetupIntent, error: ErrorBody): void => {
  intent.status = 'requires_payment_method';
  intent.payment_method = null;
  intent.last_setup_error = error;
};

const keep = (intent: SetupIntent, method: PaymentMethod): void => {
  const card = behaviourOf(method);
  if (card.code !== undefined && !card.keeps) {
    refuse(intent, declineOf(card));
    return;
  }
  method.customer = intent.customer;
  intent.status = 'succeeded';
  intent.last_setup_error = null;
  intent.payment_method = method.id;
};

const unexpected = (message: string) =>
  invalid(message, undefined, 'setup_intent_unexpected_state');

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
    keep(intent, method);
    return;
  }
  intent.status = 'requires_action';
  intent.payment_method = method.id;
  intent.last_setup_error = null;
};

export const authenticateSetup = (world: World, intent: SetupIntent, approve: boolean): void => {
  if (intent.status !== 'requires_action' || intent.payment_method === null) {
    throw unexpected(
      `The SetupIntent ${intent.id} is ${intent.status}; nothing waits for authentication.`,
    );
  }
  if (approve) keep(intent, retrieve(world, 'payment_method', intent.payment_method));
  else refuse(intent, notAuthenticated('setup_intent'));
};
