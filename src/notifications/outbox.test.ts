import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { eventually } from '../../tests/support/eventually.ts';
import { executedStatements } from '../../tests/support/executed-statements.ts';
import { type Behaviour, FakeTeams } from '../../tests/support/fake-teams.ts';
import { captureLog } from '../../tests/support/logged.ts';
import { siteWith } from '../../tests/support/site-with.ts';
import { insertChatMessage } from '../../tests/support/staff-steps.ts';
import {
  saveDeliveries,
  startTestOutbox,
  type TestOutbox,
} from '../../tests/support/test-outbox.ts';
import { chatReceived } from '../chat/chat-message.server.ts';
import { DatabaseUnavailable } from '../platform/database/database-unavailable.server.ts';
import type { Channel, DeliveryOutcome } from './notification.server.ts';
import { cleanOutbox, MAX_TRIES } from './outbox.server.ts';

const HOUR = 60 * 60 * 1000;

let site: TestOutbox;

/** A channel that is only this function. */
function channelOf(
  deliver: (signal: AbortSignal) => DeliveryOutcome | Promise<DeliveryOutcome>,
): Channel {
  return {
    name: 'teams',
    leavesCopies: true,
    paceMs: 0,
    deadlineMs: 60_000,
    deliver: async (_row, _notification, signal) => deliver(signal),
  };
}

