/**
 * Every screen, search and file of staff with a million rows of every table that strangers fill: the time of each
 * statement. `npm run bench staff-screens PostgreSQL` measures that database alone.
 */
import { sql } from 'kysely';
import { createServer as createVite } from 'vite';
import { readContent } from '../../src/content.server.ts';
import { readEnv } from '../../src/env.server.ts';
import { accessLink } from '../../src/orders/order-access.server.ts';
import type { Database } from '../../src/platform/database/database.server.ts';
import { readBuiltAssets } from '../../src/platform/http/assets.server.ts';
import { SAMPLE_MESSAGE, SAMPLE_ORDER } from '../support/call-row.ts';
import { CALL_ROWS } from '../support/call-rows.ts';
import { findPostgres } from '../support/find-postgres.ts';
import { Postgres } from '../support/postgres.ts';
import { REACHABLE_DEMO } from '../support/server-process.ts';
import { statementTimes } from '../support/statement-times.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { signedIn, Visitor } from '../support/visitor.ts';
import { figure, median } from './measure.ts';

const ROWS = 1_000_000;
/** The audit keeps no more (`staff/audit-store.server.ts`). */
const AUDIT_ROWS = 100_000;
/** Rows per statement. */
const BATCH = 10_000;
const ROUNDS = 3;
const MAX_MS = 50;
/** Filled in this order: others refer to the first. */
const TABLES = [
  ...['threads', 'entries', 'quotes', 'quoteLinks', 'orders', 'subscriptions', 'testPayments'],
  ...['orderAccess', 'orderAccessLinks', 'orderEvents', 'invoices', 'charges'],
  ...['attributions', 'accessLog', 'audit', 'outbox', 'safeguardsReports', 'orderLinkRequests'],
  ...['mailRecipients', 'storedBytes'],
];
const DAYS = 'from=2026-01-01&to=2030-01-01';
const QUERIES = [
  ...['page=1', 'page=100', 'page=1&find=phones', 'page=1&find=e', 'page=1&find=xyz'],
  ...['page=1&kind=chat&status=waiting', 'page=1&service=none', `page=1&${DAYS}&find=xyz`],
].map((query) => `contacts?${query}`);
for (const list of ['orders', 'quotes'])
  for (const query of ['find=jane', 'find=xyz', 'page=100', 'status=canceled', 'status=pending'])
    QUERIES.push(`${list}?${query}`, `${list}?${query}&${DAYS}`);
QUERIES.push('orders/download?find=xyz', 'quotes/download?find=xyz', 'quotes?state=open');
QUERIES.push('quotes?state=expired&find=xyz', 'quotes/download?state=open', 'audit?page=100');
QUERIES.push('people?find=jane-7@dealer.example', 'people?find=j%C3%A4ne@dealer.example');
QUERIES.push(`inbox/counts?find=xyz&${DAYS}`, 'inbox/counts?kind=chat');

const vite = await createVite({ appType: 'custom', server: { middlewareMode: true, watch: null } });
const { startSite }: typeof import('../../src/start-site.server.ts') = (await vite.ssrLoadModule(
  '/src/start-site.server.ts',
)) as never;

export async function benchStaffScreens(): Promise<void> {
  if (!process.argv.includes('PostgreSQL'))
    await measure('SQLite', { DATA_DIR: temporaryFolder() });
  if (!findPostgres()) return console.log('PostgreSQL is missing: only SQLite was measured');
  const postgres = await Postgres.create(['max_wal_size=4GB']);
  await postgres.start();
  await measure('PostgreSQL', { DATABASE_URL: postgres.url });
  await postgres.remove();
}

async function measure(engine: string, variables: Record<string, string>): Promise<void> {
  const env = readEnv({
    ...REACHABLE_DEMO,
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'shop@example.com',
    MAIL_TO: 'staff@example.com',
    ...variables,
  });
  const app = await startSite(env, {
    content: readContent('content'),
    assets: readBuiltAssets('dist/client'),
  });
  await storeOneOfEach(app);
  const staff = await signedIn(app.address);
  // Stores the requests so far.
  await staff.get('/api/admin/sources');
  for (const table of TABLES) await fill(app.database, table);
  if (app.database.engine === 'postgres') await sql`analyze`.execute(app.database.db);
  const executed = statementTimes(app);
  const slowest = new Map<string, number[]>();
  const paths = Object.keys(CALL_ROWS)
    .filter((name) => name.startsWith('GET /api/admin/'))
    .map((name) => name.slice('GET /api/admin/'.length).replace(/:\w+/, '1000007'));
  for (let round = 0; round < ROUNDS; round += 1)
    for (const path of [...paths, ...QUERIES, '../orders/1000007']) {
      if (round > 0 && path.includes('download')) continue;
      executed.length = 0;
      await read(app.address, staff, `/api/admin/${path}`);
      // What timers write meanwhile is no part of a screen.
      const reads = executed.filter(({ statement }) => statement.startsWith('select'));
      for (const [statement, times] of Map.groupBy(reads, ({ statement }) => statement)) {
        const sorted = times.map(({ ms }) => ms).sort((a, b) => a - b);
        const key = `${path}: ${statement}`;
        slowest.set(key, [
          ...(slowest.get(key) ?? []),
          sorted[Math.floor(sorted.length * 0.99)] ?? 0,
        ]);
      }
    }
  const figures = [...slowest].map(([what, all]) => ({ what, ms: median(all) }));
  figures.sort((one, other) => other.ms - one.ms);
  for (const [index, { what, ms }] of figures.entries())
    if (index < 5 || ms > MAX_MS) figure(`${engine}: ${what}, ms`, ms, { atMost: MAX_MS });
  await app.stop();
}

