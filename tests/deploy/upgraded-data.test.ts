/**
 * What release 1.0.0 has stored, with each of its tables filled, through an upgrade while customers
 * order: nothing is lost, nothing is charged twice, and 1.0.0 can go on with it.
 */
import { randomUUID } from 'node:crypto';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { readEnv } from '../../src/env.server.ts';
import { type Database, openUnmigrated } from '../../src/platform/database/database.server.ts';
import type { NewRow } from '../../src/platform/database/tables.server.ts';
import { DAY_MS, HOUR_MS } from '../../src/platform/time.ts';
import { booksDisagree } from '../support/books.ts';
import { SAMPLE_MESSAGE } from '../support/call-row.ts';
import { createDatabase } from '../support/databases.ts';
import { eventually } from '../support/eventually.ts';
import { monthsAfter } from '../support/fake-stripe/billing-objects.ts';
import { type FakeStripe, startFakeStripe } from '../support/fake-stripe/fake-stripe.ts';
import { freePort } from '../support/free-port.ts';
import { Mailbox } from '../support/mailbox.ts';
import { startShift } from '../support/mixed-writes.ts';
import { line } from '../support/saved-order.ts';
import { REACHABLE_DEMO, SERVER, startProcess } from '../support/server-process.ts';
import { insist, stripeVariables } from '../support/stripe-shop.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { signedIn, Visitor } from '../support/visitor.ts';
import { useVersions } from './versions.ts';

const GOOD = '4242424242424242';
/** Essential without more, and what it was or is to be. */
const [BEFORE, NOW, AFTER] = [400_00, 450_00, 477_77].map((unit) =>
  JSON.stringify([{ ...line('plan', unit), label: 'Essential' }]),
);
const priceOf = (lines = NOW ?? '') => JSON.parse(lines)[0].amount;

/** 1.0's states of a notice, and what the next month costs after the upgrade. */
const NOTICES: Record<string, { from?: string; to?: string; next?: string; leads?: string }> = {
  // Of a later renewal.
  announced: {},
  applying: { next: AFTER, leads: 'charged' },
  applied: { next: AFTER, leads: 'charged' },
  charged: { from: BEFORE, to: NOW },
  restoring: { leads: 'withdrawn' },
  withdrawn: {},
  undeliverable: {},
};

/** What goes on by itself in rows that were there, by table. */
const MOVES: Record<string, readonly string[]> = {
  accessLogHours: ['amount'],
  // Who signs in.
  accounts: ['signedInAt'],
  catalogue: ['items'],
  mailRecipients: ['mails'],
  // The price that is taken back is seen to be gone.
  orders: ['version'],
  subscriptions: ['priceLines', 'amountCents', 'totalCents'],
  outbox: ['state', 'tries', 'nextTryAt', 'claimedBy', 'lastAnswer', 'settledAt', 'queuedBefore'],
  priceChanges: ['state'],
  providerEvents: ['settled'],
  sessions: ['lastSeenAt'],
  // 1.0.0 counts until it is stopped.
  storedBytes: ['bytes'],
};

type Rows = Map<string, Record<string, unknown>[]>;

const withDatabase = async <Result>(
  variables: Record<string, string>,
  act: (database: Database) => Promise<Result>,
): Promise<Result> => {
  const database = await openUnmigrated(readEnv(variables), { alongsideServer: true });
  try {
    return await act(database);
  } finally {
    await database.close();
  }
};

const readRows = (variables: Record<string, string>): Promise<Rows> =>
  withDatabase(variables, async ({ db }) => {
    const tables = await db.introspection.getTables();
    const read = tables
      .filter(({ name }) => !name.includes('_migration'))
      .map(async ({ name }) => [
        name,
        await db
          .selectFrom(name as 'orders')
          .selectAll()
          .execute(),
      ]);
    return new Map((await Promise.all(read)) as unknown as [string, Record<string, unknown>[]][]);
  });

/** Rows of `before` that are not in `after`, but for what goes on by itself. */
function lost(before: Rows, after: Rows): string[] {
  return [...before].flatMap(([table, rows]) => {
    const columns = Object.keys(rows[0] ?? {}).filter((each) => !MOVES[table]?.includes(each));
    const facts = (row: Record<string, unknown>) =>
      JSON.stringify(columns.map((column) => [column, row[column]]));
    const found = new Set(after.get(table)?.map(facts));
    return rows.map(facts).flatMap((row) => (found.has(row) ? [] : [`${table} ${row}`]));
  });
}

/** Customers who order and pay at Stripe until they are stopped. */
function sell(address: string, fake: FakeStripe) {
  const sold: number[] = [];
  let over = false;
  const visitor = () => new Visitor(address);
  async function lane() {
    while (!over) sold.push(await buy(visitor, fake));
  }
  const lanes = Promise.all([lane(), lane()]);
  return {
    sold,
    async end() {
      over = true;
      await lanes;
    },
  };
}