describe('a site with Teams', () => {
  let teams: FakeTeams;
  beforeEach(async () => {
    teams = await FakeTeams.start();
    site = await startTestOutbox(teams.variables);
  });
  afterEach(async () => {
    await site.stop();
    await teams.stop();
  });

  test('sends nothing about a row that was rolled back', async () => {
    const undone = site.database.db.transaction().execute(async (trx) => {
      const id = await insertChatMessage({ database: { ...site.database, db: trx } }, {});
      await site.outbox.notify(trx, chatReceived, id);
      throw new Error('the transaction fails');
    });
    await expect(undone).rejects.toThrow('the transaction fails');
    await site.chat({ message: 'kept' });
    await site.becomes([{ state: 'accepted' }]);
    expect(teams.accepted).toMatchObject([{ text: expect.stringContaining('kept') }]);
  });

  test('tries a notification twelve times, then marks it as failed if others are accepted, and sends the next of its conversation', async () => {
    teams.behaviour = (text) => (text.includes('refused') ? { status: 500 } : 'accept');
    await site.chat({ message: 'refused' });
    await site.chat({ message: 'welcome' });
    let others = 0;
    const firstOnceAnotherIsAccepted = async () => {
      others += 1;
      await site.chat({ conversation: `other ${others}` });
      site.outbox.endPauses();
      const another = async () => (await site.deliveries())[others + 1]?.state;
      await expect.poll(another).toBe('accepted');
      await site.hurry();
      return (await site.deliveries())[0];
    };
    await expect
      .poll(firstOnceAnotherIsAccepted, { timeout: 30_000 })
      .toMatchObject({ state: 'failed', tries: MAX_TRIES });
    await expect.poll(async () => (await site.deliveries())[1]?.state).toBe('accepted');
  });

  test('finishes the delivery in progress when it stops, and keeps the rest for the next start', async () => {
    const { promise: held, resolve: answer } = Promise.withResolvers<Behaviour>();
    teams.behaviour = () => held;
    await site.chat({ message: 'under way' });
    await site.chat({ message: 'the rest' });
    await eventually(() => expect(teams.tries).toBe(1));
    const closed = site.outbox.close();
    expect(await Promise.race([closed, pause(50, 'still waiting')])).toBe('still waiting');
    answer('accept');
    await closed;
    expect(await site.deliveries()).toMatchObject([
      { state: 'accepted', claimedBy: null, tries: 1 },
      { state: 'waiting', claimedBy: null, tries: 0 },
    ]);
    await site.startInstance();
    await eventually(() => expect(teams.accepted).toHaveLength(2));
    expect(teams.accepted).toMatchObject([
      { text: expect.stringContaining('under way') },
      { text: expect.stringContaining('the rest') },
    ]);
  });

  test('deletes accepted and customers’ deliveries after 30 days, and keeps what staff have missed', async () => {
    const age = (days: number) => Date.now() - days * 24 * HOUR;
    const [old, young] = [{ settledAt: age(31) }, { settledAt: age(29) }];
    const missed = { state: 'failed', createdAt: age(40) } as const;
    await saveDeliveries(site.database.db, [
      { ...old, state: 'accepted' },
      { ...young, state: 'accepted' },
      { ...missed, ...old },
      { ...missed, ...old, channel: 'mail-customer' },
      { ...missed, ...young, channel: 'mail-customer' },
      { nextTryAt: Date.now() + HOUR / 2 },
    ]);
    const cleaning = cleanOutbox(siteWith(site.database));
    await cleaning.start();
    await cleaning.stop();
    const left = (await site.deliveries()).map(({ state, channel }) => `${state} ${channel}`);
    expect(left).toEqual([
      'accepted teams',
      'failed teams',
      'failed mail-customer',
      'waiting teams',
    ]);
  });

  test('deletes what a flood has left some at a time', async () => {
    const old = Date.now() - 31 * 24 * HOUR;
    const { db } = site.database;
    const flood = Array.from({ length: 1_200 }, (_, n) => n);
    await saveDeliveries(
      db,
      flood.map(() => ({ state: 'accepted', createdAt: old, settledAt: old })),
    );
    const recipients = flood.map((n) => ({ email: `${n}@flood.example`, since: old }));
    await db.insertInto('mailRecipients').values(recipients).execute();
    const executed = executedStatements(site);
    const cleaning = cleanOutbox(siteWith(site.database));
    await cleaning.start();
    await cleaning.stop();
    for (const table of ['outbox', 'mailRecipients'] as const) {
      const deleting = executed.filter((sql) => sql.startsWith(`delete from "${table}"`));
      expect(deleting.length).toBeGreaterThanOrEqual(3);
      expect(await db.selectFrom(table).selectAll().execute()).toEqual([]);
    }
  });

  describe.runIf(inject('engine') === 'postgres')('with several instances', () => {
    test('sends every card once, and each conversation in order', async () => {
      await Promise.all([site.startInstance(), site.startInstance()]);
      const conversations = [0, 1, 2, 3, 4];
      for (let index = 0; index < 30; index += 1)
        await site.chat({ conversation: `${index % 5}`, message: `message ${index};` });
      await site.becomes(Array(30).fill({ state: 'accepted' }));
      const order = teams.accepted.map(({ text }) => Number(/message (\d+);/.exec(text)?.[1]));
      expect(order).toHaveLength(30);
      for (const first of conversations)
        expect(order.filter((index) => index % 5 === first)).toEqual(
          [0, 5, 10, 15, 20, 25].map((later) => first + later),
        );
    });

    test('takes over a dead instance’s delivery once its claim has expired', async () => {
      await site.outbox.close();
      const other = await site.startInstance();
      const { db } = site.database;
      const { promise: held, resolve: answer } = Promise.withResolvers<Behaviour>();
      teams.behaviour = () => held;
      await site.chat();
      other.wake();
      await eventually(() => expect(teams.tries).toBe(1));
      await db.updateTable('outbox').set({ claimedBy: 'the dead' }).execute();
      other.stopClaiming();
      teams.behaviour = () => 'accept';
      await site.startInstance();
      const id = await site.chat({ conversation: 'another' });
      await eventually(() => expect(teams.accepted).toHaveLength(1));
      expect(teams.accepted[0]?.text).toContain(`T-${id}`);
      await db.updateTable('outbox').set({ nextTryAt: Date.now() }).where('id', '=', 1).execute();
      await eventually(() => expect(teams.accepted).toHaveLength(2));
      answer('reset');
    });
  });
});

