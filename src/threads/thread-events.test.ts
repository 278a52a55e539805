/** Visitors and staff hear at once what is new in a thread: all of it, once, and only who may. */
import { connect } from 'node:net';
import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { databaseWithOutages } from '../../tests/support/database-outage.ts';
import { type EventReader, listen } from '../../tests/support/event-stream.ts';
import { eventually } from '../../tests/support/eventually.ts';
import { sendChatMessage } from '../../tests/support/staff-steps.ts';
import {
  ownTestApp,
  sharedTestApp,
  startTestApp,
  type TestApp,
  testDatabase,
} from '../../tests/support/test-app.ts';
import { MAX_STAFF_STREAMS, MAX_STREAMS, MAX_STREAMS_PER_ADDRESS } from '../limits.ts';
import { EventStreams } from '../platform/http/event-streams.server.ts';
import { DAY_MS, HOUR_MS } from '../platform/time.ts';
import { UNDO_MS } from './thread.ts';
import { addEntry, changeThread } from './thread-store.server.ts';

const YEAR_MS = 365 * DAY_MS;
const CHAT = '/api/chat/events';
const STAFF = '/api/admin/events';

/** Stores an answer that leaves at this time, as another instance would. */
async function answer({ database: { db } }: TestApp, thread: number, at = Date.now()) {
  const id = await addEntry(db, {
    threadId: thread,
    kind: 'staff',
    text: 'Yes.',
    authorId: 1,
    at,
  });
  await changeThread(db, thread);
  return id;
}

const heard = ({ events }: EventReader, event: string) =>
  events.filter((each) => each.event === event).map(({ data }) => JSON.parse(data));
/** Until the test ends; timers go on as they were. */
function passTime(ms: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
}

