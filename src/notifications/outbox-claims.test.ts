/** Who delivers a message when several could: each is begun once, and again only by a process that may. */
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { eventually } from '../../tests/support/eventually.ts';
import { FakeTeams } from '../../tests/support/fake-teams.ts';
import { startTestOutbox, type TestOutbox } from '../../tests/support/test-outbox.ts';
import { LEASE_MARGIN_MS } from './notification.server.ts';
import { release, releaseAll } from './outbox-store.server.ts';

let teams: FakeTeams;
let site: TestOutbox;

beforeEach(async () => {
  teams = await FakeTeams.start();
  site = await startTestOutbox(teams.variables);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await site.stop();
  await teams.stop();
});

const deliveries = () => site.database.db.selectFrom('outbox').selectAll().orderBy('id').execute();

test('what is under way is not begun again, however long its end takes', async () => {
  teams.behaviour = () => 'hang';
  await site.chat();
  await eventually(() => expect(teams.tries).toBe(1));
  await site.database.db.updateTable('outbox').set({ nextTryAt: Date.now() }).execute();
  // Due after the first: the instance that sends this one has left the first to the other.
  await site.chat({ conversation: 'another' });
  await eventually(() => expect(teams.tries).toBe(2));
  expect(await deliveries()).toMatchObject([{ tries: 1 }, { tries: 1 }]);
});

test('a worker gives back its own claim only, and touches no other delivery', async () => {
  const { db } = site.database;
  await site.outbox.close();
  const row = { channel: 'teams', topic: 'x', notice: '{}', state: 'waiting', tries: 3 } as const;
  const [mine, beside] = await db
    .insertInto('outbox')
    .values([1, 2].map((createdAt) => ({ ...row, createdAt, nextTryAt: 0, claimedBy: 'me' })))
    .returningAll()
    .execute();
  if (!mine || !beside) throw new Error('nothing was stored');
  await release(db, { ...mine, claimedBy: 'somebody else' });
  expect(await deliveries()).toEqual([mine, beside]);
  await release(db, mine);
  expect(await deliveries()).toMatchObject([{ claimedBy: null, tries: 2 }, beside]);
});

test('a process alone gives back what dead ones had claimed, and hurries nothing else', async () => {
  const { db } = site.database;
  await site.outbox.close();
  const row = {
    channel: 'teams',
    topic: 'x',
    notice: '{}',
    createdAt: 1,
    nextTryAt: 9e12,
  } as const;
  const [, waiting, settled] = await db
    .insertInto('outbox')
    .values([
      { ...row, state: 'waiting', claimedBy: 'a dead one' },
      { ...row, state: 'waiting', claimedBy: null },
      { ...row, state: 'accepted', claimedBy: 'a dead one' },
    ])
    .returningAll()
    .execute();
  const before = Date.now();
  await releaseAll(db);
  const [claimed, ...others] = await deliveries();
  expect(claimed?.claimedBy).toBeNull();
  expect(claimed?.nextTryAt).toBeGreaterThanOrEqual(before);
  expect(claimed?.nextTryAt).toBeLessThanOrEqual(Date.now());
  expect(others).toEqual([waiting, settled]);
});

describe.runIf(inject('engine') === 'postgres')('a database that keeps a delivery waiting', () => {
  /** A message whose first try failed, and whose second one cannot be read meanwhile. */
  async function held(work: () => Promise<void>): Promise<void> {
    teams.behaviour = () => ({ status: 500 });
    await site.chat();
    await eventually(async () =>
      expect(await deliveries()).toMatchObject([{ claimedBy: null, tries: 1 }]),
    );
    teams.behaviour = () => 'accept';
    await site.database.db.transaction().execute(async (trx) => {
      await sql`lock table "chatMessages" in access exclusive mode`.execute(trx);
      await site.hurry();
      await eventually(async () => expect(await deliveries()).toMatchObject([{ tries: 2 }]));
      await work();
    });
  }

  test('begins it anew under a claim that has all its time before it', async () => {
    let first: string | null | undefined;
    await held(async () => {
      first = (await deliveries())[0]?.claimedBy;
      // Longer than the claim's margin.
      const late = Date.now() + LEASE_MARGIN_MS + 500;
      vi.spyOn(Date, 'now').mockReturnValue(late);
      teams.behaviour = () => 'hang';
    });
    await eventually(() => expect(teams.tries).toBe(2));
    expect(first).toEqual(expect.any(String));
    expect(await deliveries()).toMatchObject([
      { claimedBy: expect.not.stringMatching(first ?? ''), tries: 2 },
    ]);
  });

  test('costs it no try by being away', async () => {
    await held(async () => {
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where wait_event_type = 'Lock' and datname = current_database()`.execute(site.database.db);
    });
    await eventually(async () =>
      expect(await deliveries()).toMatchObject([{ state: 'accepted', tries: 2 }]),
    );
    expect(teams.tries).toBe(2);
  });
});

describe.runIf(inject('engine') === 'postgres')('several instances', () => {
  test('share the work: every card is sent once, each conversation in order', async () => {
    await Promise.all([site.secondInstance(), site.secondInstance()]);
    for (let index = 0; index < 30; index += 1) {
      await site.chat({ conversation: `conversation ${index % 5}`, message: `message ${index};` });
    }
    await eventually(() => expect(teams.accepted.length).toBeGreaterThanOrEqual(30));
    const order = teams.accepted.map(({ text }) => Number(/message (\d+);/.exec(text)?.[1]));
    expect([...order].sort((a, b) => a - b)).toEqual(
      Array.from({ length: 30 }, (_, index) => index),
    );
    for (let conversation = 0; conversation < 5; conversation += 1) {
      const own = order.filter((index) => index % 5 === conversation);
      expect(own).toEqual([...own].sort((a, b) => a - b));
    }
  });

  test('take over what a dead one had in its hands, but not before its time is over', async () => {
    teams.behaviour = () => 'hang';
    await site.chat();
    await eventually(() => expect(teams.tries).toBe(1));
    const { db } = site.database;
    await db.updateTable('outbox').set({ claimedBy: 'the dead' }).execute();
    teams.behaviour = () => 'accept';
    const other = await site.secondInstance();
    site.outbox.stopClaiming();
    // Only the other instance can send this one, and it has left the first alone.
    await site.chat({ conversation: 'another' });
    await eventually(() => expect(teams.accepted).toHaveLength(1));
    expect(teams.tries).toBe(2);
    await db.updateTable('outbox').set({ nextTryAt: Date.now() }).execute();
    other.wake();
    await eventually(() => expect(teams.accepted).toHaveLength(2));
  });
});
