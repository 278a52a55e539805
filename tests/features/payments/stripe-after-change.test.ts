/** An order still follows Stripe after the customer has changed the plan. */
import { expect, test, vi } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { ownPage, shownPrice } from '../../support/own-page.ts';
import { notesOf } from '../../support/saved-order.ts';
import { atStripe, eventsDuring, paidOrder, rowOf, sharedShop } from '../../support/stripe-shop.ts';

const shop = sharedShop();

/** Pays for Professional with 20 users and backup, then adds two users. */
async function changedOrder() {
  shop.fake.autoDeliver(shop.webhook);
  const { orderId: id, visitor } = await paidOrder(shop);
  const { ask, change } = await ownPage(shop.app, id, visitor);
  const seats = { users: 22, backup: true };
  await change({ ...seats, from: { users: 20, backup: true } });
  const changed = { amountCents: 123_390, totalCents: 123_390 };
  expect((await rowOf(shop, id)).subscription).toMatchObject(changed);
  const subscription = await atStripe(shop, { orderId: id });
  return {
    ...{ id, seats, change, subscription, ask },
    /** What a call answers that succeeds. */
    read: async (what: string, body: object = {}) => {
      const { status, json } = await ask(what, body);
      expect([what, status, json.message]).toEqual([what, 200, undefined]);
      return json;
    },
    /** The plan has run for an hour since it was changed. */
    anHourPasses() {
      for (const item of subscription.items.data) item.current_period_start -= 3_600;
      subscription.metadata.changedAt = '';
    },
  };
}

test('a customer who cancels twice reads when the plan ends, and after undoing it that it goes on', async () => {
  const { id, read } = await changedOrder();
  const { order: canceled, running } = await read('cancel');
  expect(canceled.endsAt).toBe(running.periodEnd);
  expect((await read('cancel')).order.endsAt).toBe(running.periodEnd);
  expect((await read('keep')).order.endsAt).toBeNull();
  const notes = await notesOf(shop.app.database.db, id);
  expect(notes.filter((note) => note.startsWith('Set to end'))).toHaveLength(1);
  expect(notes).not.toContainEqual(expect.stringContaining('the order for'));
});

test('a customer who raises the plan and lowers it as of the same moment pays for the minutes in between', async () => {
  const { seats, anHourPasses, ask, read, change } = await changedOrder();
  anHourPasses();
  const raised = { users: 1000, backup: true };
  const raise = { ...raised, from: seats };
  const shown = await read('preview', raise);
  const at = new Date(Date.parse(shown.at) - 600_000).toISOString();
  // Ten minutes have passed since the price was shown.
  await read('change', { ...raise, at, next: shown.next.total + 10 });
  const before = (await read('')).running.next.total;
  const lower = { ...seats, from: raised };
  const asOfThen = { ...lower, ...shownPrice(await read('preview', lower)), at };
  expect((await ask('change', asOfThen)).status).toBe(409);
  const { shown: back } = await change(lower);
  const { running, order } = await read('');
  expect(before).toBeGreaterThan(order.amount);
  expect(running.next.total).toBe(back.next.total);
  expect(running.next.total).toBeGreaterThan(order.amount + 3);
});

test('a customer moves to another plan and license, and Stripe bills to the cent what was shown', async () => {
  const { id, seats, subscription, read, change } = await changedOrder();
  const other = { planId: 3, ms365Option: 'e3', users: 5, backup: false };
  const none = { planId: 2, ms365Option: 'none', users: 0, backup: false };
  expect((await change({ ...none, from: seats })).now.order.ms365Option).toBe('none');
  const { shown, now } = await change({ ...other, from: none });
  expect(now.order).toMatchObject({ planId: 3, planName: 'Enterprise', ms365Option: 'e3' });
  const kinds = now.order.price.lines.map(({ kind }: { kind: string }) => kind);
  expect([kinds, now.order.amount]).toEqual([['plan', 'microsoft365'], shown.monthly]);
  const products = subscription.items.data.map(({ price }) => price.product);
  expect(products).toEqual(['plan_3', 'microsoft365_e3']);
  const bill = shop.fake.renew(subscription.id, { pay: true });
  expect(bill?.amount_due).toBe(Math.round(shown.next.total * 100));
  await eventually(async () => {
    const [paid] = (await read('')).payments;
    expect(paid).toMatchObject({ amount: shown.next.total, lines: now.order.price.lines });
  });
  const notes = await notesOf(shop.app.database.db, id);
  expect(notes.filter((note) => /Added|Removed|Price changed/.test(note))).toEqual([]);
});

test.each([10, 60, 300])(
  'a customer who reads for %i seconds confirms fewer users at the price that was shown',
  async (seconds) => {
    const { seats, anHourPasses, subscription, read, change } = await changedOrder();
    anHourPasses();
    const many = { users: 1000, backup: true };
    await change({ ...many, from: seats });
    subscription.metadata.changedAt = '';
    const fewer = { users: 600, backup: true, from: many };
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - seconds * 1000 });
    const shown = await read('preview', fewer).finally(() => vi.useRealTimers());
    const { running } = await read('change', { ...fewer, ...shownPrice(shown) });
    expect(running.next.total).toBe(shown.next.total);
  },
);

test('a receipt shows the month that was paid, even after many changes, and if its event arrives after another', async () => {
  const { seats, subscription, read, change } = await changedOrder();
  const more = { users: 30, backup: true };
  // Their prorations fill the first page of the invoice's lines.
  await change({ ...more, from: seats });
  await change({ ...seats, from: more });
  await shop.fake.settled();
  shop.fake.autoDeliver(null);
  const [first] = subscription.items.data;
  const [start, end] = [first?.current_period_start ?? 0, first?.current_period_end ?? 0];
  // As if a month had passed, so that the next one starts now.
  const passed = end - start + 5;
  for (const item of subscription.items.data) {
    item.current_period_start -= passed;
    item.current_period_end -= passed;
  }
  subscription.billing_cycle_anchor = start - passed;
  for (const invoice of shop.fake.state.invoice.values())
    if (invoice.parent.subscription_details.subscription === subscription.id)
      invoice.created -= passed;
  const held = await eventsDuring(shop, () => shop.fake.renew(subscription.id, { pay: true }));
  await change({ users: 5, backup: false, from: seats });
  await shop.fake.deliver(held, { to: shop.webhook });
  const { payments } = await read('');
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
