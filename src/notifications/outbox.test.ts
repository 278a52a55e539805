import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { eventually } from '../../tests/support/eventually.ts';
import { type Behaviour, FakeTeams } from '../../tests/support/fake-teams.ts';
import { Mailbox } from '../../tests/support/mailbox.ts';
import { startTestOutbox, type TestOutbox } from '../../tests/support/test-outbox.ts';
import { chatReceived } from '../chat/chat-message.server.ts';
import { deliveriesAbout } from './deliveries-about.server.ts';
import { MOST_TRIES, pauseMs } from './notification.server.ts';
import { nextDueAt } from './outbox-store.server.ts';

const HOUR = 60 * 60 * 1000;

let teams: FakeTeams;
let site: TestOutbox;

beforeEach(async () => {
  teams = await FakeTeams.start();
  site = await startTestOutbox(teams.variables);
});
afterEach(async () => {
  await site.stop();
  await teams.stop();
});

const deliveries = () => site.database.db.selectFrom('outbox').selectAll().orderBy('id').execute();

function say(db: TestOutbox['database']['db'], message: string) {
  return db
    .insertInto('chatMessages')
    .values({ conversation: 'x', message, response: '', mark: 'new', createdAt: Date.now() })
    .returning('id')
    .executeTakeFirstOrThrow();
}

describe('a notification', () => {
  test('stands and falls with the transaction that stores it', async () => {
    const { db } = site.database;
    const undone = db.transaction().execute(async (trx) => {
      const { id } = await say(trx, 'gone');
      await site.outbox.notify(trx, chatReceived, id);
      throw new Error('the story ends badly');
    });
    await expect(undone).rejects.toThrow('the story ends badly');
    await site.chat({ message: 'kept' });
    await eventually(() => expect(teams.accepted).toHaveLength(1));
    expect(teams.accepted[0]?.text).toContain('kept');
    expect(await deliveries()).toHaveLength(1);
  });

  test('is sent though its transaction ends long after the outbox was woken', async () => {
    const { db } = site.database;
    await db.transaction().execute(async (trx) => {
      const { id } = await say(trx, 'late');
      await site.outbox.notify(trx, chatReceived, id);
      await new Promise((resolve) => setTimeout(resolve, 300));
    });
    await eventually(() => expect(teams.accepted).toHaveLength(1));
  });

  test('is dropped when what it is about has been deleted', async () => {
    teams.behaviour = () => ({ status: 500 });
    const id = await site.chat();
    await eventually(() => expect(teams.tries).toBe(1));
    await site.database.db.deleteFrom('chatMessages').where('id', '=', id).execute();
    await eventually(async () => {
      await site.hurry();
      expect(await deliveries()).toEqual([]);
    });
    expect(teams.tries).toBe(1);
  });

  test('is tried twelve times, then set aside', async () => {
    teams.behaviour = () => ({ status: 500 });
    await site.chat();
    await eventually(async () => {
      await site.hurry();
      expect(await deliveries()).toMatchObject([{ state: 'set aside', tries: MOST_TRIES }]);
    });
    expect(teams.tries).toBe(MOST_TRIES);
  });

  test('lets later news of its topic pass once it is set aside', async () => {
    teams.behaviour = (text) => (text.includes('refused') ? { status: 400 } : 'accept');
    await site.chat({ message: 'refused' });
    await site.chat({ message: 'welcome' });
    await eventually(() => expect(teams.accepted).toHaveLength(1));
    await eventually(async () =>
      expect((await deliveries()).map(({ state }) => state)).toEqual(['set aside', 'accepted']),
    );
  });
});

test('the next look is at the earliest delivery that is not due yet, or at the channel’s next turn', async () => {
  const { db } = site.database;
  const now = Date.now();
  const [turn, first, second] = [now + 60_000, now + 120_000, now + 180_000];
  const row = {
    channel: 'teams',
    topic: 'x',
    notice: '{}',
    state: 'waiting',
    createdAt: now,
  } as const;
  await site.outbox.close();
  await db
    .insertInto('outbox')
    .values([second, now - 1, first].map((nextTryAt) => ({ ...row, nextTryAt })))
    .execute();
  expect(await nextDueAt(db, 'teams')).toBe(first);
  expect(await nextDueAt(db, 'mail-staff')).toBe(Number.POSITIVE_INFINITY);
  // Another channel's turn is none of its own.
  await db
    .insertInto('outboxPace')
    .values({ channel: 'mail-staff', nextAt: now + 30_000 })
    .execute();
  expect(await nextDueAt(db, 'teams')).toBe(first);
  await db.insertInto('outboxPace').values({ channel: 'teams', nextAt: turn }).execute();
  expect(await nextDueAt(db, 'teams')).toBe(turn);
});

test('the pauses grow from a second to an hour, never twice the same', () => {
  const pauses = Array.from({ length: MOST_TRIES - 1 }, (_, index) => pauseMs(index + 1));
  expect(pauses[0]).toBeGreaterThanOrEqual(750);
  expect(pauses[0]).toBeLessThanOrEqual(1250);
  for (const [index, pause] of pauses.slice(1, 8).entries())
    expect(pause).toBeGreaterThan(pauses[index] ?? 0);
  expect(Math.max(...pauses)).toBeLessThanOrEqual(75 * 60 * 1000);
  expect(new Set(Array.from({ length: 50 }, () => pauseMs(5))).size).toBeGreaterThan(40);
});

