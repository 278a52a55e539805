import { browserPrefix } from './browser.ts';
import { challengePart, elementPart } from './stand-in-element.ts';
import { fieldPath } from './stand-in-field.ts';

/** The release of Stripe.js that the script stands in for. */
export const releaseTrain = 'endive';

const stripePart = `
const integrationError = (message) => Object.assign(new Error(message), { name: 'IntegrationError' });
const absent = (name) => () => {
  throw integrationError(name + ' is not supported by the stand-in for Stripe.js.');
};
const unreachable = { error: { type: 'api_connection_error', message: 'We are experiencing issues connecting to our payments provider. You have not been charged. Please check your internet connection and try again.' } };
const call = async (name, payload) => {
  try {
    const response = await fetch(api + name, { method: 'POST', body: JSON.stringify(payload) });
    return await response.json();
  } catch {
    return unreachable;
  }
};

const makeElements = () => {
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
    getElement: (asked) => made.get(asked.__elementType ?? asked) ?? null,
  };
};

const checkSecret = (secret, method, kinds = 'pi') => {
  if (typeof secret !== 'string' || !new RegExp('^(' + kinds + ')_[A-Za-z0-9]+_secret_[A-Za-z0-9]+$').test(secret)) {
    throw integrationError('Invalid value for stripe.' + method + ' intent secret: value should be a client secret of the form $' + '{id}_secret_$' + '{secret}. You specified: ' + secret + '.');
  }
};

function Stripe(key) {
  if (typeof key !== 'string' || !key.startsWith('pk_')) {
    throw integrationError('Please call Stripe() with your publishable key. You used an empty string, or a key that is not publishable.');
  }
  const tokenFrom = async (element) => {
    for (const type of Object.keys(titles)) {
      if (!element._siblings.get(type)?._state.complete) absent('a card that is not complete')();
    }
    const answer = await element._token(key);
    return answer ?? unreachable;
  };
  const confirmAs = async (method, kind, secret, { payment_method: given }, { handleActions = true } = {}) => {
    if (handleActions) absent(method + ' that handles actions')();
    checkSecret(secret, method, kind);
    const element = given.card;
    if (!(element instanceof StandInElement)) absent(method + ' without a card element')();
    if (element._type !== 'cardNumber') throw integrationError(method + ' takes the cardNumber element.');
    const token = await tokenFrom(element);
    if (token.error) return { error: token.error };
    return call('confirm', { key, client_secret: secret, token: token.id });
  };
  const stripe = {
    elements: makeElements,
    confirmCardPayment: (secret, data, options) => confirmAs('confirmCardPayment', 'pi', secret, data, options),
    confirmCardSetup: (secret, data, options) => confirmAs('confirmCardSetup', 'seti', secret, data, options),
    async handleNextAction({ clientSecret }) {
      checkSecret(clientSecret, 'handleNextAction', 'pi|seti');
      const outcome = await call('retrieve', { key, client_secret: clientSecret });
      const intent = outcome.paymentIntent ?? outcome.setupIntent;
      if (intent?.status !== 'requires_action') return outcome;
      return call('authenticate', { key, client_secret: clientSecret, approve: await challenge() });
    },
    async retrievePaymentIntent(secret) {
      checkSecret(secret, 'retrievePaymentIntent');
      return call('retrieve', { key, client_secret: secret });
    },
    async retrieveSetupIntent(secret) {
      checkSecret(secret, 'retrieveSetupIntent', 'seti');
      return call('retrieve', { key, client_secret: secret });
    },
  };
  // React's provider refuses a Stripe.js without these two.
  for (const name of ['createPaymentMethod', 'createToken']) stripe[name] = absent('stripe.' + name);
  return stripe;
}
Stripe.version = release;
window.Stripe = Stripe;
`;

const constants = `
const release = '${releaseTrain}';
const api = 'https://api.stripe.com${browserPrefix}';
const fieldOrigin = 'https://js.stripe.com';
const fieldPath = '${fieldPath}';
`;

/** Served instead of Stripe.js, by DOM calls that Trusted Types and a strict policy allow. */
export const stripeJsStandIn = `(() => {
'use strict';
${constants}${stripePart}${elementPart}${challengePart}
})();
`;
