import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  failureOf,
  invoiceIn,
  openShop,
  type Shop,
  secretOf,
  subscribe,
  typesOf,
} from './test-kit.ts';

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

const setup = () =>
  shop.stripe.setupIntents.create({
    customer: shop.customer.id,
    usage: 'off_session',
    allowed_payment_method_types: ['card'],
  });
/** A card that is kept; gives the payment method. */
const kept = async (card: string): Promise<string> => {
  const { id: made, client_secret } = await setup();
  shop.fake.confirmCard(client_secret ?? '', card);
  if (card !== ok) shop.fake.authenticate(client_secret ?? '', true);
  return String((await shop.stripe.setupIntents.retrieve(made)).payment_method);
};

describe('a card for later', () => {
  it('is kept with the customer, and charged for nothing', async () => {
    const { fake, stripe } = shop;
    const { id: made, client_secret, status } = await setup();
    expect(status).toBe('requires_payment_method');
    const before = fake.events.length;
    const { setupIntent } = fake.confirmCard(client_secret ?? '', '5555555555554444');
    expect(setupIntent).toMatchObject({ status: 'succeeded' });
    expect(setupIntent).not.toHaveProperty('customer');
    expect(typesOf(fake, before)).toEqual(['payment_method.attached', 'setup_intent.succeeded']);
    const { payment_method: method } = await stripe.setupIntents.retrieve(made);
    expect(fake.state.payment_method.get(String(method))).toMatchObject({
      customer: shop.customer.id,
      card: { brand: 'mastercard', last4: '4444' },
    });
    const twice = fake.confirmCard(client_secret ?? '', ok);
    expect(twice.error).toMatchObject({
      code: 'setup_intent_unexpected_state',
      setup_intent: { status: 'succeeded' },
    });
  });

  it('waits for the bank, and is not kept when that says no', async () => {
    const { fake, stripe } = shop;
    const { id: made, client_secret } = await setup();
    const secret = client_secret ?? '';
    expect(fake.confirmCard(secret, asks).setupIntent?.status).toBe('requires_action');
    expect(fake.authenticate(secret, false).error?.code).toBe(
      'setup_intent_authentication_failure',
    );
    expect(fake.confirmCard(secret, '4000000000000002').error).toMatchObject({
      code: 'card_declined',
      setup_intent: { status: 'requires_payment_method' },
    });
    expect(await stripe.setupIntents.retrieve(made)).toMatchObject({
      payment_method: null,
      last_setup_error: { code: 'card_declined' },
    });
    expect(fake.authenticate(secret, true).error?.code).toBe('setup_intent_unexpected_state');
    expect(fake.confirmCard(`${secret}x`, ok).error?.code).toBe('setup_intent_invalid_parameter');
    expect(fake.confirmCard('seti_none_secret_x', ok).error?.code).toBe('resource_missing');
  });
});

describe('the card that is charged', () => {
  it('is the subscription’s own, or the customer’s, and must belong to the customer', async () => {
    const { fake, stripe, customer } = shop;
    const method = await kept(ok);
    await stripe.subscriptions.update(id, { default_payment_method: method });
    const settings = { invoice_settings: { default_payment_method: method } };
    await stripe.customers.update(customer.id, settings);
    const read = await stripe.subscriptions.retrieve(id, {
      expand: ['default_payment_method', 'customer.invoice_settings.default_payment_method'],
    });
    expect(read).toMatchObject({
      default_payment_method: { id: method, card: { brand: 'visa' } },
      customer: { invoice_settings: { default_payment_method: { id: method } } },
    });
    Object.assign(fake.state.subscription.get(id) ?? {}, { default_payment_method: null });
    expect(fake.renew(id, { pay: true })?.status).toBe('paid');
    const other = await stripe.customers.create({ name: 'Somebody else' });
    expect(await failureOf(stripe.customers.update(other.id, settings))).toMatchObject({
      param: 'invoice_settings[default_payment_method]',
      code: 'resource_missing',
    });
    const none = stripe.subscriptions.update(id, { default_payment_method: 'pm_none' });
    expect(await failureOf(none)).toMatchObject({ param: 'default_payment_method' });
    const deep = stripe.subscriptions.retrieve(id, { expand: ['customer.invoice_settings'] });
    expect((await failureOf(deep)).message).toContain('cannot be expanded');
  });
});

describe('paying an open invoice', () => {
  const overdue = () => shop.fake.renew(id, { pay: false })?.id ?? '';
  const pay = (invoice: string, payment_method: string, idempotencyKey?: string) =>
    shop.stripe.invoices.pay(
      invoice,
      { payment_method },
      idempotencyKey ? { idempotencyKey } : undefined,
    );

  it('makes the subscription active, once', async () => {
    const invoice = overdue();
    const method = await kept(ok);
    expect(await pay(invoice, method, 'k')).toMatchObject({ status: 'paid' });
    expect(shop.fake.state.subscription.get(id)?.status).toBe('active');
    expect((await failureOf(pay(invoice, method))).message).toBe('Invoice is already paid');
    expect((await pay(invoice, method, 'k')).status).toBe('paid');
  });

  it('is refused by the bank, the same to the same key', async () => {
    const invoice = overdue();
    const { client_secret } = await setup();
    shop.fake.confirmCard(client_secret ?? '', refusedLater);
    const [method] = [...shop.fake.state.payment_method.keys()].slice(-1);
    const before = shop.fake.state.charge.size;
    for (let times = 0; times < 2; times += 1) {
      expect(await failureOf(pay(invoice, method ?? '', 'k'))).toMatchObject({
        type: 'StripeCardError',
        statusCode: 402,
        code: 'card_declined',
      });
    }
    expect(shop.fake.state.charge.size).toBe(before + 1);
    expect(shop.fake.state.invoice.get(invoice)?.status).toBe('open');
  });

  it('asks for the customer where the card always does', async () => {
    const error = await failureOf(pay(overdue(), await kept(asksAlways)));
    expect(error).toMatchObject({
      statusCode: 402,
      code: 'invoice_payment_intent_requires_action',
    });
    expect(shop.fake.eventsOf('invoice.payment_action_required')).toHaveLength(1);
    expect(await pay(overdue(), await kept(asks))).toMatchObject({ status: 'paid' });
  });

  it('wants an invoice that is open, and a card of its customer', async () => {
    const { stripe } = shop;
    const fresh = await subscribe(shop);
    const stranger = failureOf(pay(invoiceIn(fresh).id ?? '', 'pm_none'));
    expect(await stranger).toMatchObject({ param: 'payment_method', code: 'resource_missing' });
    await stripe.subscriptions.cancel(fresh.id);
    const error = await failureOf(pay(invoiceIn(fresh).id ?? '', await kept(ok)));
    expect(error.message).toContain('that is void');
    const open = await stripe.invoices.list({ subscription: id, status: 'open' });
    expect(open.data).toEqual([]);
  });
});