test('all tries together take some three hours, the last pause an hour, a quarter more or less', () => {
  const chance = vi.spyOn(Math, 'random').mockReturnValue(0.5);
  const pauses = Array.from({ length: MOST_TRIES - 1 }, (_, index) => pauseMs(index + 1));
  expect([pauses[0], pauses.at(-1)]).toEqual([1_000, HOUR]);
  const hours = pauses.reduce((sum, pause) => sum + pause) / HOUR;
  expect(Math.round(hours)).toBe(3);
  expect([0, 1].map((luck) => chance.mockReturnValue(luck) && pauseMs(1))).toEqual([750, 1250]);
  chance.mockRestore();
});

describe('a stop', () => {
  test('lets what is under way finish, and keeps the rest for the next start', async () => {
    const { promise: held, resolve: answer } = Promise.withResolvers<Behaviour>();
    teams.behaviour = () => held;
    // Of one conversation: the second waits for the first.
    await site.chat({ message: 'under way' });
    await site.chat({ message: 'the rest' });
    await eventually(() => expect(teams.tries).toBe(1));
    const closed = site.outbox.close();
    expect(await Promise.race([closed, pause(50, 'still waiting')])).toBe('still waiting');
    answer('accept');
    await closed;
    expect(await deliveries()).toMatchObject([
      { state: 'accepted', claimedBy: null, tries: 1 },
      { state: 'waiting', claimedBy: null, tries: 0 },
    ]);
    await site.secondInstance();
    await eventually(() => expect(teams.accepted).toHaveLength(2));
    expect(teams.accepted.map(({ text }) => /under way|the rest/.exec(text)?.[0])).toEqual([
      'under way',
      'the rest',
    ]);
  });

  test('begins nothing from the moment it is announced', async () => {
    site.outbox.stopClaiming();
    await site.chat();
    site.outbox.wake();
    await pause(200);
    expect(teams.tries).toBe(0);
    expect(await deliveries()).toMatchObject([{ state: 'waiting', tries: 0 }]);
  });

  test('gives back what a receiver that hangs has not answered', async () => {
    teams.behaviour = () => 'hang';
    await site.chat();
    await eventually(() => expect(teams.tries).toBe(1));
    await site.outbox.close();
    expect(await deliveries()).toMatchObject([{ state: 'waiting', claimedBy: null }]);
  });
});

test('mail and Teams do not wait for each other', async () => {
  const mailbox = await Mailbox.start();
  const both = await startTestOutbox({ ...teams.variables, ...mailbox.variables });
  teams.behaviour = () => 'hang';
  await both.submit();
  await eventually(() => expect(mailbox.mails).toHaveLength(2));
  expect(teams.accepted).toEqual([]);
  await both.stop();
  await mailbox.stop();
});

test('what was accepted, or is the customer’s own, is forgotten after 30 days; what staff have missed is kept', async () => {
  const day = 24 * HOUR;
  const age = (days: number) => Date.now() - days * day;
  const row = {
    channel: 'teams',
    topic: 'x',
    notice: '{}',
    nextTryAt: Date.now() + 30 * 60_000,
    createdAt: age(40),
  } as const;
  await site.database.db
    .insertInto('outbox')
    .values([
      { ...row, state: 'accepted', settledAt: age(31) },
      { ...row, state: 'accepted', settledAt: age(29) },
      { ...row, state: 'set aside', settledAt: age(31) },
      { ...row, state: 'set aside', settledAt: age(31), channel: 'mail-customer' },
      { ...row, state: 'set aside', settledAt: age(29), channel: 'mail-customer' },
      { ...row, state: 'waiting' },
    ])
    .execute();
  await site.secondInstance();
  expect(
    (await deliveries()).map(({ state, channel, settledAt }) => [
      state,
      channel,
      settledAt && settledAt > age(30),
    ]),
  ).toEqual([
    ['accepted', 'teams', true],
    ['set aside', 'teams', false],
    ['set aside', 'mail-customer', true],
    ['waiting', 'teams', null],
  ]);
});

test('of somebody who has written very often each delivery is found once', async () => {
  const { db } = site.database;
  await site.outbox.close();
  const subjects = Array.from({ length: 501 }, (_, index) => ({
    id: index + 1,
    reference: `C-${index + 1}`,
    topic: `contact ${index + 1}`,
  }));
  const row = { channel: 'teams', state: 'waiting', nextTryAt: 0, createdAt: 0 } as const;
  const about = [501, 1, 502].map((submissionId) => ({
    ...row,
    topic: `contact ${submissionId}`,
    notice: JSON.stringify({ kind: 'contact-received', submissionId }),
  }));
  await db.insertInto('outbox').values(about).execute();
  const found = await deliveriesAbout(db, subjects);
  expect(found.map(({ reference }) => reference)).toEqual(['C-501', 'C-1']);
});
