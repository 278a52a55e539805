/** A receipt's link shows an order. Changes need the buyer's browser or an access link. */
import { beforeEach, expect, test, vi } from 'vitest';
import { insertEvent } from '../../../src/billing/order-event-store.server.ts';
import { getOrder } from '../../../src/billing/order-store.server.ts';
import { accessLink as newAccessLink } from '../../../src/orders/order-access.server.ts';
import { orderLinks } from '../../../src/own-page/lost-link.server.ts';
import { cents } from '../../../src/platform/money.ts';
import { SAMPLE_ORDER } from '../../support/call-row.ts';
import { customer, NO_BACKUP, TEN_USERS } from '../../support/own-page.ts';
import { savedOrder, TEST_CAUSE } from '../../support/saved-order.ts';
import { sharedTestApp } from '../../support/test-app.ts';
import type { Visitor } from '../../support/visitor.ts';

const app = sharedTestApp();
let buyer: Awaited<ReturnType<typeof customer>>;
beforeEach(async () => {
  buyer = await customer(app);
});

async function accessLink(id = buyer.orderId) {
  const { db } = app.database;
  const order = await getOrder(db, { id });
  return parts(await newAccessLink({ db, publicUrl: app.address }, order));
}

function parts(url: string) {
  const [token = '', access = ''] = new URL(url).hash.slice(1).split('/access/');
  return { token, access };
}

const open = (visitor: Visitor, link: object) => visitor.post('/api/order-page/open', link);
const cancel = (visitor: Visitor, token = buyer.token) =>
  visitor.post('/api/order-page/cancel', { token });

test('a bookkeeper with the receipt’s link sees the payments and cannot change anything', async () => {
  const bookkeeper = app.visitor();
  const { token } = buyer;
  const seen = await bookkeeper.post('/api/order-page', { token });
  expect(seen.json).toMatchObject({ mayChange: false, payments: [{ amount: 575 }] });
  const wanted = { users: 12, backup: true, from: NO_BACKUP };
  const { clientSecret } = (await buyer.ask('card')).json;
  for (const [what, body] of Object.entries({
    preview: wanted,
    change: { ...wanted, at: new Date().toISOString(), next: 575 },
    cancel: {},
    keep: {},
    card: {},
    'card/use': { clientSecret },
    details: {
      ...{ name: 'Eve Else', company: null, phone: null, billingAddress: null },
      billsTo: 'eve@else.example',
    },
    email: { email: 'eve@else.example' },
    addendum: { name: 'Eve Else', title: 'Owner', hash: 'f'.repeat(64) },
  })) {
    const refused = await bookkeeper.post(`/api/order-page/${what}`, { token, ...body });
    const message = expect.stringMatching(/^This link only shows your order\./);
    expect(refused, what).toMatchObject({ status: 409, json: { message } });
  }
  expect(await buyer.account()).toMatchObject({
    mayChange: true,
    billingAddress: null,
    order: { ms365Users: 10, endsAt: null },
  });
});

test('a forged link opens no order', async () => {
  const { token, orderId } = buyer;
  const [, signature = ''] = token.split('.');
  const other = await customer(app);
  const wrong = [`${other.orderId}.${signature}`, `${orderId}.${'A'.repeat(43)}`];
  for (const forged of [...wrong, `${orderId}.`, `${orderId}`, signature, '']) {
    const { status } = await app.visitor().post('/api/order-page', { token: forged });
    expect(status, forged).toBe(404);
  }
});

test('an access link lets one browser change its own order, and works once', async () => {
  const link = await accessLink();
  const other = await customer(app);
  const [first, second] = [app.visitor(), app.visitor()];
  const foreign = await open(second, { token: other.token, access: link.access });
  expect(foreign.status).toBe(409);
  expect((await open(first, link)).json).toMatchObject({ mayChange: true });
  expect((await cancel(first)).json.order.endsAt).not.toBeNull();
  expect((await cancel(first, other.token)).status).toBe(409);
  const message = expect.stringMatching(/^This link has been used/);
  expect(await open(second, link)).toMatchObject({ status: 409, json: { message } });
  expect((await cancel(second)).status).toBe(409);
});

test('an access link stops working after 30 minutes', async () => {
  const link = await accessLink();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 30 * 60_000 });
  expect((await open(app.visitor(), link)).status).toBe(409);
});

const mayOpen = async (visitor: Visitor, orderId = buyer.orderId) =>
  (await visitor.get(`/api/orders/${orderId}`)).status === 200;

