/** A customer ends a plan, and Stripe refuses: the wish is never lost. */
import { afterEach, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { ownContent } from '../../support/own-content.ts';
import { ownPage } from '../../support/own-page.ts';
import { notesOf } from '../../support/saved-order.ts';
import {
  atStripe,
  paidOrder,
  seenByStaff,
  sharedShop,
  toldOf,
  WITH_MAIL,
} from '../../support/stripe-shop.ts';

const shop = sharedShop(WITH_MAIL);
const RELEASE = { method: 'POST', path: /^\/v1\/subscription_schedules\// };
afterEach(() => shop.fake.clearFaults());

/** A running plan for which staff have scheduled a change in Stripe's dashboard. */
async function scheduled() {
  shop.fake.autoDeliver(shop.webhook);
  const placed = await paidOrder(shop);
  const { ask } = await ownPage(shop.app, placed.orderId, placed.visitor);
  const subscription = await atStripe(shop, placed);
  shop.fake.scheduleChange(subscription.id);
  return { ...placed, ask, subscription };
}

test('a customer ends a plan for which staff have scheduled a change', async () => {
  const { ask, subscription } = await scheduled();
  const { status, json } = await ask('cancel');
  expect([status, json.order?.endsAt]).toEqual([200, expect.any(String)]);
  expect(subscription).toMatchObject({ cancel_at_period_end: true, schedule: null });
});

test('a customer keeps a plan after all for which staff have scheduled a change meanwhile', async () => {
  const { ask, subscription } = await scheduled();
  await ask('cancel');
  shop.fake.scheduleChange(subscription.id);
  const { status, json } = await ask('keep');
  expect([status, json.order?.endsAt]).toEqual([200, null]);
  expect(subscription).toMatchObject({ cancel_at: null, schedule: null });
});

test('a customer whose end Stripe refuses reads whom to call, and staff are told at each press', async () => {
  const { ask, subscription, ...placed } = await scheduled();
  for (const presses of [1, 2]) {
    shop.fake.failNext({ ...RELEASE, how: 'status-403' });
    const { status, json } = await ask('cancel');
    expect(status).toBe(409);
    expect(json.message).toContain(ownContent().company.phone.display);
    expect(json.message).not.toMatch(/permission|schedule|Stripe/);
    expect(await toldOf(shop, placed, 'order-end-wanted')).toHaveLength(presses);
  }
  expect(subscription.cancel_at_period_end).toBe(false);
  const notes = await notesOf(shop.app.database.db, placed.orderId);
  expect(notes).toContainEqual(expect.stringMatching(/^Refused: Set to end by the customer \(/));
  expect(notes).toContainEqual(
    expect.stringMatching(/The customer wants to end the plan, and Stripe refused/),
  );
});

test('a customer whose end of an overdue plan Stripe refuses is not told to wait for a bank', async () => {
  const { ask, subscription, ...placed } = await scheduled();
  shop.fake.renew(subscription.id, { pay: false });
  await shop.fake.settled();
  const path = /^\/v1\/subscriptions\//;
  shop.fake.failNext({ how: 'status-403', method: 'DELETE', path });
  const { status, json } = await ask('cancel');
  expect([status, json.message]).toEqual([409, expect.stringContaining('recorded')]);
  expect(await toldOf(shop, placed, 'order-end-wanted')).toEqual(['mail-staff']);
});

test('a customer’s end is not lost where Stripe refuses to say when the month ends', async () => {
  const { ask, subscription: _, ...placed } = await scheduled();
  const { running } = (await ask('')).json;
  shop.fake.failNext({ how: 'status-403', path: /^\/v1\/subscriptions\//, times: 9 });
  expect((await ask('cancel', { until: running.periodEnd })).status).toBe(409);
  expect(await toldOf(shop, placed, 'order-end-wanted')).toEqual(['mail-staff']);
});

test('why a plan ends is forgotten where its end was refused for now, or staff keep the plan at Stripe', async () => {
  const { ask, subscription, ...placed } = await scheduled();
  const reason = async () => (await seenByStaff(shop, placed.orderId)).endReason;
  shop.fake.failNext({ ...RELEASE, how: 'status-500', times: 9 });
  expect((await ask('cancel', { reason: 'price' })).status).toBe(503);
  expect(await reason()).toBeNull();
  shop.fake.clearFaults();
  expect((await ask('cancel', { reason: 'price' })).status).toBe(200);
  expect(await reason()).toBe('price');
  const kept = { cancel_at_period_end: false, cancel_at: null };
  shop.fake.editSubscription(subscription.id, (facts) => Object.assign(facts, kept));
  await eventually(async () => expect(await reason()).toBeNull());
});

test('staff are told once that Stripe does not end the plan of an order that is over', async () => {
  shop.fake.autoDeliver(shop.webhook);
  const placed = await paidOrder(shop);
  const staff = await shop.app.staff();
  const path = /^\/v1\/subscriptions\//;
  shop.fake.failNext({ how: 'status-403', method: 'DELETE', path, times: 9 });
  const refund = { amount: null };
  const { status } = await staff.move().post(`/api/admin/orders/${placed.orderId}/refund`, refund);
  expect(status).toBe(200);
  await expect.poll(() => toldOf(shop, placed, 'order-end-not-made')).toEqual(['mail-staff']);
  expect(await notesOf(shop.app.database.db, placed.orderId)).toContainEqual(
    expect.stringMatching(/^The order is over here, but Stripe refuses to end/),
  );
});