test('a receiver that stays away is tried ever more rarely, whatever became obsolete meanwhile', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  let ahead = 0;
  const [date, elapsed] = [Date.now(), Math.round(performance.now())];
  vi.spyOn(Date, 'now').mockImplementation(() => date + ahead);
  vi.spyOn(performance, 'now').mockImplementation(() => elapsed + ahead);
  const channel = channelOf(() => ({ kind: 'unavailable', answer: '', about: 'all' }));
  site = await startTestOutbox({}, [channel]);
  const passSeconds = (seconds: number) => {
    ahead += seconds * 1_000;
    site.outbox.wake();
  };
  const triedAgainIn = (ms: number) =>
    expect.poll(async () => (await site.deliveries()).at(-1)?.nextTryAt).toBe(date + ahead + ms);
  // About a row that has been deleted, and due before the third try.
  await saveDeliveries(site.database.db, [{ subjectId: 999, nextTryAt: date + 30_000 }]);
  await site.chat();
  await triedAgainIn(1_000);
  passSeconds(10);
  await triedAgainIn(2_500);
  passSeconds(20);
  await triedAgainIn(6_250);
  await site.stop();
});

describe('a worker', () => {
  let answers: ((outcome: DeliveryOutcome) => void)[];
  let log: ReturnType<typeof captureLog>;
  beforeEach(async () => {
    answers = [];
    log = captureLog();
    const channel = channelOf(
      (signal) =>
        new Promise<DeliveryOutcome>((resolve) => {
          answers.push(resolve);
          signal.addEventListener('abort', () =>
            resolve({ kind: 'unavailable', answer: 'cut', about: 'unknown' }),
          );
        }),
    );
    site = await startTestOutbox({}, [channel]);
  });
  /** Stores a chat message whose notification the worker is now delivering. */
  async function claimChat(): Promise<void> {
    await site.chat();
    await eventually(() => expect(answers).toHaveLength(1));
  }
  const insertDelivery = () => saveDeliveries(site.database.db, [{}]);
  afterEach(async () => {
    for (const answer of answers) answer({ kind: 'accepted', answer: 'yes' });
    await site.stop();
  });

  test('puts back a delivery that outlasts the stop, without counting a try', async () => {
    await claimChat();
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    site.outbox.stopClaiming();
    vi.advanceTimersByTime(5_000);
    vi.useRealTimers();
    await site.outbox.close();
    expect(await site.deliveries()).toMatchObject([
      { state: 'waiting', claimedBy: null, tries: 0 },
    ]);
    expect(log.lines).toEqual([]);
  });

  test('does not count a try while the database is unavailable', async () => {
    await claimChat();
    const find = vi.spyOn(chatReceived, 'find');
    find.mockRejectedValueOnce(new DatabaseUnavailable('the disk is gone'));
    await insertDelivery();
    for (const turn of [0, 1]) {
      await eventually(() => expect(answers).toHaveLength(turn + 1));
      answers[turn]?.({ kind: 'accepted', answer: 'yes' });
    }
    await site.becomes([{ tries: 1 }, { state: 'accepted', tries: 1 }]);
    expect(find).toHaveBeenCalledTimes(2);
    expect(log.lines).toEqual([]);
  });

  test('logs its own fault, shows it to staff at the delivery, and goes on with the next', async () => {
    // The second try never comes meanwhile, however slow the machine is.
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now());
    const find = vi.spyOn(chatReceived, 'find').mockRejectedValue(new Error('a bug'));
    await insertDelivery();
    const lastAnswer = 'a fault of ours: see the log';
    await site.becomes([{ state: 'waiting', tries: 1, claimedBy: null, lastAnswer }]);
    find.mockRestore();
    clock.mockRestore();
    await claimChat();
    expect(log.lines).toMatchObject([
      {
        event: 'outbox-worker-failed',
        channel: 'teams',
        message: expect.stringContaining('a bug'),
      },
      { event: 'outbox-attempt-failed' },
    ]);
  });
});
