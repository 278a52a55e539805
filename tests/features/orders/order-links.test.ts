/** A receipt's link shows an order to anyone who has it. Changes need a browser that placed the order or opened an access link. */
import { beforeEach, expect, test, vi } from 'vitest';
import { accessLink as newAccessLink } from '../../../src/orders/order-access.server.ts';
import { getOrder } from '../../../src/orders/order-store.server.ts';
import { SAMPLE_ORDER } from '../../support/call-row.ts';
import { customer, NO_BACKUP } from '../../support/own-page.ts';
import { sharedTestApp } from '../../support/test-app.ts';
import type { Visitor } from '../../support/visitor.ts';

const app = sharedTestApp();
let buyer: Awaited<ReturnType<typeof customer>>;
beforeEach(async () => {
  buyer = await customer(app);
});

async function accessLink() {
  const { db } = app.database;
  const order = await getOrder(db, { id: buyer.orderId });
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
    address: { address: '1 Main Street' },
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

test('a customer who asks for nine access links and opens each in another browser has access in four at most', async () => {
  const links = [];
  for (let times = 0; times < 9; times += 1) links.push(await accessLink());
  for (const link of links) expect((await open(app.visitor(), link)).status).toBe(200);
  const { db } = app.database;
  const rows = db.selectFrom('orderAccess').select('keyHash').where('orderId', '=', buyer.orderId);
  expect((await rows.execute()).length).toBeLessThanOrEqual(4);
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
  expect(revoked.json.notes.at(-1).note).toBe('All links were revoked by admin');
  expect((await app.visitor().post('/api/order-page', { token: buyer.token })).status).toBe(404);
  expect((await open(app.visitor(), before)).status).toBe(404);
  const made = parts((await staff.post(`${path}/link`)).json.url);
  const [holder, placed] = [app.visitor(), buyer.visitor];
  expect((await open(holder, { ...made, access: before.access })).status).toBe(409);
  expect((await cancel(placed, made.token)).status).toBe(409);
  expect((await open(holder, made)).json).toMatchObject({ mayChange: true });
});