test('the browser that placed an order keeps access when others open links; the oldest of those loses it', async () => {
  const headers = { 'Idempotency-Key': 'a-lost-answer' };
  const placed = app.visitor();
  const others = Array.from({ length: 5 }, () => app.visitor());
  const { orderId } = (await placed.post('/api/create-payment-intent', TEN_USERS, headers)).json;
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  for (const [index, visitor] of others.entries()) {
    vi.setSystemTime(Date.now() + 1_000);
    if (index === 0) await visitor.post('/api/create-payment-intent', TEN_USERS, headers);
    else expect((await open(visitor, await accessLink(orderId))).status).toBe(200);
  }
  const now = await Promise.all([placed, ...others].map((visitor) => mayOpen(visitor, orderId)));
  expect(now).toEqual([true, false, false, true, true, true]);
});

test('a thief who plants a key in a browser can open neither what it buys nor what a link opens there', async () => {
  const [thief, victim] = [await customer(app), app.visitor()];
  victim.cookies.set('order_key', thief.visitor.cookies.get('order_key') ?? '');
  const { orderId } = (await victim.post('/api/create-payment-intent', TEN_USERS)).json;
  expect((await open(victim, await accessLink())).status).toBe(200);
  for (const id of [orderId, buyer.orderId]) {
    expect(await mayOpen(victim, id)).toBe(true);
    expect(await mayOpen(thief.visitor, id)).toBe(false);
  }
  // What the browser had before stays.
  expect(await mayOpen(victim, thief.orderId)).toBe(true);
});

test('an email with many links has the one that was asked for first', async () => {
  const { db } = app.database;
  const email = 'many-orders@example.com';
  const paid = { kind: 'paid', monthly: { lines: [], tax: cents(0) }, invoice: null } as const;
  const ids: number[] = [];
  for (let made = 0; made < 22; made += 1) {
    const { id } = await savedOrder(db, { email, status: 'paid' });
    await insertEvent(db, id, paid, TEST_CAUSE);
    ids.push(id);
  }
  const request = { email, orderId: ids[0], createdAt: Date.now(), holdUntil: Date.now() };
  const inserting = db.insertInto('orderLinkRequests').values(request).returning('id');
  const found = await orderLinks.find(db, (await inserting.executeTakeFirstOrThrow()).id, null);
  expect(found?.orders.map(({ id }) => id)).toEqual([ids[0], ...ids.slice(3).toReversed()]);
});

test('a browser has access to its 20 newest orders', async () => {
  const visitor = app.visitor();
  const ids: number[] = [];
  for (let times = 0; times < 21; times += 1)
    ids.push((await visitor.post('/api/create-payment-intent', TEN_USERS)).json.orderId);
  const open = await Promise.all(ids.map((id) => mayOpen(visitor, id)));
  expect(open).toEqual([false, ...Array(20).fill(true)]);
});

test('after staff revoke an order’s links, its browser cannot regain access by repeating the order’s key', async () => {
  const visitor = app.visitor();
  const headers = { 'Idempotency-Key': 'one-purchase' };
  const place = () => visitor.post('/api/create-payment-intent', SAMPLE_ORDER, headers);
  const { orderId } = (await place()).json;
  const staff = await app.staff();
  await staff.post(`/api/admin/orders/${orderId}/revoke-links`);
  expect((await visitor.get(`/api/orders/${orderId}`)).status).toBe(404);
  const again = await place();
  expect(again.json.orderId).not.toBe(orderId);
  expect((await visitor.get(`/api/orders/${orderId}`)).status).toBe(404);
});

test('after staff revoke an order’s links, no earlier link or browser has access, but a new link does', async () => {
  const staff = await app.staff();
  const before = await accessLink();
  const path = `/api/admin/orders/${buyer.orderId}`;
  const revoked = await staff.post(`${path}/revoke-links`);
  expect(revoked.json.changes.at(-1).text).toBe('All links were revoked by admin');
  expect((await app.visitor().post('/api/order-page', { token: buyer.token })).status).toBe(404);
  expect((await open(app.visitor(), before)).status).toBe(404);
  const made = parts((await staff.post(`${path}/link`)).json.url);
  const [holder, placed] = [app.visitor(), buyer.visitor];
  expect((await open(holder, { ...made, access: before.access })).status).toBe(409);
  expect((await cancel(placed, made.token)).status).toBe(409);
  expect((await open(holder, made)).json).toMatchObject({ mayChange: true });
});
