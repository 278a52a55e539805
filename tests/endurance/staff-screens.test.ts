/**
 * Staff's screens with as many rows of every table as strangers can fill. Prints the statements that took longer than 50 ms:
 * on SQLite nothing else runs meanwhile. `npm run test:full -- endurance staff-screens` fills a million rows.
 */
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { ask, everyCall, makeScene } from '../support/every-call.ts';
import { customer } from '../support/own-page.ts';
import { QUOTE } from '../support/quote-site.ts';
import { sized } from '../support/sized.ts';
import { slowStatements } from '../support/slow-statements.ts';
import { WITH_MAIL } from '../support/stripe-shop.ts';
import { ownTestApp, type TestApp } from '../support/test-app.ts';

const ROWS = sized(5_000, 1_000_000);
/** Rows per statement. */
const BATCH = 5_000;
const SLOW_MS = 50;
/** Filled in this order: others refer to the first. */
const FILLED = [
  'threads',
  'entries',
  'quotes',
  'orders',
  'orderEvents',
  'invoices',
  'attributions',
];
const MORE = [
  'accessLog',
  'audit',
  'outbox',
  'safeguardsReports',
  'orderLinkRequests',
  'storedBytes',
];

test('every screen of staff answers beside what strangers have filled', async () => {
  const app = await ownTestApp(WITH_MAIL);
  const scene = await makeScene(app);
  await customer(app);
  await app.visitor().post('/api/quotes', QUOTE);
  await app.visitor().post('/api/order-page/links', { email: 'jane-0@dealer.example' });
  await app.visitor().get('/');
  const staff = await app.staff();
  for (const table of [...FILLED, ...MORE]) await fill(app, table);
  if (app.database.engine === 'postgres') await sql`analyze`.execute(app.database.db);
  const slow = slowStatements(app, SLOW_MS);
  for (const known of everyCall(app)) {
    if (known.call.access === 'anyone' || known.call.method !== 'GET') continue;
    const { status } = await ask(staff.move(), known, scene, 'staff');
    expect([known.name, status]).toEqual([known.name, expect.toBeOneOf([200, 302, 303, 404])]);
  }
  for (const [path, query] of [
    ['contacts', 'page=1&find=phones'],
    ['contacts', 'page=1&kind=chat&mark=waiting'],
    ['orders', 'find=jane'],
    ['orders', 'status=canceled'],
    ['quotes', 'page=2&state=open'],
    ['quotes', 'find=fox'],
    ['audit', 'page=2'],
    ['people', 'find=jane-7@dealer.example'],
    ['inbox/counts', 'find=phones'],
  ])
    expect((await staff.move().get(`/api/admin/${path}?${query}`)).status).toBe(200);
  for (const { ms, statement } of slow) console.log(`${Math.round(ms)} ms: ${statement}`);
});

/** Multiplies a row that the site has stored; what must be unique, or refers to another row, counts up. */
async function fill({ database: { db, engine } }: TestApp, table: string): Promise<void> {
  const { rows } = await sql<
    Record<string, unknown>
  >`select * from ${sql.table(table)} limit 1`.execute(db);
  const [template] = rows;
  if (!template) return console.log(`${table} has no row to multiply`);
  const now = Date.now();
  const columns = Object.entries(template);
  // PostgreSQL numbers some tables itself.
  const numbered = sql.raw(engine === 'postgres' ? 'overriding system value' : '');
  for (let from = 1; from <= ROWS; from += BATCH) {
    const values = columns.map(([name, value]) => {
      if (name === 'id' && typeof value === 'number') return sql`${sql.lit(1_000_000)} + i`;
      if (name === 'id') return sql`'filled-' || i`;
      if (/Id$/.test(name) && typeof value === 'number' && name !== 'planId')
        return sql`${sql.lit(1_000_000)} + i`;
      if (typeof value === 'number' && value > 1e12) return sql`${sql.lit(now)} - i * 1000`;
      if (name === 'email') return sql`'jane-' || i || '@dealer.example'`;
      if (name === 'source') return sql`'made up ' || i`;
      if (typeof value === 'string' && /id$|key|secret|hash|network|once|number/i.test(name))
        return sql`'filled-' || i`;
      return sql`${value}`;
    });
    await sql`insert into ${sql.table(table)} (${sql.join(columns.map(([name]) => sql.ref(name)))}) ${numbered}
      with recursive n(i) as (select cast(${sql.lit(from)} as bigint) union all select i + 1 from n where i < ${sql.lit(Math.min(from + BATCH - 1, ROWS))})
      select ${sql.join(values)} from n`.execute(db);
  }
}
