import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FakeStripeOptions } from './fake-stripe.ts';
import { failureOf, openShop, type Shop, secretOf, subscribe, typesOf } from './test-kit.ts';

const start = Date.UTC(2027, 5, 1) / 1000;
const day = 86_400;
const month = 30 * day;
const refusedLater = '4000000000000341';

let shop: Shop;
let clock: string;
const open = async (options: FakeStripeOptions = {}) => {
  shop = await openShop({ now: () => start * 1000, ...options });
  const { id: customer } = shop.customer;
  const { testClocks } = shop.stripe.testHelpers;
  clock = (await testClocks.create({ frozen_time: start, customer, name: 'June' })).id;
};
beforeEach(() => open());
afterEach(() => shop.fake.close());

const advance = (frozen_time: number) =>
  shop.stripe.testHelpers.testClocks.advance(clock, { frozen_time });
const paid = async (): Promise<string> => {
  const subscription = await subscribe(shop);
  shop.fake.confirmCard(secretOf(subscription), '4242424242424242');
  return subscription.id;
};
const statusOf = (id: string) => shop.fake.state.subscription.get(id)?.status;
/** Its renewals are refused from now on. */
const spoil = async (id: string): Promise<void> => {
  const { client_secret } = await shop.stripe.setupIntents.create({
    customer: shop.customer.id,
    usage: 'off_session',
    allowed_payment_method_types: ['card'],
  });
  shop.fake.confirmCard(client_secret ?? '', refusedLater);
  const method = [...shop.fake.state.payment_method.keys()].at(-1) ?? '';
  await shop.stripe.subscriptions.update(id, { default_payment_method: method });
};

describe('a test clock', () => {
  it('answers before the time has passed, and then is ready', async () => {
    const { testClocks } = shop.stripe.testHelpers;
    expect(await advance(start + day)).toMatchObject({ status: 'advancing', frozen_time: start });
    expect(await testClocks.retrieve(clock)).toMatchObject({
      object: 'test_helpers.test_clock',
      status: 'ready',
      frozen_time: start + day,
      name: 'June',
    });
  });

  it('goes forward only, and no further than two months of a subscription', async () => {
    expect(await failureOf(advance(start))).toMatchObject({ param: 'frozen_time' });
    await paid();
    expect(await failureOf(advance(start + 62 * day))).toMatchObject({ param: 'frozen_time' });
    await advance(start + 61 * day);
    expect(await failureOf(advance(start + 60 * day))).toMatchObject({ statusCode: 400 });
  });

  it('is of one customer, who has no other', async () => {
    const { testClocks } = shop.stripe.testHelpers;
    const again = testClocks.create({ frozen_time: start, customer: shop.customer.id });
    expect(await failureOf(again)).toMatchObject({ param: 'customer' });
    expect(await failureOf(testClocks.retrieve('clock_none'))).toMatchObject({ statusCode: 404 });
    expect(await failureOf(advance(Number.NaN))).toMatchObject({ param: 'frozen_time' });
  });
});

describe('time', () => {
  it('is the clock’s for what belongs to its customer', async () => {
    await advance(start + day);
    const subscription = await subscribe(shop);
    expect(subscription).toMatchObject({ created: start + day, test_clock: clock });
    const other = await shop.stripe.customers.create({ name: 'Somebody else' });
    expect(other.created).toBe(start);
  });

  it('bills each month, an hour after it has begun', async () => {
    const id = await paid();
    const before = shop.fake.events.length;
    await advance(start + month);
    const [draft] = (await shop.stripe.invoices.list({ subscription: id })).data;
    expect(draft).toMatchObject({
      status: 'draft',
      number: null,
      automatically_finalizes_at: start + month + 3600,
    });
    await advance(start + month + 3600);
    const [renewal, first] = (await shop.stripe.invoices.list({ subscription: id })).data;
    expect(renewal).toMatchObject({ status: 'paid', period_end: start + month });
    expect([first?.number, renewal?.number]).toEqual([
      expect.stringMatching(/-0001$/),
      expect.stringMatching(/-0002$/),
    ]);
    expect(typesOf(shop.fake, before)).toEqual([
      'test_helpers.test_clock.advancing',
      'invoice.created',
      'customer.subscription.updated',
      'test_helpers.test_clock.ready',
      'test_helpers.test_clock.advancing',
      'invoice.finalized',
      'charge.succeeded',
      'payment_intent.succeeded',
      'invoice.paid',
      'invoice.payment_succeeded',
      'test_helpers.test_clock.ready',
    ]);
  });

  it('tries a failed payment again, and gives up as the account says', async () => {
    for (const [afterRetries, status] of [
      ['cancel', 'canceled'],
      ['unpaid', 'unpaid'],
      ['past_due', 'past_due'],
    ] as const) {
      await shop.fake.close();
      await open({ afterRetries });
      const id = await paid();
      await spoil(id);
      await advance(start + month + day);
      expect(statusOf(id)).toBe('past_due');
      const [invoice] = (await shop.stripe.invoices.list({ subscription: id })).data;
      expect(invoice).toMatchObject({
        attempt_count: 1,
        next_payment_attempt: start + month + 3600 + 3 * day,
      });
      await advance(start + month + 20 * day);
      expect(statusOf(id)).toBe(status);
      expect(shop.fake.state.invoice.get(invoice?.id ?? '')).toMatchObject({
        attempt_count: 4,
        next_payment_attempt: null,
      });
    }
  });

  it('bills, but does not charge, who is unpaid', async () => {
    await shop.fake.close();
    await open({ afterRetries: 'unpaid' });
    const id = await paid();
    await spoil(id);
    await advance(start + 55 * day);
    const charges = shop.fake.state.charge.size;
    await advance(start + 65 * day);
    const [newest] = (await shop.stripe.invoices.list({ subscription: id })).data;
    expect(newest).toMatchObject({ status: 'draft', automatically_finalizes_at: null });
    expect(shop.fake.state.charge.size).toBe(charges);
  });

  it('ends what is to end, and what nobody has paid', async () => {
    const [id, never] = [await paid(), (await subscribe(shop)).id];
    await shop.stripe.subscriptions.update(id, { cancel_at_period_end: true });
    await advance(start + day);
    expect([statusOf(id), statusOf(never)]).toEqual(['active', 'incomplete_expired']);
    await advance(start + month);
    expect(shop.fake.state.subscription.get(id)).toMatchObject({
      status: 'canceled',
      ended_at: start + month,
    });
    const other = await paid();
    Object.assign(shop.fake.state.subscription.get(other) ?? {}, { cancel_at: start + 35 * day });
    await advance(start + 36 * day);
    expect(statusOf(other)).toBe('canceled');
    expect((await shop.stripe.invoices.list({ subscription: other })).data).toHaveLength(1);
  });
});
