/** An order still follows Stripe after the customer has changed the plan. */
import { expect, test, vi } from 'vitest';
import { linkOf, shownPrice } from '../../support/own-page.ts';
import { notesOf } from '../../support/saved-order.ts';
import { eventsDuring, paidOrder, rowOf, sharedShop } from '../../support/stripe-shop.ts';

const shop = sharedShop();

/** Pays for Professional with 20 users and backup, then adds two users. */
async function changedOrder() {
  const { fake, app } = shop;
  fake.autoDeliver(shop.webhook);
  const started = await paidOrder(shop);
  const { token } = await linkOf(app, started.orderId);
  const ask = async (what: string, body: object = {}) => {
    const { status, json } = await started.visitor.post(`/api/order-page${what && `/${what}`}`, {
      token,
      ...body,
    });
    expect([what, status, json.message]).toEqual([what, 200, undefined]);
    return json;
  };
  const change = async (wanted: object) =>
    ask('change', { ...wanted, ...shownPrice(await ask('preview', wanted)) });
  const seats = { users: 22, backup: true, from: { users: 20, backup: true } };
  await change(seats);
  const changed = { amountCents: 123_390, totalCents: 123_390 };
  expect((await rowOf(shop, started.orderId)).subscription).toMatchObject(changed);
  return { id: started.orderId, visitor: started.visitor, ask, change, seats };
}

test('a customer who cancels twice reads when the plan ends, and after undoing it that it goes on', async () => {
  const { id, ask } = await changedOrder();
  const { order: canceled, running } = await ask('cancel');
  expect(canceled.endsAt).toBe(running.periodEnd);
  expect((await ask('cancel')).order.endsAt).toBe(running.periodEnd);
  expect((await ask('keep')).order.endsAt).toBeNull();
  const notes = await notesOf(shop.app.database.db, id);
  expect(notes.filter((note) => note.endsWith('by the customer'))).toHaveLength(1);
  expect(notes).not.toContainEqual(expect.stringContaining('the order for'));
});

test('a customer who raises the plan and lowers it as of the same moment pays for the minutes in between', async () => {
  const { id, visitor, ask, seats } = await changedOrder();
  const { subscriptionId } = (await rowOf(shop, id)).subscription;
  const subscription = shop.fake.state.subscription.get(subscriptionId ?? '');
  for (const item of subscription?.items.data ?? []) item.current_period_start -= 3_600;
  Object.assign(subscription?.metadata ?? {}, { changedAt: '' });
  const held = { users: seats.users, backup: seats.backup };
  const raised = { users: 1000, backup: true };
  const raise = { ...raised, from: held };
  const shown = await ask('preview', raise);
  const at = new Date(Date.parse(shown.at) - 600_000).toISOString();
  // Ten minutes have passed since the price was shown.
  await ask('change', { ...raise, at, next: shown.next.total + 10 });
  const before = (await ask('')).running.next.total;
  const lower = { ...held, from: raised };
  const back = await ask('preview', lower);
  const { token } = await linkOf(shop.app, id);
  const asOfThen = { token, ...lower, ...shownPrice(back), at };
  expect((await visitor.post('/api/order-page/change', asOfThen)).status).toBe(409);
  await ask('change', { ...lower, ...shownPrice(back) });
  const { running, order } = await ask('');
  expect(before).toBeGreaterThan(order.amount);
  expect(running.next.total).toBe(back.next.total);
  expect(running.next.total).toBeGreaterThan(order.amount + 3);
});

test.each([10, 60, 300])(
  'a customer who reads for %i seconds confirms fewer users at the price that was shown',
  async (seconds) => {
    const { id, ask } = await changedOrder();
    const { subscriptionId } = (await rowOf(shop, id)).subscription;
    const subscription = shop.fake.state.subscription.get(subscriptionId ?? '');
    // The plan has run for an hour.
    for (const item of subscription?.items.data ?? []) item.current_period_start -= 3_600;
    Object.assign(subscription?.metadata ?? {}, { changedAt: '' });
    const from = { users: 22, backup: true };
    const many = { users: 1000, backup: true };
    await ask('change', { ...many, from, ...shownPrice(await ask('preview', { ...many, from })) });
    Object.assign(subscription?.metadata ?? {}, { changedAt: '' });
    const fewer = { users: 600, backup: true, from: many };
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - seconds * 1000 });
    const shown = await ask('preview', fewer).finally(() => vi.useRealTimers());
    const { running } = await ask('change', { ...fewer, ...shownPrice(shown) });
    expect(running.next.total).toBe(shown.next.total);
  },
);

test('a receipt shows the month that was paid, even after many changes, and if its event arrives after another', async () => {
  const { id, ask, change } = await changedOrder();
  const [before, more] = [
    { users: 22, backup: true },
    { users: 30, backup: true },
  ];
  // Their prorations leave no room for the month's own lines on the first page of the invoice's lines.
  await change({ ...more, from: before });
  await change({ ...before, from: more });
  const { subscriptionId } = (await rowOf(shop, id)).subscription;
  await shop.fake.settled();
  shop.fake.autoDeliver(null);
  const subscription = shop.fake.state.subscription.get(subscriptionId ?? '');
  const [first] = subscription?.items.data ?? [];
  const [start, end] = [first?.current_period_start ?? 0, first?.current_period_end ?? 0];
  // As if a month had passed, so that the next one starts now.
  const passed = end - start + 5;
  for (const item of subscription?.items.data ?? []) {
    item.current_period_start -= passed;
    item.current_period_end -= passed;
  }
  Object.assign(subscription ?? {}, { billing_cycle_anchor: start - passed });
  for (const invoice of shop.fake.state.invoice.values())
    if (invoice.parent.subscription_details.subscription === subscriptionId)
      invoice.created -= passed;
  const held = await eventsDuring(shop, () => shop.fake.renew(subscriptionId ?? '', { pay: true }));
  await change({ users: 5, backup: false, from: before });
  await shop.fake.deliver(held, { to: shop.webhook });
  const { payments } = await ask('');
  const lines = payments.map((each: { lines: { label: string; quantity: number }[] }) =>
    each.lines.map(({ label, quantity }) => [label, quantity]),
  );
  const month = (users: number) => [
    ['Professional', 1],
    ['Microsoft 365 Business Standard', users],
    [expect.stringMatching(/backup/i), users],
  ];
  expect(lines).toEqual([month(22), month(20)]);
});
