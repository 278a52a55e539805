import { cardFor } from './cards.ts';
import { docUrl, type ErrorBody, StripeFailure } from './errors.ts';
import { addressOf } from './objects-catalogue.ts';
import type { BillingDetails, PaymentIntent } from './objects-payment.ts';
import { addCard, authenticate, confirm, finishProcessing, startProcessing } from './payments.ts';
import { find, newId, type World } from './world.ts';

const shown = [
  'id',
  'object',
  'amount',
  'amount_details',
  'automatic_payment_methods',
  'canceled_at',
  'cancellation_reason',
  'capture_method',
  'client_secret',
  'confirmation_method',
  'created',
  'currency',
  'description',
  'last_payment_error',
  'livemode',
  'next_action',
  'payment_method',
  'payment_method_types',
  'processing',
  'receipt_email',
  'setup_future_usage',
  'shipping',
  'source',
  'status',
] as const satisfies readonly (keyof PaymentIntent)[];

/** What a publishable key may see of a payment intent: no customer, no metadata, no charge. */
type ClientPaymentIntent = Pick<PaymentIntent, (typeof shown)[number]>;

export type ConfirmOutcome =
  | { paymentIntent: ClientPaymentIntent; error?: undefined }
  | { error: ErrorBody; paymentIntent?: undefined };

export interface GivenBilling {
  name?: string | null;
  email?: string | null;
  phone?: string | null;
  address?: Parameters<typeof addressOf>[0] | null;
}

const clientView = (intent: PaymentIntent): ClientPaymentIntent =>
  structuredClone(
    Object.fromEntries(shown.map((key) => [key, intent[key]])),
  ) as ClientPaymentIntent;

const billingFrom = (given: GivenBilling | undefined): BillingDetails => ({
  address: given?.address == null ? null : addressOf(given.address),
  email: given?.email ?? null,
  name: given?.name ?? null,
  phone: given?.phone ?? null,
  tax_id: null,
});

/** What Stripe.js does in the customer's browser, resolving as its promises do: never rejecting. */
export class Browser {
  readonly #world: World;
  readonly #tokens = new Map<string, string>();

  constructor(world: World) {
    this.#world = world;
  }

  /** Turns a card number into a handle that a page may hold. */
  tokenize(cardNumber: string): string {
    const token = newId('tok');
    this.#tokens.set(token, cardNumber);
    return token;
  }

  /** `card` is a number, or a handle from `tokenize`, good for one use. */
  confirm(clientSecret: string, card: string, billing?: GivenBilling): ConfirmOutcome {
    return this.#outcome(clientSecret, (intent) => {
      const number = this.#tokens.get(card) ?? card;
      this.#tokens.delete(card);
      const behaviour = cardFor(number);
      if (behaviour === undefined) {
        throw new StripeFailure({
          status: 402,
          type: 'card_error',
          code: 'incorrect_number',
          param: 'number',
          message: 'Your card number is incorrect.',
        });
      }
      confirm(this.#world, intent, addCard(this.#world, behaviour, billingFrom(billing)));
    });
  }

  authenticate(clientSecret: string, approve: boolean): ConfirmOutcome {
    return this.#outcome(clientSecret, (intent) => authenticate(this.#world, intent, approve));
  }

  startProcessing(clientSecret: string): ConfirmOutcome {
    return this.#outcome(clientSecret, (intent) => startProcessing(this.#world, intent));
  }

  finishProcessing(clientSecret: string, succeeds: boolean): ConfirmOutcome {
    return this.#outcome(clientSecret, (intent) => finishProcessing(this.#world, intent, succeeds));
  }

  retrieve(clientSecret: string): ConfirmOutcome {
    const intent = this.#find(clientSecret);
    return 'error' in intent ? intent : { paymentIntent: clientView(intent) };
  }

  #find(clientSecret: string): PaymentIntent | { error: ErrorBody } {
    const id = clientSecret.split('_secret_')[0] ?? '';
    const intent = find(this.#world, 'payment_intent', id);
    if (intent?.client_secret === clientSecret) return intent;
    const known = intent !== undefined;
    return {
      error: {
        type: 'invalid_request_error',
        code: known ? 'payment_intent_invalid_parameter' : 'resource_missing',
        param: known ? 'client_secret' : 'intent',
        message: known
          ? 'The client_secret provided does not match the client_secret associated with the PaymentIntent.'
          : `No such payment_intent: '${id}'`,
      },
    };
  }

  #outcome(clientSecret: string, act: (intent: PaymentIntent) => void): ConfirmOutcome {
    const intent = this.#find(clientSecret);
    if ('error' in intent) return intent;
    try {
      act(intent);
    } catch (error) {
      if (!(error instanceof StripeFailure)) throw error;
      const { code } = error.body;
      const base = code === undefined ? error.body : { ...error.body, doc_url: docUrl(code) };
      return { error: { ...base, payment_intent: clientView(intent) } };
    }
    const failure = intent.status === 'requires_payment_method' ? intent.last_payment_error : null;
    if (failure === null) return { paymentIntent: clientView(intent) };
    return { error: { ...failure, payment_intent: clientView(intent) } };
  }
}
