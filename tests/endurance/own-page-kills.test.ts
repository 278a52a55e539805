/** The server dies while a customer changes or cancels a plan, and while it renews: in the end all books agree. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readEnv } from '../../src/platform/config/env.server.ts';
import { openDatabase } from '../../src/platform/database/database.server.ts';
import { ownBooksDisagree } from '../support/own-books.ts';
import { NO_BACKUP, shownBy, TEN_USERS } from '../support/own-page.ts';
import { type RunningProcess, startServer } from '../support/server-process.ts';
import { sized, testInTurn } from '../support/sized.ts';
import { WITH_MAIL } from '../support/stripe-shop.ts';
import { type TestDatabase, testDatabase } from '../support/test-app.ts';
import { Visitor } from '../support/visitor.ts';

const PRELOAD = join(import.meta.dirname, '../support/die-at.ts');
/** The request that carries this is the first of the story whose steps are counted. */
const COUNTED = { 'X-Count-Steps': 'from here' };

/** Renewals have one of their own: there each death makes a month pass for everybody. */
let grounds: Record<'changed' | 'renewed', TestDatabase>;
const on = (ground: keyof typeof grounds) => ({
  ...grounds[ground].variables,
  ...WITH_MAIL,
  NODE_OPTIONS: `--import=${PRELOAD}`,
});
beforeAll(async () => {
  grounds = { changed: await testDatabase(), renewed: await testDatabase() };
});
afterAll(async () => {
  await grounds.changed.drop();
  await grounds.renewed.drop();
});

/** A customer who has paid, and what they ask of their page. */
async function customerAt({ address }: RunningProcess) {
  const visitor = new Visitor(address);
  const { json } = await visitor.post('/api/create-payment-intent', {
    ...TEN_USERS,
    // A mailbox gets few emails a day.
    email: `${randomUUID()}@dealer.example`,
  });
  const { clientSecret, orderId } = json;
  await visitor.post('/api/test-payments/confirm', { clientSecret, token: 'succeeds' });
  const { page } = (await visitor.get(`/api/orders/${orderId}`)).json;
  const token = new URL(page).hash.slice(1);
  return (what: string, body: object = {}, headers = {}) =>
    visitor.post(`/api/order-page/${what}`, { token, ...body }, headers);
}

/** Tells it with a death at each step, until it lives to its end. Gives the deaths. */
async function killAtSteps(
  [first, stride]: readonly [number, number],
  story: (server: RunningProcess) => Promise<boolean>,
  ground: keyof typeof grounds = 'changed',
): Promise<number> {
  for (let step = first, died = 0; ; step += stride, died += 1) {
    const server = await startServer({ ...on(ground), DIE_AT: String(step) });
    const finished = await story(server).catch(() => false);
    await server.stop(finished ? 'SIGTERM' : 'SIGKILL');
    if (finished) return died;
  }
}

testInTurn(0)('killed while a plan is changed', { timeout: 3_600_000 }, async () => {
  const died = await killAtSteps(sized([3, 7], [1, 1]), async (server) => {
    const ask = await customerAt(server);
    const wanted = { users: 12, backup: true, from: NO_BACKUP };
    const shown = shownBy((await ask('preview', wanted)).json);
    return (await ask('change', { ...wanted, ...shown }, COUNTED)).status === 200;
  });
  expect(died).toBeGreaterThan(sized(1, 15));
});

testInTurn(1)('killed while a plan is canceled', { timeout: 3_600_000 }, async () => {
  const died = await killAtSteps(sized([2, 6], [1, 1]), async (server) => {
    const ask = await customerAt(server);
    return (await ask('cancel', {}, COUNTED)).status === 200;
  });
  expect(died).toBeGreaterThan(sized(1, 10));
});

testInTurn(0)('killed while a plan renews', { timeout: 3_600_000 }, async () => {
  let bought = false;
  const renew = async (server: RunningProcess) => {
    if (!bought) await customerAt(server);
    bought = true;
    const staff = new Visitor(server.address);
    await staff.post('/api/admin/login', { username: 'admin', password: 'showroom-demo' });
    const { now } = (await staff.get('/api/admin/test-clock')).json;
    return (await staff.post('/api/admin/test-clock/ahead', { now }, COUNTED)).status === 200;
  };
  const died = await killAtSteps(sized([5, 9], [1, 1]), renew, 'renewed');
  expect(died).toBeGreaterThan(sized(1, 10));
});

test('after all that, orders, bills, changes and letters agree', { timeout: 150_000 }, async () => {
  // What was left over is finished after a start.
  const disagreeing = async (ground: keyof typeof grounds) => {
    const server = await startServer(on(ground));
    await pause(2_000);
    await server.stop();
    const database = await openDatabase(readEnv(on(ground)));
    const found = await ownBooksDisagree(database.db);
    await database.close();
    return found;
  };
  for (const ground of ['changed', 'renewed'] as const)
    await expect.poll(() => disagreeing(ground), { timeout: 60_000 }).toEqual([]);
});