describe('with streams open', () => {
  const app = sharedTestApp();

  test('an answer is announced to its visitor once it has left, to colleagues at once, and to each once', async () => {
    // Its clock is an hour ahead later.
    const app = await ownTestApp();
    const { visitor, thread } = await sendChatMessage(app);
    const other = await listen((await sendChatMessage(app)).visitor, CHAT);
    const panel = await listen(visitor, CHAT);
    const desk = await listen(await app.staff(), STAFF);
    expect([panel.status, desk.status]).toEqual([200, 200]);
    const entry = await answer(app, thread, Date.now() + HOUR_MS);
    await eventually(() => expect(heard(desk, 'thread')).toEqual([{ thread }]));
    expect(panel.events).toEqual([]);
    passTime(HOUR_MS);
    await eventually(() => expect(heard(panel, 'conversation')).toEqual([{ entry }]));
    const next = await answer(app, thread);
    await eventually(() => expect(heard(panel, 'conversation')).toHaveLength(2));
    expect(heard(panel, 'conversation')).toEqual([{ entry }, { entry: next }]);
    expect(desk.events.length).toBeLessThanOrEqual(3);
    expect(other.events).toEqual([]);
  });

  test('a visitor hears nothing of notes and marks', async () => {
    const { visitor, thread } = await sendChatMessage(app);
    const panel = await listen(visitor, CHAT);
    const desk = await listen(await app.staff(), STAFF);
    const staff = await app.staff();
    await staff.post(`/api/admin/threads/${thread}/status`, { status: 'answered' });
    await eventually(() => expect(heard(desk, 'thread')).toContainEqual({ thread }));
    expect(panel.events).toEqual([]);
  });

  test('a change that commits seconds after its time is not missed', async () => {
    const { visitor, thread } = await sendChatMessage(app);
    const desk = await listen(visitor, CHAT);
    const before = { entry: await answer(app, thread) };
    await eventually(() => expect(heard(desk, 'conversation')).toEqual([before]));
    const entry = await answer(app, thread, Date.now() - 8_000);
    await eventually(() => expect(heard(desk, 'conversation')).toEqual([before, { entry }]));
  });

  test('whoever comes back has missed nothing and hears nothing again', async () => {
    const { visitor, thread } = await sendChatMessage(app);
    const first = await listen(visitor, CHAT);
    const heardEntry = await answer(app, thread);
    await eventually(() => expect(heard(first, 'conversation')).toEqual([{ entry: heardEntry }]));
    first.close();
    const missed = await answer(app, thread);
    const second = await listen(visitor, CHAT);
    const { entries } = (await visitor.get('/api/chat/conversation')).json;
    expect(entries.at(-1).id).toBe(missed);
    const next = await answer(app, thread);
    await eventually(() => expect(heard(second, 'conversation')).toEqual([{ entry: next }]));
  });

  test('a stream is sent as it is, and tells the browser when to come back', async () => {
    const panel = await listen((await sendChatMessage(app)).visitor, CHAT);
    expect(Object.fromEntries(panel.headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    });
    expect(panel.headers.get('content-encoding')).toBeNull();
    await eventually(() => expect(panel.beats).toBe(1));
  });

  test('says that a panel can show answers for as long as it is open', async () => {
    const { visitor, thread } = await sendChatMessage(app);
    const watchedAt = async () => {
      const threads = app.database.db.selectFrom('threads').select('watchedAt');
      return (await threads.where('id', '=', thread).executeTakeFirstOrThrow()).watchedAt;
    };
    expect(await watchedAt()).toBe(null);
    const [panel, tab] = [await listen(visitor, CHAT), await listen(visitor, CHAT)];
    await eventually(async () => expect(await watchedAt()).toBeGreaterThan(Date.now() - 5_000));
    const opened = await watchedAt();
    panel.close();
    // Each stream says it again at its beat.
    vi.useFakeTimers({ toFake: ['performance'] });
    vi.advanceTimersByTime(3_600_000);
    await eventually(async () => expect(await watchedAt()).toBeGreaterThan(opened ?? 0));
    vi.useRealTimers();
    tab.close();
    await eventually(async () => expect(await watchedAt()).toBe(null));
  });

  test('it ends with the conversation, and with the session of a colleague', async () => {
    const { visitor } = await sendChatMessage(app);
    const staff = await app.staff();
    const [panel, desk] = [await listen(visitor, CHAT), await listen(staff, STAFF)];
    await visitor.post('/api/chat/end');
    await eventually(() => expect(panel.ended).toBe(true));
    await staff.post('/api/admin/logout');
    vi.useFakeTimers({ toFake: ['performance'] });
    // Its clock begins at 0.
    vi.advanceTimersByTime(3_600_000);
    await eventually(() => expect(desk.ended).toBe(true));
    vi.useRealTimers();
  });

  /** A visitor and a colleague, and where each listens. */
  const bothSides = async () =>
    [
      [(await sendChatMessage(app)).visitor, CHAT],
      [await app.staff(), STAFF],
    ] as const;

  test('another site opens none, and neither does a request for the head alone', async () => {
    for (const [caller, path] of await bothSides()) {
      for (const site of ['cross-site', 'same-site'])
        expect((await caller.get(path, { 'Sec-Fetch-Site': site })).status).toBe(403);
      expect((await caller.get(path, { Origin: 'https://evil.example' })).status).toBe(403);
      const { status, headers } = await caller.send(path, { method: 'HEAD' });
      expect([status, headers.get('allow')]).toEqual([405, 'GET']);
      expect((await caller.get(path, { 'Sec-Fetch-Site': 'same-origin' })).status).toBe(200);
    }
  });

  test('an address has only so many; the next is asked to wait, until one has closed', async () => {
    for (const [caller, path] of await bothSides()) {
      const open = Array.from({ length: MAX_STREAMS_PER_ADDRESS }, () => listen(caller, path));
      const own = await Promise.all(open);
      expect(own.every(({ status }) => status === 200)).toBe(true);
      const refused = await listen(caller, path);
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
      expect((await listen(Object.assign(caller, { address: '203.0.113.7' }), path)).status).toBe(
        200,
      );
      caller.address = '203.0.113.8';
    }
  });

  test('a stream is one line of the log, whose duration is that until it began', async () => {
    const panel = await listen((await sendChatMessage(app)).visitor, CHAT);
    // A timer's clock begins at 0.
    vi.useFakeTimers({ toFake: ['performance'] });
    vi.advanceTimersByTime(YEAR_MS);
    panel.close();
    await eventually(async () => {
      const rows = await app.database.db
        .selectFrom('accessLog')
        .select('durationUs')
        .where('url', '=', CHAT)
        .where('status', '=', 200)
        .orderBy('id', 'desc')
        .execute();
      expect(rows[0]?.durationUs).toBeLessThan(YEAR_MS * 500);
    });
  });
});

test('a stop ends all streams at once and opens no more', async () => {
  const app = await startTestApp();
  const { visitor } = await sendChatMessage(app);
  const panel = await listen(visitor, CHAT);
  const desk = await listen(await app.staff(), STAFF);
  app.site.stopBeingReady();
  await eventually(() => expect([panel.ended, desk.ended]).toEqual([true, true]));
  expect((await listen(visitor, CHAT)).status).toBe(503);
  await app.stop();
});

