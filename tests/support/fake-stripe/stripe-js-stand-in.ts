import { challengePart, elementPart } from './stand-in-element.ts';
import { fieldPath } from './stand-in-field.ts';

/** The release of Stripe.js whose address and version this script answers to. */
export const releaseTrain = 'endive';

interface StandInScriptOptions {
  /** Where the page's policy lets scripts connect to; the interception carries it to the fake. */
  apiOrigin?: string;
  /** Where the fields are framed from. */
  fieldOrigin?: string;
}

const stripePart = `
const integrationError = (message) => Object.assign(new Error(message), { name: 'IntegrationError' });
const absent = (name) => () => {
  throw integrationError(name + ' is not modelled by this stand-in for Stripe.js.');
};
const call = async (name, payload) => {
  try {
    const response = await fetch(api + name, { method: 'POST', body: JSON.stringify(payload) });
    return await response.json();
  } catch {
    return { error: { type: 'api_connection_error', message: 'We are experiencing issues connecting to our payments provider. You have not been charged. Please check your internet connection and try again.' } };
  }
};
const incomplete = {
  cardNumber: ['incomplete_number', 'Your card number is incomplete.'],
  cardExpiry: ['incomplete_expiry', "Your card's expiration date is incomplete."],
  cardCvc: ['incomplete_cvc', "Your card's security code is incomplete."],
};
const typeOf = (asked) => (typeof asked === 'string' ? asked : asked && asked.__elementType);

const makeElements = (options) => {
  if (options && 'paymentMethodTypes' in options) throw integrationError('paymentMethodTypes is no longer supported. Use allowedPaymentMethodTypes instead.');
  const made = new Map();
  return {
    create(type, given) {
      if (!Object.hasOwn(titles, type)) absent('elements.create(' + JSON.stringify(type) + ')')();
      if (made.has(type)) throw integrationError('Can only create one Element of type ' + type + ' through elements().');
      const element = new StandInElement(type, given, () => made.delete(type));
      element._siblings = made;
      made.set(type, element);
      return element;
    },
    getElement: (asked) => made.get(typeOf(asked)) ?? null,
    update() {},
    fetchUpdates: async () => ({}),
    submit: async () => ({}),
  };
};

const checkSecret = (secret, method) => {
  if (typeof secret !== 'string' || !/^pi_[A-Za-z0-9]+_secret_[A-Za-z0-9]+$/.test(secret)) {
    throw integrationError('Invalid value for stripe.' + method + ' intent secret: value should be a client secret of the form $' + '{id}_secret_$' + '{secret}. You specified: ' + secret + '.');
  }
};

function Stripe(key, options) {
  if (typeof key !== 'string' || !key.startsWith('pk_')) {
    throw integrationError('Please call Stripe() with your publishable key. You used an empty string, or a key that is not publishable.');
  }
  const act = async (outcome, secret) => {
    if (outcome.paymentIntent?.status !== 'requires_action') return outcome;
    return call('authenticate', { key, client_secret: secret, approve: await challenge() });
  };
  const tokenFrom = async (element) => {
    for (const type of Object.keys(titles)) {
      const part = element._siblings.get(type);
      if (part && part._state.error) return { error: part._state.error };
      if (!part || !part._state.complete) {
        const [code, message] = incomplete[type];
        return { error: { type: 'validation_error', code, message } };
      }
    }
    const answer = await element._token(key);
    return answer?.id ? { id: answer.id } : { error: answer?.error ?? { type: 'api_connection_error', message: 'We are experiencing issues connecting to our payments provider. You have not been charged. Please check your internet connection and try again.' } };
  };
  const stripe = {
    _apiKey: key,
    _keyMode: key.startsWith('pk_test_') ? 'test' : 'live',
    _wrappers: [],
    _registerWrapper(info) { this._wrappers.push(info); },
    registerAppInfo(info) { this._appInfo = info; },
    elements: makeElements,
    async confirmCardPayment(secret, data, { handleActions = true } = {}) {
      checkSecret(secret, 'confirmCardPayment');
      if (data === undefined) return act(await call('retrieve', { key, client_secret: secret }), secret);
      const method = data.payment_method;
      const element = method && typeof method === 'object' ? method.card : undefined;
      if (!(element instanceof StandInElement)) absent('confirmCardPayment without a card element')();
      if (element._type !== 'cardNumber') throw integrationError('confirmCardPayment takes the cardNumber element.');
      const token = await tokenFrom(element);
      if (token.error) return { error: token.error };
      const outcome = await call('confirm', { key, client_secret: secret, token: token.id, billing_details: method.billing_details });
      return handleActions ? act(outcome, secret) : outcome;
    },
    async handleNextAction({ clientSecret }) {
      checkSecret(clientSecret, 'handleNextAction');
      return act(await call('retrieve', { key, client_secret: clientSecret }), clientSecret);
    },
    async retrievePaymentIntent(secret) {
      checkSecret(secret, 'retrievePaymentIntent');
      return call('retrieve', { key, client_secret: secret });
    },
  };
  for (const name of ['confirmPayment', 'confirmSetup', 'createConfirmationToken', 'createPaymentMethod', 'createSource', 'createToken', 'initCheckout', 'paymentRequest', 'redirectToCheckout']) {
    stripe[name] = absent('stripe.' + name);
  }
  return stripe;
}
Stripe.version = release;
window.Stripe = Stripe;
`;

/** The text served in the place of Stripe.js. Only DOM calls that trusted types and a strict style policy allow. */
export const stripeJsStandIn = (options: StandInScriptOptions = {}): string => {
  const constants = {
    release: releaseTrain,
    api: `${options.apiOrigin ?? 'https://api.stripe.com'}/__stand_in/`,
    fieldOrigin: options.fieldOrigin ?? 'https://js.stripe.com',
    fieldPath,
  };
  const declared = Object.entries(constants).map(
    ([name, value]) => `const ${name} = ${JSON.stringify(value)};`,
  );
  return `(() => {\n'use strict';\n${[...declared, stripePart, elementPart, challengePart].join('\n')}\n})();\n`;
};
