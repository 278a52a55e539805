/** The access log takes no more memory and no more disk than it may have, and keeps nothing for longer. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { request, storedRequests } from '../../tests/support/access-records.ts';
import { startTestApp, type TestApp, testDatabase } from '../../tests/support/test-app.ts';
import { openDatabase } from '../platform/database/database.server.ts';
import { AccessLog } from './access-log.server.ts';
import type { AccessRecord } from './access-record.server.ts';
import { linesOf } from './log-lines.server.ts';
import { readAnalytics } from './read-analytics.server.ts';
import { tidyLog } from './tidying/tidy-log.server.ts';
import { VISITOR_NUMBERS } from './visitors.server.ts';

const NOW = Date.parse('2026-05-13T12:34:56.789Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const MEGABYTE = 1024 * 1024;

describe('the bounds of the access log', () => {
  let app: TestApp;
  let log: AccessLog;
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: NOW });
    app = await startTestApp();
    log = new AccessLog(app.database, 'site.example', 1);
  });
  afterEach(async () => {
    await log.close();
    await app.stop();
    vi.useRealTimers();
  });

  async function took(records: readonly AccessRecord[]): Promise<void> {
    for (const record of records) log.take(record);
    await log.settle();
  }

  async function storedBytes(): Promise<number> {
    const { bytes } = await app.database.db
      .selectFrom('accessLog')
      .select(({ fn }) => fn.sum('size').as('bytes'))
      .executeTakeFirstOrThrow();
    return Number(bytes);
  }

  const long = (at: number, bytes: number) =>
    request(at, { url: `/?${'q'.repeat(14_000)}`, referrer: 'r'.repeat(14_000), bytes });

  test('a request that ends after the log was closed waits for nothing', async () => {
    await log.close();
    log.take(request(NOW));
    expect(log.waiting).toBe(0);
    await log.settle();
    expect(log.counters).toEqual({ stored: 0, dropped: 0 });
  });

  test('the oldest lines go when there are more than LOG_MAX_MB, and the screens say so', async () => {
    const staff = await app.staff();
    const answer = async (path = '') => (await staff.get(`/api/admin/logs${path}`)).json;
    expect((await answer()).linesMissingUntil).toBeNull();
    for (let batch = 0; batch < 4; batch += 1) {
      const begin = NOW - (4 - batch) * MINUTE;
      await took(Array.from({ length: 500 }, (_, i) => long(begin + i, batch * 500 + i)));
      expect(await storedBytes()).toBeLessThanOrEqual(MEGABYTE);
    }
    const kept = await storedRequests(app.database, 0);
    const numbers = kept.filter(({ url }) => url.startsWith('/?q')).map(({ bytes }) => bytes);
    expect(numbers[0]).toBe(1999);
    expect(numbers.length).toBeLessThan(1000);
    expect((await readAnalytics(app.database.db, NOW)).totalRequests).toBeGreaterThanOrEqual(2000);
    const { linesMissingUntil } = await answer();
    expect(Date.parse(linesMissingUntil)).toBeGreaterThan(NOW - 4 * MINUTE);
    expect(Date.parse(linesMissingUntil)).toBeLessThan(kept.at(-1)?.at ?? 0);
    expect((await answer('/analytics')).linesMissingUntil).toBe(linesMissingUntil);
    vi.setSystemTime(NOW + 25 * HOUR);
    const nextDay = await app.staff();
    expect((await nextDay.get('/api/admin/logs')).json.linesMissingUntil).toBeNull();
  });

  test('what waits for the database is bounded in bytes; the oldest are only counted', async () => {
    const { db } = app.database;
    await db.schema.alterTable('accessTallies').renameTo('elsewhere').execute();
    const before = heapInUse();
    for (let i = 0; i < 20_000; i += 1) log.take(long(NOW - MINUTE, i));
    await log.settle();
    expect(heapInUse() - before).toBeLessThan(40 * MEGABYTE);
    expect(log.waiting).toBeLessThan((16 * MEGABYTE) / 1500);
    expect(log.waiting).toBeGreaterThan(5000);
    expect(log.counters).toEqual({ stored: 0, dropped: 20_000 - log.waiting });
    await db.schema.alterTable('elsewhere').renameTo('accessTallies').execute();
    await log.settle();
    const { totalRequests, mostVisitedPages } = await readAnalytics(db, NOW);
    expect(totalRequests).toBe(20_000);
    expect(mostVisitedPages).toEqual([{ url: '/', count: 20_000 }]);
    const staff = await app.staff();
    const { linesMissingUntil } = (await staff.get('/api/admin/logs')).json;
    expect(linesMissingUntil).toBe(new Date(NOW - MINUTE).toISOString());
  });

  test('a few long referrers do not fill the counts', async () => {
    const host = (i: number) => `${`${i}`.padStart(60, 'h')}.${'x'.repeat(60)}.example`;
    await took(
      Array.from({ length: 300 }, (_, i) => request(NOW, { referrer: `https://${host(i)}/` })),
    );
    const [row] = await app.database.db
      .selectFrom('accessTallies')
      .select('counts')
      .where('span', '=', 'hour')
      .execute();
    expect(row?.counts.length).toBeLessThan(25_000);
    expect((await readAnalytics(app.database.db, NOW)).referrers[0]?.referrer).toBe('(other)');
  });

  test('only so many visitors are kept, and their number is still right', async () => {
    const visitors = 270_000;
    const { db } = app.database;
    await sql`
      with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n < ${visitors - 1})
      insert into "accessVisitors" ("visitor", "lastSeen")
      select cast(n as bigint) * ${Math.floor(VISITOR_NUMBERS / visitors)}, ${NOW} from numbers
    `.execute(db);
    await tidyLog(app.database, NOW, 48);
    const { kept } = await db
      .selectFrom('accessVisitors')
      .select(({ fn }) => fn.countAll<number>().as('kept'))
      .executeTakeFirstOrThrow();
    expect(kept).toBeLessThan(140_000);
    const { uniqueVisitors } = await readAnalytics(db, NOW);
    expect(Math.abs(uniqueVisitors - visitors) / visitors).toBeLessThan(0.02);
  });

  test('what was written while the clock was a year ahead leaves in its time all the same', async () => {
    const ahead = NOW + 365 * 24 * HOUR;
    vi.setSystemTime(ahead);
    await took([request(ahead, { ip: '192.0.2.77' })]);
    vi.setSystemTime(NOW);
    await took([request(NOW, { url: '/news' })]);
    await tidyLog(app.database, NOW, 48);
    const { totalRequests, hourly } = await readAnalytics(app.database.db, NOW);
    expect(hourly.reduce((sum, { requests }) => sum + requests, 0)).toBe(totalRequests);
    await tidyLog(app.database, NOW + 25 * HOUR, 48);
    expect((await storedRequests(app.database, 0)).map(({ ip }) => ip)).toEqual(['', '']);
    await tidyLog(app.database, NOW + 49 * HOUR, 48);
    for (const table of ['accessLog', 'accessTallies', 'accessVisitors'] as const)
      expect(await app.database.db.selectFrom(table).selectAll().execute()).toEqual([]);
  });
});

test.runIf(inject('engine') === 'sqlite')(
  'no byte of an address that has had its day is left in the files of the database',
  async () => {
    const ground = await testDatabase();
    const dataDir = ground.variables.DATA_DIR ?? '';
    const database = await openDatabase({ databaseUrl: null, dataDir });
    const log = new AccessLog(database, 'site.example', 64);
    const addresses = Array.from({ length: 300 }, (_, i) => `198.51.${i >> 7}.${100 + (i & 127)}`);
    const yesterday = Date.now() - 25 * HOUR;
    const found = (traces: readonly string[]) => {
      const files = readdirSync(dataDir).map((name) => readFileSync(join(dataDir, name), 'latin1'));
      return traces.filter((trace) => files.some((bytes) => bytes.includes(trace)));
    };
    for (const [i, ip] of addresses.entries()) {
      log.take(request(yesterday + (i * MINUTE) / 10, { ip, url: `/${'x'.repeat(i * 3)}` }));
      if (i % 7 === 0) await log.settle();
    }
    await log.settle();
    const rows = await database.db.selectFrom('accessLog').select(['packed', 'lines']).execute();
    const told = rows.map(linesOf).join('');
    expect(addresses.filter((address) => !told.includes(address))).toEqual([]);
    // The addresses are somewhere in these: packed, they are no text that could be looked for.
    const traces = rows.flatMap(({ packed }) =>
      Array.from({ length: Math.floor((packed?.length ?? 0) / 16) }, (_, i) =>
        Buffer.from(packed ?? []).toString('latin1', i * 16, i * 16 + 16),
      ),
    );
    // What lies across two pages of the file is not found.
    expect(found(traces).length).toBeGreaterThan(traces.length * 0.95);
    await tidyLog(database, Date.now(), 48);
    expect(found(traces)).toEqual([]);
    expect(found(addresses)).toEqual([]);
    await log.close();
    await database.close();
    await ground.drop();
  },
);

/** What is still needed, without what only waits to be collected. */
function heapInUse(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}
