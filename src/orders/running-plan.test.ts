/** Whether the same plan is running for an address already: who asks, and who is asked. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { savedOrder } from '../../tests/support/saved-order.ts';
import { NOTHING_TRIED, standInGateway } from '../../tests/support/stand-in-gateway.ts';
import { startTestApp, type TestApp } from '../../tests/support/test-app.ts';
import type { NewRow } from '../platform/database/tables.server.ts';
import { paymentFollower } from './follow-payment.server.ts';
import type { Follow } from './gateway.server.ts';
import { ORDER_STATUSES } from './order.ts';
import { staffOrderJson } from './order-json.server.ts';
import { allowAccess } from './order-store.server.ts';
import { runningBeside, runsHere } from './running-plan.server.ts';

let app: TestApp;
let gateway: ReturnType<typeof standInGateway>;
beforeEach(async () => {
  app = await startTestApp();
  gateway = standInGateway();
});
afterEach(() => app.stop());

type Change = Partial<NewRow<'orders'>>;

/** Orders that `wanted` is not to be taken for, each of them running. */
const OTHERS: [string, Change][] = [
  ['another plan', { planId: 2 }],
  ['another address', { email: 'john@dealer.example' }],
  ['another provider', { provider: 'test' }],
  ['the other mode', { live: 1 }],
  ['no subscription', { subscriptionId: null }],
];
const EMAIL = 'jane@dealer.example';

async function save(change: Change = {}, keyHash = 'mine') {
  const { db } = app.database;
  const running = { email: EMAIL, status: 'paid', subscriptionId: randomUUID() } as const;
  const order = await savedOrder(db, { ...running, ...change });
  await allowAccess(db, order.id, keyHash);
  return order;
}
/** What the orders followed. */
let heard: unknown[] = [];
const runs = (email = EMAIL) => {
  heard = [];
  const really = paymentFollower(async () => undefined);
  const follow: Follow = (trx, id, state, cause) => {
    heard.push(state);
    return really(trx, id, state, cause);
  };
  return runsHere({ db: app.database.db, gateway, follow }, { email, planId: 1 }, 'mine');
};
const lookedAt = () => gateway.fetchPaymentState.mock.calls.map(([{ id }]) => id);

describe('where it was bought', () => {
  test.each(ORDER_STATUSES)('it is running or not when the order is %s', async (status) => {
    const { id } = await save({ status });
    expect(await runs()).toBe(status === 'paid' || status === 'past_due');
    const undecided = ['pending', 'processing', 'failed'].includes(status);
    expect(lookedAt()).toEqual(undecided ? [id] : []);
  });

  test('it is found in any spelling of the address, and in the mode that nobody kept', async () => {
    await save({ email: 'Jane@dealer.example', live: null });
    expect([await runs(), await runs('JANE@dealer.example')]).toEqual([true, true]);
  });

  test.each(OTHERS)('%s is not it', async (_what, change) => {
    await save(change);
    await save({ ...change, status: 'pending' });
    expect(await runs()).toBe(false);
    expect(lookedAt()).toEqual([]);
  });

  test('what another browser bought is not it', async () => {
    await save({}, 'theirs');
    expect(await runs()).toBe(false);
  });

  test('with the test gateway it never is: no money is taken', async () => {
    await save({});
    gateway.config = { provider: 'test' };
    expect(await runs()).toBe(false);
  });

  test('the provider is asked about each that is undecided, the newest first, and followed', async () => {
    const paid = await save({ status: 'pending' });
    const silent = await save({ status: 'pending' });
    const unpaid = await save({ status: 'processing' });
    gateway.fetchPaymentState.mockImplementation(async ({ id }) => {
      if (id === silent.id) return 'away';
      return id === paid.id ? { ...NOTHING_TRIED, status: 'succeeded' } : NOTHING_TRIED;
    });
    expect(await runs()).toBe(true);
    expect(lookedAt()).toEqual([unpaid.id, silent.id, paid.id]);
    expect(heard).toHaveLength(2);
    const { history } = await staffOrderJson(app.database.db, paid, null);
    expect(history.at(-1)).toMatchObject({ status: 'paid', cause: 'customer buys again' });
  });

  test('nobody is asked about an older one where another is running', async () => {
    await save({ status: 'pending' });
    await save();
    expect(await runs()).toBe(true);
    expect(lookedAt()).toEqual([]);
  });
});

describe('beside an order', () => {
  test('are those of any browser that are paid, the newest first', async () => {
    const others = [await save({}, 'theirs'), await save({ status: 'past_due' })];
    const order = await save();
    for (const status of ['pending', 'canceled'] as const) await save({ status });
    for (const [, change] of OTHERS) await save(change);
    const newestFirst = others.map(({ id }) => id).reverse();
    expect(await runningBeside(app.database.db, order)).toEqual(newestFirst);
  });

  test('are noted with their numbers once it is paid, and at no other time', async () => {
    const { db } = app.database;
    const others = [await save(), await save()];
    const order = await save({ status: 'pending', paymentId: 'pi_1' });
    const follow = paymentFollower(async () => undefined);
    const notes = async () => (await staffOrderJson(db, order, null)).notes;
    await follow(db, order.id, NOTHING_TRIED, 'test');
    expect(await notes()).toEqual([]);
    const paid = { ...NOTHING_TRIED, status: 'succeeded' } as const;
    for (const _time of [1, 2]) await follow(db, order.id, paid, 'test');
    const numbers = others.map(({ id }) => `O-${id}`).reverse();
    const note = `The same plan is running for this address already (${numbers.join(', ')}): is a second one wanted?`;
    expect((await notes()).map((each) => each.note)).toEqual([note]);
  });

  test('of real cards are those of real cards', async () => {
    const order = await save({ live: 1 });
    const other = await save({ live: 1 });
    await save();
    expect(await runningBeside(app.database.db, order)).toEqual([other.id]);
  });
});
