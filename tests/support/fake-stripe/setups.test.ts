import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { failureOf, openShop, type Shop, secretOf, subscribe, typesOf } from './test-kit.ts';

const ok = '4242424242424242';
const asks = '4000002500003155';
const asksAlways = '4000002760003184';
const refusedLater = '4000000000000341';

let shop: Shop;
let id: string;
beforeEach(async () => {
  shop = await openShop();
  const subscription = await subscribe(shop);
  shop.fake.confirmCard(secretOf(subscription), ok);
  id = subscription.id;
});
afterEach(() => shop.fake.close());

const setup = async () => {
  const made = await shop.stripe.setupIntents.create({
    customer: shop.customer.id,
    usage: 'off_session',
    allowed_payment_method_types: ['card'],
  });
  return { id: made.id, secret: made.client_secret ?? '' };
};
/** A card that is kept; gives the payment method. */
const kept = async (card: string): Promise<string> => {
  const made = await setup();
  const { setupIntent } = shop.fake.confirmCard(made.secret, card);
  if (setupIntent?.status === 'requires_action') shop.fake.authenticate(made.secret, true);
  return String((await shop.stripe.setupIntents.retrieve(made.id)).payment_method);
};

describe('a card for later', () => {
  it('is kept with the customer, and charged for nothing', async () => {
    const { fake } = shop;
    const before = fake.events.length;
    const { secret } = await setup();
    const { setupIntent } = fake.confirmCard(secret, '5555555555554444');
    expect(setupIntent).toMatchObject({ status: 'succeeded' });
    expect(setupIntent).not.toHaveProperty('customer');
    expect(typesOf(fake, before + 1)).toEqual([
      'payment_method.attached',
      'setup_intent.succeeded',
    ]);
    expect([...fake.state.payment_method.values()].at(-1)).toMatchObject({
      customer: shop.customer.id,
      card: { brand: 'mastercard', last4: '4444' },
    });
    const twice = { code: 'setup_intent_unexpected_state', setup_intent: { status: 'succeeded' } };
    expect(fake.confirmCard(secret, ok).error).toMatchObject(twice);
  });

  it('waits for the bank, and is not kept when that says no', async () => {
    const { fake, stripe } = shop;
    const { id: made, secret } = await setup();
    expect(fake.confirmCard(secret, asks).setupIntent?.status).toBe('requires_action');
    const no = fake.authenticate(secret, false).error?.code;
    expect(no).toBe('setup_intent_authentication_failure');
    expect(fake.confirmCard(secret, '4000000000000002').error?.code).toBe('card_declined');
    const refused = { payment_method: null, last_setup_error: { code: 'card_declined' } };
    expect(await stripe.setupIntents.retrieve(made)).toMatchObject(refused);
    expect(fake.authenticate(secret, true).error?.code).toBe('setup_intent_unexpected_state');
    expect(fake.confirmCard(`${secret}x`, ok).error?.code).toBe('setup_intent_invalid_parameter');
  });
});

it('charges the subscription’s own card, or the customer’s, and none of another customer', async () => {
  const { fake, stripe, customer } = shop;
  const method = await kept(ok);
  const settings = { invoice_settings: { default_payment_method: method } };
  await stripe.subscriptions.update(id, { default_payment_method: method });
  await stripe.customers.update(customer.id, settings);
  const expand = ['default_payment_method', 'customer.invoice_settings.default_payment_method'];
  expect(await stripe.subscriptions.retrieve(id, { expand })).toMatchObject({
    default_payment_method: { id: method, card: { brand: 'visa' } },
    customer: { invoice_settings: { default_payment_method: { id: method } } },
  });
  Object.assign(fake.state.subscription.get(id) ?? {}, { default_payment_method: null });
  expect(fake.renew(id, { pay: true })?.status).toBe('paid');
  const { data } = await stripe.charges.list({ customer: customer.id, limit: 1 });
  expect(data).toMatchObject([{ payment_method_details: { card: { last4: '4242' } } }]);
  const other = await stripe.customers.create({ name: 'Somebody else' });
  const stolen = await failureOf(stripe.customers.update(other.id, settings));
  expect(stolen.param).toBe('invoice_settings[default_payment_method]');
});

describe('paying an open invoice', () => {
  const overdue = () => shop.fake.renew(id, { pay: false })?.id ?? '';
  const pay = (invoice: string, payment_method: string) =>
    shop.stripe.invoices.pay(invoice, { payment_method });

  it('makes the subscription active, once', async () => {
    const invoice = overdue();
    const method = await kept(ok);
    expect(await pay(invoice, method)).toMatchObject({ status: 'paid' });
    expect(shop.fake.state.subscription.get(id)?.status).toBe('active');
    expect((await failureOf(pay(invoice, method))).message).toBe('Invoice is already paid');
  });

  it.each([
    [refusedLater, 'card_declined'],
    [asksAlways, 'invoice_payment_intent_requires_action'],
  ])('is refused by the bank: %s', async (card, code) => {
    const invoice = overdue();
    const error = await failureOf(pay(invoice, await kept(card)));
    expect(error).toMatchObject({ type: 'StripeCardError', statusCode: 402, code });
    expect(shop.fake.state.invoice.get(invoice)?.status).toBe('open');
    expect(await pay(invoice, await kept(asks))).toMatchObject({ status: 'paid' });
  });
});
