import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  failureOf,
  intentOf,
  invoiceIn,
  monthly,
  openShop,
  type Shop,
  secretOf,
  subscribe,
  typesOf,
} from './test-kit.ts';

const ok = '4242424242424242';

let shop: Shop;
beforeEach(async () => {
  // The 31st: a month later must be the last of February, not the third of March.
  shop = await openShop({ now: () => Date.UTC(2027, 0, 31, 12), taxPercent: 8 });
});
afterEach(() => shop.fake.close());

const stateOf = (id: string) => shop.fake.state.subscription.get(id);

describe('the first payment', () => {
  it('goes from incomplete to active', async () => {
    const { fake, stripe } = shop;
    const subscription = await subscribe(shop);
    expect(subscription.status).toBe('incomplete');
    expect(subscription.items.data.map(({ quantity }) => quantity)).toEqual([1, 4]);
    expect(subscription.items.data[0]?.price.unit_amount_decimal?.toString()).toBe('29900');
    const invoice = invoiceIn(subscription);
    expect(invoice).toMatchObject({ status: 'open', amount_due: 34_900 });
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
    const again = await stripe.subscriptions.retrieve(subscription.id);
    expect(again.status).toBe('active');
    expect(fake.state.payment_method.get(String(again.default_payment_method))).toMatchObject({
      card: { last4: '4242' },
      billing_details: { name: 'Pat Buyer' },
    });
    const bills = { subscription: subscription.id, expand: ['data.payments'] };
    expect((await stripe.invoices.list(bills)).data[0]).toMatchObject({
      status: 'paid',
      parent: { subscription_details: { metadata: { orderId: '7' } } },
      payments: { data: [{ status: 'paid', payment: { payment_intent: intentOf(subscription) } }] },
    });
  });

  it('survives declined cards and takes another one for the same subscription', async () => {
    const { fake } = shop;
    const secret = secretOf(await subscribe(shop));
    const before = fake.events.length;
    const declined = (card: string) => fake.confirmCard(secret, card).error;
    expect(declined('4000000000000002')).toMatchObject({
      type: 'card_error',
      code: 'card_declined',
      payment_intent: { status: 'requires_payment_method' },
    });
    expect(typesOf(fake, before)).toEqual([
      'charge.failed',
      'payment_intent.payment_failed',
      'invoice.payment_failed',
    ]);
    expect(declined('4000 0000 0000 9995')?.decline_code).toBe('insufficient_funds');
    expect(declined('4111111111111111')?.decline_code).toBe('test_mode_live_card');
    expect(declined('4242424242424241')?.code).toBe('incorrect_number');
    expect(fake.confirmCard(`${secret}x`, ok).error?.type).toBe('invalid_request_error');
    expect(fake.confirmCard(secret, ok).paymentIntent?.status).toBe('succeeded');
    expect(declined(ok)?.code).toBe('payment_intent_unexpected_state');
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
    const refused = fake.authenticate(secret, false).error?.code;
    expect(refused).toBe('payment_intent_authentication_failure');
    fake.confirmCard(secret, card);
    expect(fake.authenticate(secret, true).paymentIntent?.status).toBe('succeeded');
    expect(stateOf(subscription.id)?.status).toBe('active');
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
    const late = fake.confirmCard(secretOf(first), ok).error?.code;
    expect(late).toBe('payment_intent_unexpected_state');
    const second = await subscribe(shop);
    expect((await stripe.subscriptions.cancel(second.id)).status).toBe('incomplete_expired');
  });

  it('is not needed when nothing is due, and has the tax of a place added', async () => {
    const { stripe, customer } = shop;
    const create = (id: string, quantity: number) =>
      stripe.subscriptions.create({
        customer: id,
        items: [{ price_data: monthly('prod_base', 29_900), quantity }],
        payment_behavior: 'default_incomplete',
        automatic_tax: { enabled: true },
        expand: ['latest_invoice.confirmation_secret'],
      });
    const free = await create(customer.id, 0);
    expect(free.status).toBe('active');
    expect(invoiceIn(free).confirmation_secret).toBeNull();
    const taxed = invoiceIn(await create(customer.id, 1));
    expect(taxed).toMatchObject({ total: 32_292, total_excluding_tax: 29_900 });
    for (const address of [undefined, { country: 'US', postal_code: '00000' }]) {
      const nowhere = await stripe.customers.create({ name: 'Nowhere', address });
      const refused = await failureOf(create(nowhere.id, 1));
      expect(refused.code).toBe('customer_tax_location_invalid');
    }
  });
});

