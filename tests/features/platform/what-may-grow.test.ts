/** What strangers can store in a day has one limit for all of it, measured where it is stored. */
import { sql } from 'kysely';
import { beforeEach, expect, test, vi } from 'vitest';
import {
  MAX_CHAT_MESSAGE,
  MAX_CONTACT_MESSAGE,
  MAX_QUOTE_NOTE,
  STORED_A_DAY,
} from '../../../src/limits.ts';
import type { StoredKind } from '../../../src/platform/storage-budget.server.ts';
import { DAY_MS, HOUR_MS } from '../../../src/platform/time.ts';
import { SAMPLE_MESSAGE, SAMPLE_ORDER } from '../../support/call-row.ts';
import { ask, everyCall, makeScene } from '../../support/every-call.ts';
import { notifiedSite } from '../../support/notified-site.ts';
import { customer } from '../../support/own-page.ts';
import { QUOTE } from '../../support/quote-site.ts';
import { OWN_PASSWORD } from '../../support/test-app.ts';
import { variant } from '../../support/variant.ts';
import type { Answered, Visitor } from '../../support/visitor.ts';

const site = notifiedSite('all tests', OWN_PASSWORD);

const KINDS = Object.keys(STORED_A_DAY) as StoredKind[];

/** Leaves this many bytes of the day's budget of these kinds, as seen `hoursAgo`. */
async function leave(bytes: number, kinds = KINDS, hoursAgo = 0): Promise<void> {
  const { db } = site.app.database;
  const hour = Math.floor(Date.now() / HOUR_MS) - hoursAgo;
  const rows = kinds.map((kind) => ({
    ...{ kind, hour, network: '', warned: 1 as const },
    bytes: STORED_A_DAY[kind] - bytes,
  }));
  await db.deleteFrom('storedBytes').execute();
  await db.insertInto('storedBytes').values(rows).execute();
}

beforeEach(async () => void (await site.app.database.db.deleteFrom('storedBytes').execute()));

/** Bytes of all tables and indexes but the access log's, which has a limit of its own. */
async function storedBytes(): Promise<number> {
  const { db, engine } = site.app.database;
  const { rows } = await (engine === 'sqlite'
    ? sql<{
        bytes: number;
      }>`select sum(pgsize) as bytes from dbstat where name not like '%accessLog%'`
    : sql<{
        bytes: number;
      }>`select cast(sum(pg_total_relation_size(oid)) as bigint) as bytes from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and relname not like 'accessLog%'`
  ).execute(db);
  return Number(rows[0]?.bytes);
}

const post = (path: string, body: object, by = site.app.visitor()) => by.post(path, body);

const SHORT = 'Our phones are down.';

let senders = 0;
const newEmail = () => {
  senders += 1;
  return `sender-${senders}@dealer.example`;
};

/** What a stranger can store, each time as another visitor with another address. */
const STORING: Record<string, (text: string, by?: Visitor) => Promise<Answered>> = {
  message: (message, by) =>
    post('/api/contact', { ...SAMPLE_MESSAGE, email: newEmail(), message }, by),
  chat: (text, by) =>
    post('/api/teams-chat', { message: text.slice(0, MAX_CHAT_MESSAGE), email: newEmail() }, by),
  quote: (text, by) =>
    post('/api/quotes', { ...QUOTE, email: newEmail(), note: text.slice(0, MAX_QUOTE_NOTE) }, by),
  report: (_, by) =>
    post('/api/safeguards-report', { email: newEmail(), answers: { mfa: 'no' } }, by),
  links: (_, by) => post('/api/order-page/links', { email: newEmail() }, by),
  order: (_, by) => post('/api/create-payment-intent', { ...SAMPLE_ORDER, email: newEmail() }, by),
  async payment() {
    const buyer = site.app.visitor();
    const order = { ...SAMPLE_ORDER, email: newEmail() };
    const placed = await post('/api/create-payment-intent', order, buyer);
    const { clientSecret } = placed.json;
    if (placed.status !== 200) return placed;
    return post('/api/test-payments/confirm', { clientSecret, token: 'succeeds' }, buyer);
  },
};

test('no call of a stranger adds a row once the budget of the day is used up, until a day later', async () => {
  const { app } = site;
  const scene = await makeScene(app);
  const { ask: askOwn } = await customer(app);
  await site.allAccepted();
  await leave(0);
  const before = await rowCounts();
  for (const known of everyCall(app))
    if (known.call.access !== 'staff') await ask(app.visitor(), known, scene, 'owner');
  for (const store of Object.values(STORING)) expect((await store(SHORT)).status).toBe(503);
  for (const change of ['cancel', 'keep']) expect((await askOwn(change)).status).toBe(503);
  expect(await rowCounts()).toEqual(before);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + DAY_MS + HOUR_MS });
  expect((await STORING.message?.(SHORT))?.status).toBe(200);
});

test('a change of a plan at the test gateway takes of the budget', async () => {
  const { ask: askOwn } = await customer(site.app);
  await leave(1);
  expect((await askOwn('cancel')).status).toBe(200);
  expect((await askOwn('keep')).status).toBe(503);
});