test.runIf(inject('engine') === 'postgres')(
  'an answer that one instance takes reaches the panel on another',
  async () => {
    const { variables, drop } = await testDatabase({ filled: true });
    const one = await ownTestApp(variables);
    const other = await ownTestApp(variables);
    onTestFinished(async () => void (await drop()));
    const { visitor, thread } = await sendChatMessage(one);
    const elsewhere = other.visitor();
    elsewhere.cookies.set('chat', visitor.cookies.get('chat') ?? '');
    const panel = await listen(elsewhere, CHAT);
    const desk = await listen(await other.staff(), STAFF);
    const body = { kind: 'staff', text: 'Yes.', after: 2 ** 31 - 1, key: crypto.randomUUID() };
    const staff = await one.staff();
    expect((await staff.post(`/api/admin/threads/${thread}/entries`, body)).status).toBe(200);
    await eventually(() => expect(heard(desk, 'thread')[0]).toMatchObject({ thread }));
    expect(panel.events).toEqual([]);
    passTime(UNDO_MS);
    await eventually(() => expect(panel.events).toHaveLength(1));
  },
);

test.runIf(inject('engine') === 'postgres')(
  'a stream outlives the database, and goes on when it is back',
  async () => {
    const database = await databaseWithOutages();
    onTestFinished(async () => void (await database.drop()));
    await database.comeBack();
    const app = await ownTestApp(database.variables);
    await eventually(() => expect(app.site.isStarted()).toBe(true));
    const { visitor, thread } = await sendChatMessage(app);
    const panel = await listen(visitor, CHAT);
    await database.leave();
    const ready = async () => (await app.visitor().get('/readyz')).status;
    await eventually(async () => expect([await ready(), panel.ended]).toEqual([503, false]));
    await database.comeBack();
    const entry = await eventually(() => answer(app, thread));
    await eventually(() => expect(heard(panel, 'conversation')).toEqual([{ entry }]));
  },
);

/** Once: what an instance holds open does not depend on the database. */
describe.runIf(inject('engine') === 'sqlite')('an instance', () => {
  /** Opens streams without a server; the client takes nothing more while `writableNeedDrain`. */
  function instance() {
    const streams = new EventStreams<{ address: string; isStaff: boolean }>();
    const connection = () => {
      const outgoing = {
        ...{ writableNeedDrain: false, destroyed: false, writableEnded: false },
        ...{ req: { socket: {} }, writeHead: vi.fn(), write: vi.fn(), on: vi.fn(), once: vi.fn() },
        end: vi.fn(() => {
          outgoing.writableEnded = true;
        }),
        destroy: vi.fn(() => {
          outgoing.destroyed = true;
        }),
      };
      return outgoing;
    };
    /** Each from an address of its own. */
    let opened = 0;
    function newAddress(): string {
      opened += 1;
      return `10.${opened >> 8}.${opened & 255}.1`;
    }
    async function open(isStaff = false) {
      const outgoing = connection();
      const app = new Hono<{ Bindings: HttpBindings }>().get('/', (context) =>
        streams.answer(context, { address: newAddress(), isStaff }, () => undefined),
      );
      const { status, headers } = await app.request('/', {}, { outgoing });
      return { status, headers, outgoing };
    }
    return { streams, open };
  }

  test.each([
    ['visitors', false, MAX_STREAMS],
    ['staff', true, MAX_STAFF_STREAMS],
  ])('holds so many streams of %s, and the others beside them', async (_, isStaff, most) => {
    const { streams, open } = instance();
    for (let each = 0; each < most; each += 1) expect((await open(isStaff)).status).toBe(200);
    const refused = await open(isStaff);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '60']);
    expect((await open(!isStaff)).status).toBe(200);
    streams.close();
  });

  test('cuts off a client that reads nothing at its next beat', async () => {
    const { streams, open } = instance();
    const { outgoing } = await open();
    const [stream] = streams.open;
    outgoing.writableNeedDrain = true;
    stream?.beat();
    const written = outgoing.write.mock.calls.length;
    expect(outgoing.destroy).toHaveBeenCalledOnce();
    // Nothing is written to it any more, and its place is free.
    outgoing.writableNeedDrain = false;
    stream?.send({ event: 'thread', data: '{}' });
    expect(outgoing.write).toHaveBeenCalledTimes(written);
    streams.due();
    expect(streams.open.size).toBe(0);
  });

  test('has their places back from a client that asked for several on one connection and left', async () => {
    const app = await ownTestApp();
    const { visitor } = await sendChatMessage(app);
    const { hostname, port } = new URL(app.address);
    visitor.address = '127.0.0.1';
    const cookie = `chat=${visitor.cookies.get('chat')}`;
    const head = `GET ${CHAT} HTTP/1.1\r\nHost: ${hostname}\r\nCookie: ${cookie}\r\n\r\n`;
    const sockets = [1, 2].map(() => connect(Number(port), hostname));
    for (const socket of sockets) socket.write(head.repeat(MAX_STREAMS_PER_ADDRESS / 2));
    await eventually(async () => expect((await listen(visitor, CHAT)).status).toBe(429));
    for (const socket of sockets) socket.destroy();
    await eventually(async () => expect((await listen(visitor, CHAT)).status).toBe(200));
  });
});
