/**
 * Every query of a call uses an index. SQLite has no statistics here, so its plans depend on the
 * indexes only, however few rows there are; PostgreSQL has the same indexes.
 */
import { CompiledQuery } from 'kysely';
import { expect, inject, test } from 'vitest';
import { SAMPLE_ORDER } from '../../support/call-row.ts';
import { ask, everyCall, makeScene } from '../../support/every-call.ts';
import { executedStatements } from '../../support/executed-statements.ts';
import { WITH_MAIL } from '../../support/stripe-shop.ts';
import { ownTestApp } from '../../support/test-app.ts';

const DAYS = 'from=2026-11-20&to=2026-11-21';

/** Staff's lists, with filters, searches and pages. */
const LISTS: Record<string, readonly string[]> = {
  '/api/admin/contacts': [
    'page=2',
    'page=1&kind=chat',
    'page=1&status=new',
    'page=1&service=voip',
    'page=1&service=none&status=new',
    'page=1&find=C-2',
    'page=1&find=T-2&status=new',
    `page=1&${DAYS}`,
    `page=1&find=phones&${DAYS}`,
  ],
  '/api/admin/inbox/counts': ['find=phones&service=voip', 'kind=chat'],
  '/api/admin/orders': ['page=2', 'status=canceled', 'find=O-2', 'find=jane&status=canceled', DAYS],
  '/api/admin/orders/download': ['status=canceled', 'find=jane', DAYS],
  '/api/admin/quotes': ['page=2', 'state=open', 'find=Q-2&state=expired', DAYS],
  '/api/admin/quotes/download': ['state=open', DAYS],
  '/api/admin/payments/download': ['', DAYS],
  '/api/admin/customers': ['', 'find=jane'],
  '/api/admin/audit': ['page=2'],
  '/api/admin/people': [`find=${SAMPLE_ORDER.email}`, 'find=j%C3%A4ne@dealer.example'],
};

/** Tables whose size does not depend on the number of visitors. */
const BOUNDED = new Set([
  ...['catalogue', 'accounts', 'sessions', 'signingKeys'],
  ...['accessLogHours', 'faults', 'writeProbes'],
]);

/** Queries that have to read a whole table, and why that is acceptable. */
const INHERENT = [
  // 100,000 failures at most, besides what staff have done.
  /^select count\(\*\) as "total" from "audit"$/,
  // The newest message of each thread on one page.
  /^select .* from \(select "threadId", max\("id"\) .* where "threadId" in .*\) as "last"/,
  // The entries of one person's threads, sorted together.
  /^select \* from "entries" where "threadId" in .* order by "id" desc limit \?$/,
  // Once a minute, in the background: 95 ms for a million records.
  /^select cast\(coalesce\(sum\("size"\), 0\) as bigint\) as "bytes" from "accessLog"$/,
  // Counts and sorts the newest 5,000 requests, which an index finds.
  /^select "url", count\(\*\) as "count" from \(select .* from "accessLog" where .* limit \?\)/,
];

test.runIf(inject('engine') === 'sqlite')(
  'no query of a call scans a table that grows with visitors, or sorts more rows than it returns',
  async () => {
    const app = await ownTestApp(WITH_MAIL);
    const staff = await app.staff();
    const scene = await makeScene(app);
    const executed = executedStatements(app);
    for (const known of everyCall(app))
      for (const as of ['owner', 'staff'] as const) {
        const leaves = known.name.endsWith('/logout');
        const colleague = leaves ? await app.staff() : staff;
        await ask((as === 'owner' ? scene.owner : colleague).move(), known, scene, as);
      }
    for (const [path, queries] of Object.entries(LISTS))
      for (const query of queries) {
        const { status } = await staff.move().get(`${path}?${query}`);
        expect(status).toBe(200);
      }
    const faults: string[] = [];
    for (const sql of new Set(executed.map((sql) => LISTED.exec(sql)?.[1] ?? sql))) {
      if (INHERENT.some((pattern) => pattern.test(sql))) continue;
      const tables = [...sql.matchAll(/ (?:from|join|update|into) "(\w+)"/g)].map(
        ([, name]) => name,
      );
      if (tables.every((name = '') => BOUNDED.has(name))) continue;
      const explain = CompiledQuery.raw(`EXPLAIN QUERY PLAN ${sql}`);
      const { rows } = await app.database.db.executeQuery<{ detail: string }>(explain);
      for (const { detail } of rows) if (isCostly(detail, sql)) faults.push(`${detail}: ${sql}`);
    }
    expect(executed.length).toBeGreaterThan(100);
    expect(faults).toEqual([]);
  },
);

/** The first rows of a list, which bound the work of the rest of the statement. */
const LISTED =
  / from \((select (?:"id", .*|\*|"threadId", "text") from "(?:threads|entries|orders|quotes)" .*? limit \?)\) as "/;

function isCostly(detail: string, sql: string): boolean {
  const limited = / limit /i.test(sql);
  if (/AUTOMATIC/.test(detail)) return true;
  // Sorting is fine where all rows found are returned, such as an order's history.
  if (/TEMP B-TREE FOR (?!GROUP BY)/.test(detail)) return limited;
  const [, name = ''] = /^SCAN (\S+)/.exec(detail) ?? [];
  // SCAN 2-ROW VALUES CLAUSE is an insert; a scan without filter ends at the limit.
  if (name === '' || /^(CONSTANT|\d+-ROW|\(.*)$/.test(name) || BOUNDED.has(name)) return false;
  return !(limited && !/ (where|group by) /i.test(withoutSubqueries(sql)));
}

function withoutSubqueries(sql: string): string {
  const outer = sql.replace(/\([^()]*\)/g, '');
  return outer === sql ? sql : withoutSubqueries(outer);
}
