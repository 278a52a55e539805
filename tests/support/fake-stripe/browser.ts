import { cardFor } from './cards.ts';
import { type ErrorBody, noSuch, StripeFailure } from './errors.ts';
import type { PaymentIntent, SetupIntent } from './objects.ts';
import { authenticate, authenticateSetup, confirm, confirmSetup } from './payments.ts';
import { find, newId, type World } from './world.ts';

/** The path prefix of the stand-in script's calls. */
export const browserPrefix = '/__stand_in/';

type Intent = PaymentIntent | SetupIntent;

/** The fields that a publishable key may read: no customer, no metadata, no charge. */
interface View {
  id: string;
  object: string;
  client_secret: string;
  payment_method: string | null;
  status: string;
}

export interface ConfirmOutcome {
  paymentIntent?: View;
  setupIntent?: View;
  error?: ErrorBody;
}

const isSetup = (intent: Intent): intent is SetupIntent => intent.object === 'setup_intent';

const viewOf = ({ id, object, client_secret, payment_method, status }: Intent): View => ({
  id,
  object,
  client_secret,
  payment_method,
  status,
});

const outcomeOf = (intent: Intent): ConfirmOutcome =>
  isSetup(intent) ? { setupIntent: viewOf(intent) } : { paymentIntent: viewOf(intent) };

export interface BrowserRequest {
  path: string;
  /** As received, with card numbers reduced to their last four digits. */
  payload: Payload;
}

interface Payload {
  key?: string;
  client_secret?: string;
  /** The card number to tokenize. */
  number?: string;
  token?: string;
  approve?: boolean;
}

/** Stripe.js's side of the API. Like its promises, the methods return errors and never throw them. */
export class Browser {
  readonly requests: BrowserRequest[] = [];
  readonly #world: World;
  readonly #publishableKey: string;
  readonly #tokens = new Map<string, string>();

  constructor(world: World, publishableKey: string) {
    this.#world = world;
    this.#publishableKey = publishableKey;
  }

  /** Undefined for an unknown path. */
  answer(path: string, body: string): object | undefined {
    const payload: Payload = JSON.parse(body);
    const { key = '', client_secret: secret = '', number, token = '' } = payload;
    const masked = number === undefined ? {} : { number: `…${number.slice(-4)}` };
    this.requests.push({ path, payload: { ...payload, ...masked } });
    if (key !== this.#publishableKey) {
      const message = `Invalid API Key provided: ${key.slice(0, 8)}********`;
      return { error: { type: 'invalid_request_error', message } };
    }
    switch (path.slice(browserPrefix.length)) {
      case 'tokens':
        return { id: this.#tokenize(number ?? '') };
      case 'confirm': {
        const card = this.#tokens.get(token) ?? '';
        this.#tokens.delete(token);
        return this.confirm(secret, card);
      }
      case 'authenticate':
        return this.authenticate(secret, payload.approve === true);
      case 'retrieve':
        return this.#retrieve(secret);
      default:
        return undefined;
    }
  }

  /** Exchanges a card number for a single-use token that the page may hold. */
  #tokenize(cardNumber: string): string {
    const token = newId('tok');
    this.#tokens.set(token, cardNumber);
    return token;
  }

  confirm(clientSecret: string, cardNumber: string): ConfirmOutcome {
    return this.#outcome(clientSecret, (intent, world) => {
      const card = cardFor(cardNumber);
      if (isSetup(intent)) confirmSetup(world, intent, card);
      else confirm(world, intent, card);
    });
  }

  authenticate(clientSecret: string, approve: boolean): ConfirmOutcome {
    return this.#outcome(clientSecret, (intent, world) => {
      if (isSetup(intent)) authenticateSetup(world, intent, approve);
      else authenticate(world, intent, approve);
    });
  }

  #retrieve(clientSecret: string): ConfirmOutcome {
    const intent = this.#find(clientSecret);
    return 'error' in intent ? intent : outcomeOf(intent);
  }

  #find(clientSecret: string): Intent | { error: ErrorBody } {
    const id = clientSecret.split('_secret_')[0] ?? '';
    const kind = id.startsWith('seti_') ? 'setup_intent' : 'payment_intent';
    const intent = find(this.#world, kind, id);
    if (intent?.client_secret === clientSecret) return intent;
    const error: ErrorBody = intent
      ? {
          type: 'invalid_request_error',
          code: `${kind}_invalid_parameter`,
          param: 'client_secret',
          message: 'The client_secret provided does not match the one of the intent.',
        }
      : noSuch(kind, id, 'intent').body;
    return { error };
  }

  #outcome(clientSecret: string, act: (intent: Intent, world: World) => void): ConfirmOutcome {
    const intent = this.#find(clientSecret);
    if ('error' in intent) return intent;
    let failure: ErrorBody | null = null;
    try {
      act(intent, this.#world);
      if (intent.status === 'requires_payment_method')
        failure = isSetup(intent) ? intent.last_setup_error : intent.last_payment_error;
    } catch (error) {
      if (!(error instanceof StripeFailure)) throw error;
      failure = error.body;
    }
    if (!failure) return outcomeOf(intent);
    return { error: { ...failure, [intent.object]: viewOf(intent) } };
  }
}
