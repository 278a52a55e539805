/**
 * Every answer at its largest: how long it takes, then how much memory 2,000 readers that do not read cost, and how long
 * others wait beside them. `npm run bench unread SQLite prices quotes` measures the calls with one
 * of these words in their path, on that database.
 */
import type { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { MAX_CHAT_MESSAGE, MAX_CONTACT_MESSAGE } from '../../src/limits.ts';
import { openDatabase } from '../../src/platform/database/database.server.ts';
import { SAMPLE_ORDER } from '../support/call-row.ts';
import { CALL_ROWS } from '../support/call-rows.ts';
import { findPostgres } from '../support/find-postgres.ts';
import { Postgres } from '../support/postgres.ts';
import { memoryMegabytes, startServer } from '../support/server-process.ts';
import { connectMany } from '../support/slow-clients.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { signedIn, Visitor } from '../support/visitor.ts';
import { figure, median, timed } from './measure.ts';

const READERS = 2_000;
const MAX_MB = 400;
const MAX_MS = 10;
const ROUNDS = 15;
const [, , , ...WORDS] = process.argv;
const ENGINES = ['SQLite', 'PostgreSQL'];
const PARTS = WORDS.filter((word) => !ENGINES.includes(word));
/** Until the readers' requests have been worked on, at most. */
const MAX_WAIT_MS = 30_000;

export async function benchUnread(): Promise<void> {
  const [only] = ENGINES.filter((engine) => WORDS.includes(engine));
  if (only !== 'PostgreSQL') await measure('SQLite', { DATA_DIR: temporaryFolder() });
  if (only === 'SQLite') return;
  if (!findPostgres()) return console.log('PostgreSQL is missing: only SQLite was measured');
  const postgres = await Postgres.create();
  await postgres.start();
  await measure('PostgreSQL', { DATABASE_URL: postgres.url });
  await postgres.remove();
}

async function measure(engine: string, variables: Record<string, string>): Promise<void> {
  const filled = await startServer(variables);
  const visitor = new Visitor(filled.address);
  await visitor.post('/api/teams-chat', { message: 'Anybody there?' });
  const quote = { planId: 1, name: 'Jane Doe', email: SAMPLE_ORDER.email, ms365Option: 'none' };
  const body = { ...quote, ms365Users: 0, includeCloudBackup: false };
  const saved = await visitor.post('/api/quotes', body);
  const { json } = await visitor.post('/api/create-payment-intent', SAMPLE_ORDER);
  const { orderId, clientSecret } = json;
  await visitor.post('/api/test-payments/confirm', { clientSecret, token: 'succeeds' });
  await fill(variables, Number(orderId));
  const staff = await signedIn(filled.address);
  const cookies = [...staff.cookies, ...visitor.cookies].map((pair) => pair.join('=')).join('; ');
  const ids: Record<string, string> = { quotes: saved.json.reference.slice(2), orders: orderId };
  const { page } = (await visitor.get(`/api/orders/${orderId}`)).json;
  const token = new URL(page).hash.slice(1);
  const paths: [string, string, string][] = Object.entries(CALL_ROWS).flatMap(([name, row]) => {
    const [method = '', path = ''] = name.split(' ');
    const shown =
      row.path?.({ owner: visitor, orderId, clientSecret }) ??
      path.replace(/(\w+)\/:\w+/, (_, noun) => `${noun}/${ids[noun] ?? 1}`);
    return method === 'GET' ? [[method, shown, '']] : [];
  });
  paths.push(['POST', '/api/order-page', JSON.stringify({ token })]);
  paths.push(['POST', '/api/quote', JSON.stringify({ token: saved.json.url.split('/quote/')[1] })]);
  await filled.stop();
  for (const [method, path, body] of paths) {
    const what = `${engine}: ${method} ${path}`;
    if (PARTS.length > 0 && !PARTS.some((part) => path.includes(part))) continue;
    // A new one for each, since the last is still at work for its readers.
    const site = await startServer(variables);
    const head = `${method} ${path} HTTP/1.1\r\nHost: ${new URL(site.address).host}\r\n`;
    const type = `Origin: ${site.address}\r\nContent-Type: application/json\r\n`;
    const rest = `${type}Content-Length: ${body.length}\r\nCookie: ${cookies}\r\n\r\n${body}`;
    const isStream = path.endsWith('/events');
    const ask = async () => {
      const headers = { Cookie: cookies, 'X-Forwarded-For': new Visitor('').address };
      const json = { Origin: site.address, 'Content-Type': 'application/json' };
      const sent = body ? { body, headers: { ...headers, ...json } } : { headers };
      await (await fetch(site.address + path, { method, ...sent })).bytes();
    };
    const other = () => timed(() => new Visitor(site.address).get('/api/payment-config'));
    if (!isStream && !path.includes('download')) {
      const own: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) own.push(await timed(ask));
      figure(`${what}: one, ms`, median(own), { atMost: MAX_MS });
    }
    let reader = 0;
    const sockets: Socket[] = await connectMany(site.address, READERS, (socket) => {
      reader += 1;
      const from = `X-Forwarded-For: 10.9.${reader >> 8}.${reader & 255}\r\n`;
      socket.pause().write(head + from + rest);
    });
    for (const began = performance.now(); performance.now() - began < MAX_WAIT_MS; )
      if (Math.max(await other(), await other()) < MAX_MS) break;
      else await setTimeout(200);
    figure(`${what}: ${READERS} unread, MB`, memoryMegabytes(site.child), { atMost: MAX_MB });
    const waits: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) waits.push(await other());
    figure(`${what}: another call beside them, ms`, median(waits), { atMost: MAX_MS });
    for (const socket of sockets) socket.destroy();
    await site.stop('SIGKILL');
  }
}