/** Of a file its first part: the next is read as this is. */
const READ_BYTES = 20_000_000;

async function read(address: string, { cookies }: Visitor, path: string): Promise<void> {
  const Cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
  const { status, headers, body } = await fetch(address + path, { headers: { Cookie } });
  if (![200, 400, 404].includes(status)) throw new Error(`${path}: ${status}`);
  if (headers.get('content-type') === 'text/event-stream') return body?.cancel();
  let bytes = 0;
  for await (const part of body ?? []) {
    bytes += part.length;
    if (bytes > READ_BYTES) break;
  }
}

/** By the site itself, so that the rows are as it stores them. */
async function storeOneOfEach({
  address,
  database: { db },
}: Awaited<ReturnType<typeof startSite>>) {
  const visitor = new Visitor(address);
  await visitor.get('/');
  await visitor.post('/api/contact', SAMPLE_MESSAGE);
  await visitor.post('/api/teams-chat', SAMPLE_MESSAGE);
  const { json } = await visitor.post('/api/create-payment-intent', SAMPLE_ORDER);
  const { orderId, clientSecret } = json;
  await visitor.post('/api/test-payments/confirm', { clientSecret, token: 'succeeds' });
  await accessLink({ db, publicUrl: address }, { id: orderId, linkVersion: 0 });
  await visitor.post('/api/order-page/links', { email: SAMPLE_ORDER.email });
  await visitor.post(
    '/api/safeguards-report',
    CALL_ROWS['POST /api/safeguards-report']?.body?.(
      { owner: visitor, orderId, clientSecret },
      'owner',
    ),
  );
  const { planId, name, email, ms365Option, ms365Users, includeCloudBackup } = SAMPLE_ORDER;
  await visitor.post('/api/quotes', {
    planId,
    name,
    email,
    ms365Option,
    ms365Users,
    includeCloudBackup,
  });
}

/** Multiplies a row that the site has stored; what must be unique, or refers to another row, counts up. */
async function fill({ db, engine }: Database, table: string): Promise<void> {
  const { rows } = await sql<
    Record<string, unknown>
  >`select * from ${sql.table(table)} limit 1`.execute(db);
  const [template] = rows;
  if (!template) return console.log(`${table} has no row to multiply`);
  const now = Date.now();
  const columns = Object.entries(template);
  // PostgreSQL numbers some tables itself.
  const numbered = sql.raw(engine === 'postgres' ? 'overriding system value' : '');
  const values = columns.map(([name, value]) => {
    if (name === 'id' && typeof value === 'number') return sql`1000000 + i`;
    if (/Id$/.test(name) && typeof value === 'number' && name !== 'planId') return sql`1000000 + i`;
    if (typeof value === 'number' && value > 1e12) return sql`${sql.lit(now)} - i * 1000`;
    if (name === 'email') return sql`'jane-' || i || '@dealer.example'`;
    if (name === 'topic') return sql`'filled ' || i`;
    if (name === 'source') return sql`'made up ' || i`;
    if (name === 'visitor') return sql`i * 281474976`;
    if (typeof value === 'string' && /^id$|Id$|key|secret|hash|network|once|number/i.test(name))
      return sql`'filled-' || i`;
    return sql`${value}`;
  });
  const count = table === 'audit' ? AUDIT_ROWS : ROWS;
  for (let from = 1; from <= count; from += BATCH)
    await sql`insert into ${sql.table(table)} (${sql.join(columns.map(([name]) => sql.ref(name)))}) ${numbered}
      with recursive n(i) as (select cast(${sql.lit(from)} as bigint) union all select i + 1 from n where i < ${sql.lit(from + BATCH - 1)})
      select ${sql.join(values)} from n`.execute(db);
}
