import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  intentOf,
  invoiceIn,
  openShop,
  type Shop,
  secretOf,
  subscribe,
  typesOf,
} from './test-kit.ts';

let shop: Shop;
beforeEach(async () => {
  shop = await openShop();
});
afterEach(() => shop.fake.close());

const ok = '4242424242424242';

describe('the first payment', () => {
  it('goes from incomplete to active', async () => {
    const { fake, stripe } = shop;
    const subscription = await subscribe(shop);
    expect(subscription.status).toBe('incomplete');
    expect(subscription.livemode).toBe(false);
    expect(subscription).not.toHaveProperty('current_period_end');
    const [first, second] = subscription.items.data;
    expect(first?.current_period_end).toBeGreaterThan(first?.current_period_start ?? Number.NaN);
    expect(second?.quantity).toBe(4);
    expect(first?.price.unit_amount_decimal?.toString()).toBe('29900');
    const invoice = invoiceIn(subscription);
    expect(invoice).toMatchObject({
      status: 'open',
      amount_due: 34_900,
      billing_reason: 'subscription_create',
    });
    expect(invoice).not.toHaveProperty('payment_intent');
    expect(invoice.lines.data.map((line) => line.amount)).toEqual([29_900, 5000]);

    const before = fake.events.length;
    const outcome = fake.confirmCard(secretOf(subscription), ok, { name: 'Pat Buyer' });
    expect(outcome.paymentIntent?.status).toBe('succeeded');
    expect(outcome.paymentIntent).not.toHaveProperty('customer');
    expect(typesOf(fake, before)).toEqual([
      'charge.succeeded',
      'payment_intent.succeeded',
      'customer.subscription.updated',
      'invoice.paid',
      'invoice.payment_succeeded',
    ]);
    const paid = fake.eventsOf('invoice.paid')[0]?.object;
    expect(paid).toMatchObject({
      status: 'paid',
      parent: {
        subscription_details: { metadata: { orderId: '7' }, subscription: subscription.id },
      },
    });
    const again = await stripe.subscriptions.retrieve(subscription.id);
    expect(again.status).toBe('active');
    expect(fake.state.payment_method.get(String(again.default_payment_method))).toMatchObject({
      card: { last4: '4242' },
      billing_details: { name: 'Pat Buyer' },
    });
  });

  it('is found from its payment intent, and its charge from that', async () => {
    const { fake, stripe } = shop;
    const subscription = await subscribe(shop);
    fake.confirmCard(secretOf(subscription), ok);
    const payments = await stripe.invoicePayments.list({
      payment: { type: 'payment_intent', payment_intent: intentOf(subscription) },
      expand: ['data.invoice'],
    });
    expect(payments.data).toHaveLength(1);
    expect(payments.data[0]?.invoice).toMatchObject({
      id: invoiceIn(subscription).id,
      status: 'paid',
    });
    const intent = await stripe.paymentIntents.retrieve(intentOf(subscription), {
      expand: ['latest_charge'],
    });
    expect(intent.latest_charge).toMatchObject({ object: 'charge', paid: true, amount: 34_900 });
  });

  it('survives a declined card and takes another one for the same subscription', async () => {
    const { fake } = shop;
    const subscription = await subscribe(shop);
    const before = fake.events.length;
    const declined = fake.confirmCard(secretOf(subscription), '4000000000000002');
    expect(declined.error).toMatchObject({
      type: 'card_error',
      code: 'card_declined',
      decline_code: 'generic_decline',
      payment_intent: { status: 'requires_payment_method' },
    });
    expect(typesOf(fake, before)).toEqual([
      'charge.failed',
      'payment_intent.payment_failed',
      'invoice.payment_failed',
    ]);
    const poor = fake.confirmCard(secretOf(subscription), '4000 0000 0000 9995');
    expect(poor.error).toMatchObject({
      decline_code: 'insufficient_funds',
      message: 'Your card has insufficient funds.',
    });
    expect(fake.confirmCard(secretOf(subscription), ok).paymentIntent?.status).toBe('succeeded');
    expect(fake.subscriptionCount(shop.customer.id)).toBe(1);
    const twice = fake.confirmCard(secretOf(subscription), ok);
    expect(twice.error?.code).toBe('payment_intent_unexpected_state');
  });

  it('refuses a live card, a wrong number and a wrong secret', async () => {
    const { fake } = shop;
    const secret = secretOf(await subscribe(shop));
    expect(fake.confirmCard(secret, '4111111111111111').error?.decline_code).toBe(
      'test_mode_live_card',
    );
    expect(fake.confirmCard(secret, '4242424242424241').error?.code).toBe('incorrect_number');
    expect(fake.confirmCard(`${secret}x`, ok).error?.type).toBe('invalid_request_error');
    expect(fake.confirmCard('pi_none_secret_x', ok).error?.code).toBe('resource_missing');
  });

  it('waits for authentication', async () => {
    const card = '4000002500003155';
    const { fake } = shop;
    const subscription = await subscribe(shop);
    const secret = secretOf(subscription);
    const before = fake.events.length;
    expect(fake.confirmCard(secret, card).paymentIntent?.status).toBe('requires_action');
    expect(typesOf(fake, before)).toEqual([
      'payment_intent.requires_action',
      'invoice.payment_action_required',
    ]);
    expect(fake.authenticate(secret, false).error?.code).toBe(
      'payment_intent_authentication_failure',
    );
    expect(fake.state.subscription.get(subscription.id)?.status).toBe('incomplete');
    fake.confirmCard(secret, card);
    expect(fake.authenticate(secret, true).paymentIntent?.status).toBe('succeeded');
    expect(fake.state.subscription.get(subscription.id)?.status).toBe('active');
  });

  it('expires unpaid, and cancelling it unpaid does the same', async () => {
    const { fake, stripe } = shop;
    const first = await subscribe(shop);
    fake.expire(first.id);
    const expired = await stripe.subscriptions.retrieve(first.id, { expand: ['latest_invoice'] });
    expect(expired).toMatchObject({
      status: 'incomplete_expired',
      latest_invoice: { status: 'void' },
    });
    expect(fake.confirmCard(secretOf(first), ok).error?.code).toBe(
      'payment_intent_unexpected_state',
    );
    expect(fake.events.at(-1)).toMatchObject({ type: 'customer.subscription.updated' });
    const second = await subscribe(shop);
    expect((await stripe.subscriptions.cancel(second.id)).status).toBe('incomplete_expired');
  });

  it('is not needed when nothing is due', async () => {
    const { stripe, customer, base } = shop;
    const subscription = await stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: base.id, quantity: 0 }],
      expand: ['latest_invoice.confirmation_secret'],
    });
    expect(subscription.status).toBe('active');
    expect(invoiceIn(subscription).confirmation_secret).toBeNull();
  });
});

describe('automatic tax', () => {
  it('adds its percentage, and needs a place', async () => {
    const taxed = await openShop({ taxPercent: 8 });
    const { fake, stripe, customer, base } = taxed;
    const items = [{ price: base.id }];
    const create = (id: string) =>
      stripe.subscriptions.create({
        customer: id,
        items,
        payment_behavior: 'default_incomplete',
        automatic_tax: { enabled: true },
        expand: ['latest_invoice'],
      });
    expect(invoiceIn(await create(customer.id))).toMatchObject({
      total: 32_292,
      total_excluding_tax: 29_900,
    });
    for (const address of [undefined, { country: 'US', postal_code: '00000' }]) {
      const nowhere = await stripe.customers.create({ name: 'Nowhere', address });
      await expect(create(nowhere.id)).rejects.toMatchObject({
        code: 'customer_tax_location_invalid',
      });
    }
    await fake.close();
  });
});
