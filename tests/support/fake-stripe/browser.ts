/** Stripe.js's side of the API: calls by the page and by the iframes of the card fields. */
import { cardFor } from './cards.ts';
import { type ErrorBody, noSuch, StripeFailure } from './errors.ts';
import { authenticate, confirm, type Intent } from './payments.ts';
import { newId, type World } from './world.ts';

/** The path prefix of the stand-in script's calls. */
export const browserPrefix = '/__stand_in/';

/** The fields that a publishable key may read: no customer, no metadata, no charge. */
const viewOf = ({ id, object, client_secret, payment_method, status }: Intent) => ({
  id,
  object,
  client_secret,
  payment_method,
  status,
});

type View = ReturnType<typeof viewOf>;

interface ConfirmOutcome {
  paymentIntent?: View;
  setupIntent?: View;
  error?: ErrorBody & { payment_intent?: View; setup_intent?: View };
}

interface Payload {
  key: string;
  client_secret: string;
  /** The card number to tokenize. */
  number: string;
  token: string;
  approve: boolean;
}

/** Returns the calls. Like Stripe.js's promises, they return errors and never throw them. */
export const openBrowser = (world: World, publishableKey: string) => {
  /** Card numbers by the single-use tokens that the page may hold. */
  const tokens = new Map<string, string>();

  const on = (clientSecret: string, act: (intent: Intent) => void): ConfirmOutcome => {
    const id = clientSecret.split('_secret_')[0] ?? '';
    const intent = world.payment_intent.get(id) ?? world.setup_intent.get(id);
    if (intent?.client_secret !== clientSecret) return { error: noSuch('intent', id).body };
    try {
      act(intent);
    } catch (error) {
      if (!(error instanceof StripeFailure)) throw error;
      return { error: { ...error.body, [intent.object]: viewOf(intent) } };
    }
    return intent.object === 'setup_intent'
      ? { setupIntent: viewOf(intent) }
      : { paymentIntent: viewOf(intent) };
  };

  /** The outcome of an action that may leave the intent with an error. */
  const acting = (secret: string, act: (intent: Intent) => void) =>
    on(secret, (intent) => {
      act(intent);
      if (intent.status !== 'requires_payment_method') return;
      const error =
        intent.object === 'setup_intent' ? intent.last_setup_error : intent.last_payment_error;
      if (error) throw new StripeFailure(402, error);
    });

  const calls = {
    confirm: (secret: string, number: string) =>
      acting(secret, (intent) => confirm(world, intent, cardFor(number))),
    authenticate: (secret: string, approve: boolean) =>
      acting(secret, (intent) => authenticate(world, intent, approve)),
  };

  const answers: Record<string, (payload: Payload) => object> = {
    tokens({ number }) {
      const id = newId('tok');
      tokens.set(id, number);
      return { id };
    },
    confirm({ client_secret: secret, token }) {
      const number = tokens.get(token) ?? '';
      tokens.delete(token);
      return calls.confirm(secret, number);
    },
    authenticate: ({ client_secret: secret, approve }) => calls.authenticate(secret, approve),
    retrieve: ({ client_secret: secret }) => on(secret, () => undefined),
  };

  /** Undefined for an unknown path, or another account's key. */
  const answer = (path: string, payload: Payload) =>
    payload.key === publishableKey
      ? answers[path.slice(browserPrefix.length)]?.(payload)
      : undefined;

  return { ...calls, answer };
};
