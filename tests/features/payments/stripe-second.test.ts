/** A second order for the same address: only the browser of the first is warned. */

import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { notesOf } from '../../support/saved-order.ts';
import { order, type Started, seenByStaff, sharedShop, submit } from '../../support/stripe-shop.ts';
import type { Answered } from '../../support/visitor.ts';

const shop = sharedShop();

const GOOD = '4242424242424242';
const newEmail = () => `${randomUUID()}@example.com`;

/** What the return page sends after paying. */
const returnFromPaying = ({ visitor, orderId }: Started) =>
  visitor.post(`/api/orders/${orderId}/update-status`, { status: 'processing' });

async function paidOrder(email: string): Promise<Started> {
  const placed = await order(shop, { email });
  shop.fake.confirmCard(placed.clientSecret, GOOD);
  expect((await returnFromPaying(placed)).json.status).toBe('paid');
  return placed;
}

const notes = (orderId: number) => notesOf(shop.app.database.db, orderId);

function expectWarning({ status, json }: Answered): void {
  const message =
    'A subscription of the Professional plan is already running for this email address. Nothing has been charged. To change it, please email or call us. To buy a second one, confirm it below.';
  expect([status, json]).toEqual([409, { message, errors: [{ path: 'another', message }] }]);
}

test('a buyer is warned before a second order, however the address is spelled, and may confirm it', async () => {
  const email = newEmail();
  const { visitor } = await paidOrder(email);
  const before = shop.fake.subscriptionCount();
  expectWarning(await submit(visitor, { email: email.toUpperCase() }));
  expect(shop.fake.subscriptionCount()).toBe(before);
  const confirmed = await submit(visitor, { email, another: true });
  expect(await notes(confirmed.json.orderId)).toEqual([
    'The buyer wants this beside a subscription that is running',
  ]);
});

test('a buyer is warned from the payment, even before its event, until the subscription ends', async () => {
  const email = newEmail();
  const first = await order(shop, { email });
  shop.fake.confirmCard(first.clientSecret, '4000000000000002');
  expect((await submit(first.visitor, { email })).status).toBe(200);
  shop.fake.confirmCard(first.clientSecret, GOOD);
  expectWarning(await submit(first.visitor, { email }));
  const { status, version } = await seenByStaff(shop, first.orderId);
  expect(status).toBe('paid');
  await shop.staff.post(`/api/admin/orders/${first.orderId}/cancel`, { when: 'now', version });
  expect((await submit(first.visitor, { email })).status).toBe(200);
});

test('a buyer can order beside an unpaid order of which Stripe cannot say whether it was paid', async () => {
  const email = newEmail();
  const { visitor } = await order(shop, { email });
  const path = /^\/v1\/subscriptions\/sub_/;
  shop.fake.failNext({ how: 'status-500', method: 'GET', path, times: 99 });
  expect((await submit(visitor, { email })).status).toBe(200);
  shop.fake.clearFaults();
});

test('another browser cannot find out about the running plan', async () => {
  const email = newEmail();
  await paidOrder(email);
  const known = await submit(shop.app.visitor(), { email });
  const unknown = await submit(shop.app.visitor(), { email: newEmail() });
  expect(known.status).toBe(200);
  expect(Object.keys(known.json)).toEqual(Object.keys(unknown.json));
});