const ESSENTIAL = {
  planId: 1,
  ms365Option: 'none',
  ms365Users: 0,
  includeCloudBackup: false,
  amount: 450,
};

async function buy(visitor: () => Visitor, fake: FakeStripe): Promise<number> {
  const key = randomUUID();
  const email = `${key}@example.com`;
  const { json } = await insist(visitor, { ...ESSENTIAL, email }, key);
  fake.confirmCard(json.clientSecret, GOOD);
  return json.orderId;
}

describe('with every table of 1.0.0 filled,', () => {
  const versions = useVersions();

  test.for(['SQLite', 'PostgreSQL'])(
    'an upgrade on %s loses nothing and charges nobody twice, and 1.0.0 goes on with it',
    { timeout: 10 * 60_000 },
    async (engine) => {
      let clock = 0;
      const fake = await startFakeStripe({ now: () => Date.now() + clock });
      onTestFinished(() => fake.close());
      const mailbox = await Mailbox.start();
      onTestFinished(() => mailbox.stop());
      const port = await freePort();
      const address = `http://127.0.0.1:${port}`;
      const { postgresUrl } = inject('databases');
      const database: Record<string, string> =
        engine === 'SQLite'
          ? { DATA_DIR: temporaryFolder() }
          : { DATABASE_URL: await createDatabase(postgresUrl ?? '', `filled_${Date.now()}`) };
      const test = { ...REACHABLE_DEMO, ...mailbox.variables, ...database, PORT: `${port}` };
      const live = { ...test, ...stripeVariables(fake) };
      let server = await startProcess(SERVER, test, versions.previous);
      onTestFinished(() => void server.stop('SIGKILL'));
      const replace = async (variables: Record<string, string>, version?: string) => {
        await server.stop();
        server = await startProcess(SERVER, variables, version);
      };

      // With the test gateway.
      const shift = startShift(address, 1, 'tried');
      await shift.orders(3);
      await shift.end();
      await replace(live, versions.previous);
      fake.autoDeliver(`${address}/api/stripe/webhook`);
      // The plans' next months begin in two hours.
      const soon = Date.now() + 2 * HOUR_MS;
      const begun = [31, 30, 29, 28].map((days) => soon - days * DAY_MS);
      const fits = (at: number) => {
        const end = monthsAfter(Math.floor(at / 1000), 1) * 1000 - Date.now();
        return end > 0 && end < 5 * HOUR_MS;
      };
      clock = (begun.find(fits) ?? soon - 31 * DAY_MS) - Date.now();
      const visitor = () => new Visitor(address);
      const noticed: Record<string, number> = {};
      for (const state of Object.keys(NOTICES)) noticed[state] = await buy(visitor, fake);
      clock = 0;
      await fake.settled();
      await writeToTheSite(address);

      const notice = async (state: string, change: Partial<NewRow<'priceChanges'>> = {}) => {
        const { from = NOW, to = AFTER } = NOTICES[state] ?? {};
        const at = Date.now() - 40 * DAY_MS;
        const [item] = subscriptionOf(noticed[state] ?? 0)?.items.data ?? [];
        const effectiveAt = (item?.current_period_end ?? 0) * 1000;
        const row = {
          orderId: noticed[state] ?? 0,
          kind: 'price',
          state,
          effectiveAt,
          at,
        } as const;
        const facts = { fromLines: from, toLines: to, deliveredAt: at + 1000, accountId: 1 };
        await withDatabase(database, ({ db }) =>
          db
            .insertInto('priceChanges')
            .values({ ...row, ...facts, ...change } as NewRow<'priceChanges'>)
            .execute(),
        );
      };
      const subscriptionOf = (orderId: number) =>
        [...fake.state.subscription.values()].find(
          ({ metadata }) => metadata.orderId === String(orderId),
        );
      const states = async () => {
        const all = (await readRows(database)).get('priceChanges') ?? [];
        return Object.fromEntries(all.map(({ orderId, state }) => [orderId, state]));
      };

      // 1.0.0 itself has Stripe charge two new prices, and takes one back while Stripe fails.
      for (const state of ['applied', 'restoring']) await notice(state, { state: 'announced' });
      await replace(live, versions.previous);
      const applied = { [noticed.applied ?? 0]: 'applied', [noticed.restoring ?? 0]: 'applied' };
      await eventually(async () => expect(await states()).toEqual(applied));
      const path = /^\/v1\/subscriptions\/sub_/;
      fake.failNext({ how: 'status-500', method: 'POST', path, times: 1_000 });
      const orders = [{ id: noticed.restoring, after: 0 }];
      const back = { kind: 'take-back', day: '2026-11-27', orders };
      const staff = await signedIn(address);
      expect((await staff.post('/api/admin/prices/notice', back)).json.done).toBe(1);
      for (const state of ['applying', 'charged', 'withdrawn', 'undeliverable'])
        await notice(state);
      await notice('announced', { effectiveAt: soon + 33 * DAY_MS });
      expect(new Set(Object.values(await states()))).toEqual(new Set(Object.keys(NOTICES)));
      // Of what only Exchange, or a moment, leaves behind.
      await withDatabase(database, async ({ db }) => {
        const claim = { orderId: noticed.announced, until: Date.now() - HOUR_MS };
        for (const [table, row] of [
          ['mailboxTurns', { mailbox: 'website@example.com', nextAt: Date.now() }],
          ['orderClaims', claim],
        ])
          await db
            .insertInto(table as 'orders')
            .values(row as never)
            .execute();
      });
      const before = await readRows(database);
      expect([...before].flatMap(([name, rows]) => (rows.length === 0 ? [name] : []))).toEqual([]);

      const load = sell(address, fake);
      await eventually(() => expect(load.sold.length).toBeGreaterThan(5));
      await server.stop();
      fake.clearFaults();
      server = await startProcess(SERVER, live);
      const sold = load.sold.length;
      await eventually(() => expect(load.sold.length).toBeGreaterThan(sold + 5));
      await load.end();
      expect(lost(before, await readRows(database))).toEqual([]);

      const ids = [...Object.values(noticed), ...load.sold];
      const agree = () =>
        eventually(async () =>
          expect(
            await withDatabase(database, ({ db }) => booksDisagree(db, { fake, ids })),
          ).toEqual([]),
        );
      const renew = async (state: string) => {
        const { id = '' } = subscriptionOf(noticed[state] ?? 0) ?? {};
        const invoice = fake.renew(id, { pay: true });
        await fake.settled();
        return [state, invoice?.amount_paid];
      };
      await eventually(async () =>
        expect(await states()).toMatchObject({ [noticed.restoring ?? 0]: 'withdrawn' }),
      );
      await eventually(() =>
        expect(subscriptionOf(noticed.applying ?? 0)?.items.data[0]?.price.unit_amount).toBe(
          priceOf(AFTER),
        ),
      );
      for (const [state, { next, leads = state }] of Object.entries(NOTICES)) {
        expect(await renew(state)).toEqual([state, priceOf(next)]);
        await eventually(async () =>
          expect(await states()).toMatchObject({ [noticed[state] ?? 0]: leads }),
        );
      }
      await agree();
      const paid = () => [...fake.state.charge.values()].filter((charge) => charge.paid).length;
      expect(paid()).toBe(ids.length + Object.keys(NOTICES).length);

      // 1.0.0 goes on with the tables, and this version with what it leaves.
      const upgraded = await readRows(database);
      for (const version of [versions.previous, process.cwd()]) {
        await replace(live, version);
        expect(lost(upgraded, await readRows(database))).toEqual([]);
        const again = await signedIn(address);
        for (const list of ['contacts', 'orders', 'quotes', 'prices'])
          expect([list, (await again.get(`/api/admin/${list}`)).status]).toEqual([list, 200]);
        ids.push(await buy(visitor, fake));
        expect(await renew('applied')).toEqual(['applied', priceOf(AFTER)]);
        await agree();
      }
      expect(paid()).toBe(ids.length + Object.keys(NOTICES).length + 2);
    },
  );
});

