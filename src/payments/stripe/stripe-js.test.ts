/** What a customer is told of a card: when it pays, and when it is kept for later. */
import type { Stripe, StripeCardNumberElement } from '@stripe/stripe-js';
import { describe, expect, test } from 'vitest';
import { clientOf, newOrders } from '../../../tests/support/order-at-stripe.ts';
import {
  ASKS,
  DECLINES,
  GOOD,
  openSubscriptions,
  runningOrder,
} from '../../../tests/support/running-subscription.ts';
import { sharedShop } from '../../../tests/support/stripe-shop.ts';
import { confirmCard } from './stripe-js.ts';

const shop = sharedShop();
const newOrder = newOrders(shop);
const BILLING = {
  name: 'Pat Buyer',
  email: 'pat@example.com',
  phone: null,
  company: null,
  postalCode: '30301',
};

/** Stripe.js with this number in its fields; the customer answers the bank so. */
function typed(number: string, approve = true) {
  const asked: boolean[] = [];
  const sent: unknown[] = [];
  const { fake } = shop;
  const confirm = async (secret: string, data: { payment_method: object }, options: object) => {
    sent.push(data.payment_method, options);
    return fake.confirmCard(secret, number);
  };
  const stripe = {
    confirmCardPayment: confirm,
    confirmCardSetup: confirm,
    async handleNextAction({ clientSecret }: { clientSecret: string }) {
      expect(asked).toEqual([true]);
      return fake.authenticate(clientSecret, approve);
    },
  } as unknown as Stripe;
  const card = {} as StripeCardNumberElement;
  const onAsking = (asking: boolean) => asked.push(asking);
  return { entered: { stripe, card, billing: BILLING, onAsking }, asked, sent };
}

async function paymentSecret(): Promise<string> {
  const begun = await openSubscriptions(shop).gateway.start(await newOrder());
  return typeof begun === 'string' ? begun : (begun.clientSecret ?? '');
}

async function setupSecret(): Promise<string> {
  const { order } = await runningOrder(shop, newOrder);
  const begun = await openSubscriptions(shop).subscriptions.startCard(order);
  return begun === 'unavailable' || 'refused' in begun ? '' : begun.clientSecret;
}

const DECIDED = { kind: 'decided' };
const refused = (words: string) => ({ kind: 'refused', message: expect.stringContaining(words) });

describe.each([
  ['a payment', paymentSecret, 'did not confirm the payment', 'payment_intent'],
  ['a card for later', setupSecret, 'did not confirm the card', 'setup_intent'],
] as const)('%s', (_what, secretFor, words, kind) => {
  const succeeded = (secret: string) =>
    kind === 'setup_intent'
      ? clientOf(shop).setupIntents.retrieve(secret.split('_secret_')[0] ?? '')
      : clientOf(shop).paymentIntents.retrieve(secret.split('_secret_')[0] ?? '');

  test('is decided by a good card, also when it is confirmed twice', async () => {
    const secret = await secretFor();
    const { entered, asked, sent } = typed(GOOD);
    expect(await confirmCard(secret, entered)).toEqual(DECIDED);
    expect(await succeeded(secret)).toMatchObject({ status: 'succeeded' });
    expect(await confirmCard(secret, entered)).toEqual(DECIDED);
    expect(asked).toEqual([]);
    const details = {
      name: BILLING.name,
      email: BILLING.email,
      address: { country: 'US', postal_code: '30301' },
    };
    expect(sent[0]).toMatchObject({ billing_details: details });
    expect(sent[1]).toEqual({ handleActions: false });
  });

  test('that the bank declines', async () => {
    const { entered } = typed(DECLINES);
    const outcome = await confirmCard(await secretFor(), entered);
    expect(outcome).toEqual(refused('Your card was declined.'));
  });

  test('that the customer confirms, and does not', async () => {
    const yes = typed(ASKS);
    expect(await confirmCard(await secretFor(), yes.entered)).toEqual(DECIDED);
    expect(yes.asked).toEqual([true, false]);
    const no = typed(ASKS, false);
    expect(await confirmCard(await secretFor(), no.entered)).toEqual(refused(words));
    expect(no.asked).toEqual([true, false]);
  });

  test('of a customer of whom no more is known', async () => {
    const { entered, sent } = typed(GOOD);
    const billing = { ...BILLING, phone: '770 555 0100', postalCode: null };
    await confirmCard(await secretFor(), { ...entered, billing });
    const { name, email, phone } = billing;
    expect(sent[0]).toHaveProperty('billing_details', { name, email, phone });
  });

  test('that breaks off while the bank asks is a fault, not the card’s', async () => {
    const { entered, asked } = typed(ASKS);
    const error = { type: 'api_connection_error' };
    Object.assign(entered.stripe, { handleNextAction: async () => ({ error }) });
    const confirmed = confirmCard(await secretFor(), entered);
    await expect(confirmed).rejects.toThrow('api_connection_error');
    expect(asked).toEqual([true, false]);
  });

  test('that Stripe does not know is a fault, not the card’s', async () => {
    const { entered } = typed(GOOD);
    const secret = `${(await secretFor()).split('_secret_')[0]}_secret_other`;
    await expect(confirmCard(secret, entered)).rejects.toThrow('invalid_parameter');
  });
});