describe('afterwards', () => {
  let id: string;
  let intent: string;
  beforeEach(async () => {
    const subscription = await subscribe(shop);
    shop.fake.confirmCard(secretOf(subscription), ok);
    id = subscription.id;
    intent = intentOf(subscription);
  });
  const endOf = (): string =>
    new Date((stateOf(id)?.items.data[0]?.current_period_end ?? 0) * 1000)
      .toISOString()
      .slice(0, 10);

  it('renews month by month from the anchor', () => {
    const { fake } = shop;
    expect(endOf()).toBe('2027-02-28');
    const before = fake.events.length;
    const renewed = { billing_reason: 'subscription_cycle', status: 'paid', amount_paid: 34_900 };
    expect(fake.renew(id, { pay: true })).toMatchObject(renewed);
    expect(endOf()).toBe('2027-03-31');
    expect(typesOf(fake, before)).toEqual([
      'customer.subscription.updated',
      'charge.succeeded',
      'payment_intent.succeeded',
      'invoice.paid',
      'invoice.payment_succeeded',
    ]);
  });

  it('is past due after a refused renewal, and active again when a later attempt succeeds', () => {
    const invoice = shop.fake.renew(id, { pay: false });
    expect(stateOf(id)?.status).toBe('past_due');
    expect(invoice).toMatchObject({ status: 'open', attempted: true });
    shop.fake.retryInvoice(invoice?.id ?? '', { pay: true });
    expect(stateOf(id)?.status).toBe('active');
  });

  it('ends at the period end when asked to, and at once when cancelled', async () => {
    const { fake, stripe } = shop;
    await stripe.subscriptions.update(id, { cancel_at_period_end: true });
    expect(fake.renew(id, { pay: true })).toBeNull();
    expect(stateOf(id)?.status).toBe('canceled');
    expect(fake.events.at(-1)?.type).toBe('customer.subscription.deleted');
    expect((await failureOf(stripe.subscriptions.cancel(id))).code).toBe('resource_missing');
  });

  it('refunds in parts, then the rest, then no more', async () => {
    const { fake, stripe } = shop;
    const refund = (amount?: number) =>
      stripe.refunds.create({ payment_intent: intent, amount, expand: ['charge'] });
    expect(await refund(10_000)).toMatchObject({ amount: 10_000, charge: { refunded: false } });
    expect(fake.events.at(-1)?.type).toBe('charge.refunded');
    expect((await failureOf(refund(30_000))).param).toBe('amount');
    const all = { refunded: true, amount_refunded: 34_900 };
    expect(await refund()).toMatchObject({ amount: 24_900, charge: all });
    expect((await failureOf(refund())).code).toBe('charge_already_refunded');
  });

  it('tells of a dispute, and how it ended', async () => {
    const { fake, stripe } = shop;
    const { id: dispute, charge } = fake.openDispute(intent);
    expect(fake.events.at(-1)?.type).toBe('charge.dispute.created');
    const refused = await failureOf(stripe.refunds.create({ payment_intent: intent }));
    expect(refused.code).toBe('charge_disputed');
    fake.closeDispute(dispute, 'lost');
    expect(fake.events.at(-1)?.type).toBe('charge.dispute.closed');
    const { data } = await stripe.disputes.list({ charge });
    expect(data).toMatchObject([{ id: dispute, status: 'lost' }]);
    expect(await stripe.charges.retrieve(charge)).toMatchObject({ disputed: true });
  });
});
