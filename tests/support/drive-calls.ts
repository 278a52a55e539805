/** Every call of the site, asked in the ways that lead to other queries: searched, filtered, paged, repeated. */
import { randomUUID } from 'node:crypto';
import { orderPageLinks } from '../../src/orders/order-page-link.server.ts';
import { DEMO_PASSWORD, DEMO_USERNAME } from '../../src/platform/config/env.server.ts';
import { tokenHash } from '../../src/platform/http/cookies.server.ts';
import { SAMPLE_ORDER, type Scene } from './call-row.ts';
import { driveLists } from './drive-lists.ts';
import { driveOwnPage, driveTestClock } from './drive-own-page.ts';
import { driveQuotes } from './drive-quotes.ts';
import { ask, everyCall } from './every-call.ts';
import type { Listening } from './executed-statements.ts';
import { type Busy, fillTables } from './filled-tables.ts';
import type { TestApp } from './test-app.ts';
import type { Answered, Visitor } from './visitor.ts';

/** Makes one request; its name begins with its call's. */
export type Drive = (name: string, work: () => Promise<Answered>) => Promise<Answered>;

export const CONVERSATION = '6f1c7a52-5d0b-4d7e-9a39-0b8f3a1d2c44';
const PAGES = ['/', '/contact', '/checkout?plan=1', '/news', '/admin-login', '/healthz', '/readyz'];

/** The calls that were answered with what they are for. */
export type Driven = Set<string>;

/** Gives a drive, and what it has driven so far. */
export function driving(app: TestApp, { during }: Listening): { drive: Drive; driven: Driven } {
  const driven: Driven = new Set();
  const calls = everyCall(app).map(({ name }) => name);
  return {
    driven,
    async drive(name, work) {
      const answered = await during(name, work);
      const [method, address = ''] = name.split(' ');
      const call = calls.find((each) => each === `${method} ${address.split('?')[0]}`);
      if (call && answered.status < 400) driven.add(call);
      return answered;
    },
  };
}

/** Fills the site with `rows` of everything and asks for all of it. */
export async function driveCalls(
  app: TestApp,
  rows: number,
  listening: Listening,
): Promise<Driven> {
  const { drive, driven } = driving(app, listening);
  const staff = await app.staff();
  const owner = app.visitor();
  const buy = () => buyOne(owner.move(), drive);
  const { json } = await buy();
  const scene: Scene = { owner, orderId: json.orderId, clientSecret: json.clientSecret };
  await listening.aside((db) => fillTables(db, rows, busyAs(owner, 'test')));
  for (const path of PAGES) await drive(`GET ${path}`, () => app.visitor().get(path));
  for (const known of everyCall(app)) {
    for (const as of ['owner', 'staff'] as const) {
      const leaves = known.name.endsWith('/logout');
      const colleague = leaves ? await app.staff() : staff;
      const caller = as === 'owner' ? owner : colleague;
      await drive(`${known.name} as ${as}`, () => ask(caller.move(), known, scene, as));
    }
  }
  await driveLists(staff, drive);
  await driveTestPayments(owner, drive, buy);
  await driveOrderLink(app, scene, drive);
  await driveQuotes(app, staff, drive);
  await driveOwnPage(app, drive);
  await driveTestClock(staff, drive);
  await driveOrders(app, staff, drive, buy);
  await driveDoor(app, staff, drive, listening);
  return driven;
}

export function busyAs(owner: Visitor, provider: Busy['provider']): Busy {
  const keyHash = tokenHash(owner.cookies.get('order_key')) ?? '';
  return { email: SAMPLE_ORDER.email, conversation: CONVERSATION, keyHash, provider };
}

async function buyOne(owner: Visitor, drive: Drive): Promise<Answered> {
  const key = { 'Idempotency-Key': randomUUID() };
  const path = '/api/create-payment-intent';
  await drive(`POST ${path} with a key`, () => owner.post(path, SAMPLE_ORDER, key));
  return drive(`POST ${path} with the same key`, () => owner.post(path, SAMPLE_ORDER, key));
}

