/**
 * What slow and greedy clients cost behind the proxies of `deploy/`: others' waiting and the site's
 * memory. First every kind of them, then those that read nothing of the largest answer of each
 * call. `npm run bench hostile-clients Caddy prices` measures those with this word in their name,
 * behind that proxy.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { MAX_CHAT_MESSAGE, MAX_CONTACT_MESSAGE } from '../../src/limits.ts';
import { openDatabase } from '../../src/platform/database/database.server.ts';
import { hasCaddy, startCaddy } from '../deploy/caddy.ts';
import { hasNginx, startNginx } from '../deploy/nginx.ts';
import { orderAndAnswer } from '../support/buyer-and-colleague.ts';
import { SAMPLE_ORDER } from '../support/call-row.ts';
import { CALL_ROWS } from '../support/call-rows.ts';
import { freePort } from '../support/free-port.ts';
import { HOSTILE, type Hostile } from '../support/hostile-clients.ts';
import { memoryMegabytes, startServer } from '../support/server-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { signedIn, Visitor } from '../support/visitor.ts';
import { figure } from './measure.ts';

const CLIENTS = 2_000;
const PIPELINING = 500;
/** From one address, which may make so many calls a minute. */
const OF_STAFF = 300;
const MAX_MB = 400;
const MAX_MS = 1_000;
/** Orders, each with a chat, before the clients come and beside them. */
const ROUNDS = 15;
const PROXIES = ['nginx', 'Caddy'];
const [, , , ...WORDS] = process.argv;

type Variables = Record<string, string>;
type Start = typeof startCaddy;

export async function benchHostileClients(): Promise<void> {
  const chosen = PROXIES.filter((name) => WORDS.includes(name));
  const isChosen = (name: string) => chosen.length === 0 || chosen.includes(name);
  if (hasNginx() && isChosen('nginx')) await measure('nginx', (port) => startNginx([port]));
  if (hasCaddy() && isChosen('Caddy')) await measure('Caddy', startCaddy);
}

async function measure(
  name: string,
  start: (
    port: number,
  ) => Promise<Pick<Awaited<ReturnType<Start>>, 'origin' | 'variables' | 'stop'>>,
): Promise<void> {
  const beside = async (what: string, kind: Hostile) => {
    const port = await freePort();
    const proxy = await start(port);
    const own = { ...proxy.variables, DEMO_MODE: 'on', PORT: `${port}` };
    const site = await startServer({ ...own, ...variables });
    const buyer = new Visitor(proxy.origin);
    const staff = await signedIn(proxy.origin);
    const slowest = async () => {
      const times: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1)
        times.push(...(await orderAndAnswer({ buyer, staff })).map(([, took]) => took));
      return times.sort((one, other) => other - one)[Math.floor(times.length / 100)] ?? Number.NaN;
    };
    const alone = await slowest();
    let most = 0;
    const watching = setInterval(() => {
      most = Math.max(most, memoryMegabytes(site.child));
    }, 50);
    const count = kind.times ? PIPELINING : kind.from ? OF_STAFF : CLIENTS;
    const workerData = { origin: proxy.origin, count, kind };
    const hostile = new Worker(new URL('hostile-worker.ts', import.meta.url), { workerData });
    await once(hostile, 'message');
    const wait = await slowest();
    const label = `${name}, ${count} ${what}`;
    figure(`${label}: p99 of others, ms (${alone.toFixed()} alone)`, wait, { atMost: MAX_MS });
    figure(`${label}: MB`, most, { atMost: MAX_MB });
    clearInterval(watching);
    await hostile.terminate();
    proxy.stop();
    await site.stop('SIGKILL');
  };
  const variables = { DATA_DIR: temporaryFolder() };
  const readers = (await largest(variables)).map(
    ([path, headers]) =>
      [
        `read nothing of ${path}`,
        { path, headers, ...(path.startsWith('/api/admin/') && { from: '127.2.0.1' }) },
      ] as const,
  );
  const words = WORDS.filter((word) => !PROXIES.includes(word));
  for (const [what, kind] of [...Object.entries(HOSTILE), ...readers])
    if (words.length === 0 || words.some((word) => what.includes(word))) await beside(what, kind);
}

/** The paths of all calls that read, with the cookies of who gets the most. */
async function largest(variables: Variables): Promise<[string, Record<string, string>][]> {
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
  // As a browser names them that came by https: both names, for both proxies.
  const cookies = [...staff.cookies, ...visitor.cookies]
    .flatMap(([name, value]) => [`${name}=${value}`, `__Host-${name}=${value}`])
    .join('; ');
  const ids: Record<string, string> = {
    quotes: saved.json.reference.replace(/\D/g, ''),
    orders: orderId,
  };
  await filled.stop();
  return Object.entries(CALL_ROWS).flatMap(([name, row]): [string, Record<string, string>][] => {
    const [method = '', path = ''] = name.split(' ');
    const shown =
      row.path?.({ owner: visitor, orderId, clientSecret }) ??
      path.replace(/(\w+)\/:\w+/, (_, noun) => `${noun}/${ids[noun] ?? 1}`);
    return method === 'GET' ? [[shown, { Cookie: cookies }]] : [];
  });
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
  await close();
}