/** What fills the other tables of 1.0.0. */
async function writeToTheSite(address: string): Promise<void> {
  const visitor = new Visitor(address);
  const ok = async (path: string, body: object, headers = {}) => {
    const { status, text, json } = await visitor.post(path, body, headers);
    expect([path, Math.floor(status / 100), text]).toEqual([path, 2, text]);
    return json;
  };
  const { amount: _, ...choice } = ESSENTIAL;
  const email = 'jane@dealer.example';
  expect((await visitor.get('/readyz')).status).toBe(200);
  await ok('/api/contact', SAMPLE_MESSAGE, { 'First-Visit': 'source=Google&page=/' });
  await ok('/api/teams-chat', SAMPLE_MESSAGE);
  await ok('/api/quotes', { ...choice, name: 'Jane Doe', email });
  await ok('/api/safeguards-report', { email, answers: { consumers: 'yes', mfa: 'no' } });
  const guess = { username: 'admin', password: 'a guess' };
  expect((await visitor.post('/api/admin/login', guess)).status).toBe(401);
  const staff = await signedIn(address);
  const [order] = (await staff.get('/api/admin/orders')).json.orders;
  expect((await staff.post(`/api/admin/orders/${order.id}/link`)).status).toBe(200);
  await ok('/api/order-page/links', { email: order.email });
}