/** As much as lists, one conversation and one order can show. */
async function fill(variables: Record<string, string>, orderId: number): Promise<void> {
  const { db, close } = await openDatabase(
    { databaseUrl: variables.DATABASE_URL ?? null, dataDir: variables.DATA_DIR ?? '' },
    { alongsideServer: true },
  );
  const at = Date.now();
  const many = Array.from({ length: 1_000 }, (_, index) => 10_000 + index);
  const thread = {
    kind: 'contact',
    status: 'new',
    createdAt: at,
    lastAt: at,
    waitsSince: at,
    changedAt: at,
  } as const;
  const threads = many.map(() => thread);
  const added = await db.insertInto('threads').values(threads).returning('id').execute();
  const text = '“'.repeat(MAX_CONTACT_MESSAGE);
  const written = added.map(({ id }) => ({ threadId: id, kind: 'visitor', text, at }) as const);
  await db.insertInto('entries').values(written).execute();
  const message = { threadId: 1, kind: 'visitor', text: '“'.repeat(MAX_CHAT_MESSAGE), at } as const;
  await db
    .insertInto('entries')
    .values(many.slice(0, 490).map(() => message))
    .execute();
  const [order, subscription, quote] = await Promise.all([
    db.selectFrom('orders').selectAll().where('id', '=', orderId).executeTakeFirstOrThrow(),
    db
      .selectFrom('subscriptions')
      .selectAll()
      .where('orderId', '=', orderId)
      .executeTakeFirstOrThrow(),
    db.selectFrom('quotes').selectAll().executeTakeFirstOrThrow(),
  ]);
  const long = { name: '“'.repeat(100), company: '“'.repeat(100) };
  for (const ids of [many, many.map((id) => id + 1_000), many.map((id) => id + 2_000)]) {
    await db
      .insertInto('orders')
      .values(
        ids.map((id) => ({
          ...order,
          ...long,
          id,
          idempotencyKey: null,
          status: 'pending' as const,
        })),
      )
      .execute();
    const own = { paymentId: null, subscriptionId: null };
    await db
      .insertInto('subscriptions')
      .values(ids.map((id) => ({ ...subscription, ...own, orderId: id })))
      .execute();
    await db
      .insertInto('quotes')
      .values(ids.map((id) => ({ ...quote, ...long, id, note: '“'.repeat(500) })))
      .execute();
  }
  const event = {
    orderId,
    at,
    kind: 'link-made',
    data: '{}',
    actor: JSON.stringify({ is: 'site' }),
  };
  const events = many.slice(0, 500).map(() => event);
  await db
    .insertInto('orderEvents')
    .values(events as never)
    .execute();
  const request = { ip: '192.0.2.1', method: 'GET', status: 404, durationUs: 1, bytes: 1 };
  const texts = {
    url: `/${'x'.repeat(999)}`,
    referrer: 'y'.repeat(500),
    userAgent: 'z'.repeat(400),
  };
  for (let batch = 0; batch < 5; batch += 1)
    await db
      .insertInto('accessLog')
      .values(many.map((visitor) => ({ ...request, ...texts, at, visitor, size: 2_000 })))
      .execute();
  // As autovacuum does within a minute.
  if (variables.DATABASE_URL) await sql`analyze`.execute(db);
  await close();
}