async function driveTestPayments(owner: Visitor, drive: Drive, buy: () => Promise<Answered>) {
  for (const token of ['declined', 'succeeds', 'asks']) {
    const { clientSecret, orderId } = (await buy()).json;
    const pay = (what: string, body: object) =>
      drive(`POST /api/test-payments/${what} ${token}`, () =>
        owner.move().post(`/api/test-payments/${what}`, { clientSecret, ...body }),
      );
    await pay('confirm', { token });
    if (token === 'asks') await pay('answer', { approve: true });
    const back = { status: 'processing', paymentId: null };
    const path = `/api/orders/${orderId}/update-status`;
    await drive(`POST /api/orders/:id/update-status ${token}`, () => owner.move().post(path, back));
  }
}

/** What a receipt's link opens. */
export async function driveOrderLink(
  app: TestApp,
  { owner, orderId }: Pick<Scene, 'owner' | 'orderId'>,
  drive: Drive,
): Promise<void> {
  const links = orderPageLinks(app.database.db, app.address);
  await links.loadKey();
  const token = links.address({ id: orderId, linkVersion: 0 }).split('#')[1];
  await drive('POST /api/order-page', () => owner.move().post('/api/order-page', { token }));
}

async function driveOrders(
  app: TestApp,
  staff: Visitor,
  drive: Drive,
  buy: () => Promise<Answered>,
): Promise<void> {
  const paid = async () => {
    const { orderId, clientSecret } = (await buy()).json;
    await app.visitor().post('/api/test-payments/confirm', { clientSecret, token: 'succeeds' });
    return orderId;
  };
  const acts: [string, () => Promise<number>, object][] = [
    ['/api/admin/orders/:id/refund', paid, { amount: 10 }],
    ['/api/admin/orders/:id/refund', paid, { amount: null }],
    ['/api/admin/orders/:id/cancel', paid, { when: 'now' }],
    [
      '/api/orders/:id/update-status',
      async () => (await buy()).json.orderId,
      { status: 'canceled', paymentId: null },
    ],
  ];
  for (const [path, order, body] of acts) {
    const address = path.replace(':id', `${await order()}`);
    await drive(`POST ${path} ${Object.values(body)[0]}`, () => staff.move().post(address, body));
  }
}

/** The staff's door, deliveries, and what is done with a person's data. */
async function driveDoor(
  app: TestApp,
  staff: Visitor,
  drive: Drive,
  { aside }: Listening,
): Promise<void> {
  const signIn = '/api/admin/login';
  const right = { username: DEMO_USERNAME, password: DEMO_PASSWORD };
  const colleague = app.visitor();
  for (const how of ['', ' in a known browser'])
    await drive(`POST ${signIn}${how}`, () => colleague.post(signIn, right));
  const { json: sessions } = await staff.move().get('/api/admin/sessions');
  const others = sessions.filter(({ current }: { current: boolean }) => !current);
  const end = '/api/admin/sessions/:key/end';
  await drive(`POST ${end}`, () => staff.move().post(end.replace(':key', others[0].key)));
  await aside((db) =>
    db
      .updateTable('sessions')
      .set({ lastSeenAt: Date.now() - 120_000 })
      .execute(),
  );
  await drive('GET /api/admin/session after a while', () => staff.get('/api/admin/session'));

  for (const what of ['resend', 'dismiss']) {
    const { json } = await staff.move().get('/api/admin/outbox');
    const path = `/api/admin/outbox/:id/${what}`;
    const { id } = json.deliveries.find(({ state }: { state: string }) => state === 'set aside');
    await drive(`POST ${path}`, () => staff.move().post(path.replace(':id', id)));
  }
  await aside((db) => db.updateTable('orders').set({ status: 'canceled' }).execute());
  const email = SAMPLE_ORDER.email;
  const erase = '/api/admin/people/erase';
  await drive(`POST ${erase}`, () => staff.move().post(erase, { email }));
}