variant('what strangers store in a day takes no more bytes than its budget', async () => {
  const budget = 800_000;
  const before = await storedBytes();
  await leave(budget / KINDS.length);
  const texts = [SHORT, '😀'.repeat(MAX_CONTACT_MESSAGE / 2)];
  const stored: Record<string, number> = {};
  for (let round = 0, accepted = 1; accepted > 0; round += 1) {
    accepted = 0;
    for (const [what, store] of Object.entries(STORING)) {
      const { status, headers, json } = await store(texts[round % 2] ?? '');
      if (status === 503) {
        expect([headers.get('retry-after'), json.message]).toEqual([
          '3600',
          expect.stringContaining('Please call (800) 555-0199.'),
        ]);
        continue;
      }
      expect([what, status]).toEqual([what, expect.toBeOneOf([200, 201, 204])]);
      accepted += 1;
      stored[what] = (stored[what] ?? 0) + 1;
    }
  }
  expect(Object.keys(stored)).toEqual(Object.keys(STORING));
  const grown = (await storedBytes()) - before;
  expect(grown).toBeLessThan(budget);
});

const LONG = 'x'.repeat(MAX_CONTACT_MESSAGE);
const from = (address: string) => Object.assign(site.app.visitor(), { address });
const write = (by: Visitor) =>
  by.post('/api/contact', { ...SAMPLE_MESSAGE, email: newEmail(), message: LONG });
const chat = (by: Visitor) => by.post('/api/teams-chat', { message: SHORT, email: newEmail() });

/** How many of twenty messages from as many addresses, at the same moment, are stored. */
async function flood(address: (n: number) => string): Promise<number> {
  const writers = Array.from({ length: 20 }, (_, n) => from(address(n)));
  const answers = await Promise.all(writers.map(write));
  return answers.filter(({ status }) => status === 200).length;
}

test.each([
  ['an IPv6 /48', (n: number) => `2001:db8:7:${n.toString(16)}::1`],
  ['an IPv4 /24', (n: number) => `203.0.113.${n}`],
])('a flood from %s stops at its share, and everybody else can write', async (_, address) => {
  // Space for 50 long messages, of which one network gets a twentieth of what is left.
  await leave(50 * 14_000, ['messages']);
  expect(await flood(address)).toBe(3);
  expect((await write(from('198.51.100.7'))).status).toBe(200);
  expect((await write(from('2001:db8:8::1'))).status).toBe(200);
  // By another kind it has stored nothing.
  expect((await chat(from(address(101)))).status).toBe(200);
});

test.each(Object.keys(STORING).filter((what) => what !== 'payment'))(
  'a network that stores by %s takes of its own share, and leaves the others theirs',
  async (what) => {
    // Each network may store one thing more.
    await leave(80_000);
    const statusFrom = async (address: string) =>
      (await STORING[what]?.(SHORT, from(address)))?.status;
    expect(await statusFrom('203.0.113.9')).toBeLessThan(300);
    expect(await statusFrom('203.0.113.10')).toBe(503);
    expect(await statusFrom('198.51.100.7')).toBeLessThan(300);
  },
);

test('messages use up no space of chats, quotes and orders', async () => {
  await leave(0, ['messages']);
  for (const [what, store] of Object.entries(STORING))
    expect([what, (await store(SHORT)).status]).toEqual([
      what,
      what === 'message' ? 503 : expect.toBeOneOf([200, 201, 204]),
    ]);
});

test('the space of an hour is there again a day later, and hours of a clock that was ahead do not count', async () => {
  for (const [hoursAgo, status] of [
    [24, 503],
    [25, 200],
    [-1, 200],
  ] as const) {
    await leave(0, ['messages'], hoursAgo);
    expect([hoursAgo, (await write(site.app.visitor())).status]).toEqual([hoursAgo, status]);
  }
});

test('staff hear once that half of a kind is used up', async () => {
  const { db } = site.app.database;
  await leave(STORED_A_DAY.chats / 2 + 10_000, ['chats']);
  await db.updateTable('storedBytes').set({ warned: 0 }).execute();
  const warnings = async () =>
    (await site.deliveries()).filter(({ kind }) => kind === 'storage-warning').length;
  const before = await warnings();
  await chat(site.app.visitor());
  expect(await warnings()).toBe(before);
  for (let n = 0; n < 5; n += 1) await chat(site.app.visitor());
  // One card and one email.
  expect((await warnings()) - before).toBe(2);
  await site.allAccepted();
  expect(JSON.stringify(site.teams.accepted)).toContain(
    'Chat messages: half of a day’s space is used up',
  );
});

/** Rows of every table but those that have a number of rows of their own that they never exceed. */
async function rowCounts(): Promise<Record<string, number>> {
  const { db } = site.app.database;
  const counts: Record<string, number> = {};
  for (const { name } of await db.introspection.getTables()) {
    if (/^(accessLog.*|audit|mailboxTurns|signInFailures|signingKeys|writeProbes)$/.test(name))
      continue;
    const { rows } = await sql<{
      count: number;
    }>`select count(*) as count from ${sql.table(name)}`.execute(db);
    counts[name] = Number(rows[0]?.count);
  }
  return counts;
}
