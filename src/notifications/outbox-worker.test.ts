/** What a worker of the outbox asks of receivers and of the database, and what it does when one of them fails. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { eventually } from '../../tests/support/eventually.ts';
import { catchLog } from '../../tests/support/logged.ts';
import { startTestOutbox, type TestOutbox } from '../../tests/support/test-outbox.ts';
import type { Outcome } from './notification.server.ts';

const AT_ONCE = 2;
let site: TestOutbox;
/** What the receiver has not answered yet, the oldest first. */
let asked: ((outcome: Outcome) => void)[];
let log: ReturnType<typeof catchLog>;

beforeEach(async () => {
  asked = [];
  log = catchLog();
  const channel = {
    name: 'teams',
    atOnce: AT_ONCE,
    paceMs: null,
    deadlineMs: 60_000,
    deliver: (_row: unknown, _notification: unknown, stop: AbortSignal) =>
      new Promise<Outcome>((resolve) => {
        asked.push(resolve);
        stop.addEventListener('abort', () => resolve({ kind: 'failed', answer: 'cut off' }));
      }),
    close: () => undefined,
  } as const;
  site = await startTestOutbox({}, [channel]);
});
afterEach(async () => {
  log.letGo();
  vi.restoreAllMocks();
  for (const answer of asked) answer({ kind: 'accepted', answer: 'yes' });
  await site.stop();
});

const deliveries = () => site.database.db.selectFrom('outbox').selectAll().orderBy('id').execute();
const events = () => log.lines.map(({ event }) => event);

test('a receiver is asked for no more at once than it can bear', async () => {
  for (const conversation of ['a', 'b', 'c', 'd']) await site.chat({ conversation });
  await eventually(() => expect(asked).toHaveLength(AT_ONCE));
  for (let answered = 1; answered <= 2; answered += 1) {
    asked[answered - 1]?.({ kind: 'accepted', answer: 'yes' });
    await eventually(async () => {
      const states = (await deliveries()).map(({ state }) => state);
      expect(states.filter((state) => state === 'accepted')).toHaveLength(answered);
      expect(asked).toHaveLength(AT_ONCE + answered);
    });
  }
});

test('a delivery that outlasts the stop is aborted and given back, and does not count as a try', async () => {
  await site.chat();
  await eventually(() => expect(asked).toHaveLength(1));
  site.outbox.stopClaiming();
  const asLong = performance.now() + 5_000;
  vi.spyOn(performance, 'now').mockReturnValue(asLong);
  await site.outbox.close();
  expect(await deliveries()).toMatchObject([{ state: 'waiting', claimedBy: null, tries: 0 }]);
  expect(log.lines).toEqual([]);
});

test('with nothing to do the database is asked less and less often', async () => {
  const looks: number[] = [];
  const { db } = site.database;
  const transaction = db.transaction.bind(db);
  vi.spyOn(db, 'transaction').mockImplementation(() => {
    looks.push(performance.now());
    return transaction();
  });
  site.outbox.wake();
  await eventually(() => expect(looks.length).toBeGreaterThanOrEqual(7));
  // Pauses of 10, 20, 40, 80, 160 and 320 ms.
  expect((looks[6] ?? 0) - (looks[0] ?? 0)).toBeGreaterThan(600);
});

test('a fault of ours is logged, shown to staff at its delivery, and holds up no other', async () => {
  const row = {
    channel: 'teams',
    topic: 'x',
    state: 'waiting',
    nextTryAt: 0,
    createdAt: 0,
  } as const;
  await site.database.db
    .insertInto('outbox')
    .values({ ...row, notice: 'no JSON' })
    .execute();
  await site.chat();
  await eventually(async () =>
    expect(await deliveries()).toMatchObject([
      { state: 'waiting', tries: 1, claimedBy: null, lastAnswer: 'a fault of ours: see the log' },
      { state: 'waiting', tries: 1 },
    ]),
  );
  // It is claimed before its receiver is asked.
  await eventually(() => expect(asked).toHaveLength(1));
  expect(log.lines).toMatchObject([
    { event: 'outbox-fault', channel: 'teams', message: expect.stringContaining('JSON') },
    { event: 'outbox-failed' },
  ]);
});

test('a database that is away is logged once each time, and what waits is sent when it is back', async () => {
  await site.outbox.close();
  const { db } = site.database;
  const away = () => {
    throw Object.assign(new Error('disk I/O error'), { errcode: 10 });
  };
  let transaction = vi.spyOn(db, 'transaction').mockImplementation(away);
  const outbox = await site.secondInstance();
  await eventually(() => expect(transaction.mock.calls.length).toBeGreaterThanOrEqual(2));
  expect(events()).toEqual(['outbox-database-away']);
  transaction.mockRestore();
  await site.chat();
  outbox.wake();
  await eventually(() => expect(asked).toHaveLength(1));
  transaction = vi.spyOn(db, 'transaction').mockImplementation(away);
  await eventually(() => expect(events()).toHaveLength(2));
  expect(log.lines[1]).toMatchObject({
    event: 'outbox-database-away',
    message: 'Error: disk I/O error',
  });
});
