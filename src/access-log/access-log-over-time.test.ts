/** The access log over days and under failure: what it keeps, how long, and how much it uses. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { pageOf, request } from '../../tests/support/access-records.ts';
import { logged } from '../../tests/support/logged.ts';
import { startTestApp, type TestApp, testDatabase } from '../../tests/support/test-app.ts';
import { openDatabase } from '../platform/database/database.server.ts';
import { SQLITE_FILE } from '../platform/database/sqlite.server.ts';
import { AccessLog } from './access-log.server.ts';
import { last24Hours, newestRecords, readAnalytics } from './access-log-store.server.ts';
import type { AccessRecord } from './access-record.server.ts';
import { trimAccessLog } from './trim-access-log.server.ts';

const NOW = Date.parse('2026-05-13T12:34:56.789Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const MEGABYTE = 1024 * 1024;

describe('the access log', () => {
  let app: TestApp;
  let log: AccessLog;
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: NOW });
    app = await startTestApp();
    log = new AccessLog(app.database.db, 1, pageOf);
  });
  afterEach(async () => {
    await log.close();
    await app.stop();
  });

  async function store(...records: AccessRecord[]): Promise<void> {
    for (const record of records) log.add(record);
    await log.flush();
  }

  const analytics = (now = NOW) => readAnalytics(app.database.db, now);
  const stored = () => app.database.db.selectFrom('accessLog').selectAll().orderBy('at').execute();
  const rename = (from: string, to: string) =>
    app.database.db.schema.alterTable(from).renameTo(to).execute();
  const breakTables = () => rename('accessLogHours', 'renamed');
  const mendTables = () => rename('renamed', 'accessLogHours');

  test('shows figures of the clock hours that overlap the last 24 hours, and lines of the last 24 hours', async () => {
    const day = NOW - 24 * HOUR;
    const inside = [day, day + HOUR, NOW - 1];
    await store(...[day - HOUR, day - 1, ...inside].map((at) => request(at)));
    const lines = await newestRecords(app.database.db, last24Hours(NOW), 10).execute();
    expect(lines.map(({ at }) => at)).toEqual(inside.toReversed());
    const { totalRequests, hourly } = await analytics();
    expect([totalRequests, hourly?.length]).toEqual([4, 25]);
    expect([hourly?.[0], hourly?.at(-1)]).toEqual([
      { hour: '2026-05-12T12:00:00.000Z', requests: 2, errors: 0 },
      { hour: '2026-05-13T12:00:00.000Z', requests: 1, errors: 0 },
    ]);
  });

  test('shows the average response time in milliseconds, and errors by hour', async () => {
    const at = NOW - MINUTE;
    const slow = [2000, 6000].map((durationUs) => request(at, { durationUs }));
    await store(request(at, { durationUs: 1000, status: 503 }), ...slow);
    const { responseTimeAvg, hourly } = await analytics();
    expect(responseTimeAvg).toBe(3);
    expect(hourly?.at(-1)).toMatchObject({ requests: 3, errors: 1 });
  });

  test('deletes IP addresses and what they hash to after 24 hours, lines and counts after the retention', async () => {
    await store(request(NOW, { ip: '2001:db8::1' }));
    await trimAccessLog(app.database, NOW + 23 * HOUR, 48);
    expect(await stored()).toMatchObject([{ ip: '2001:db8::1' }]);
    await trimAccessLog(app.database, NOW + 25 * HOUR, 48);
    expect(await stored()).toMatchObject([{ ip: '', visitor: 0 }]);
    await trimAccessLog(app.database, NOW + 49 * HOUR, 48);
    expect(await stored()).toEqual([]);
    expect(await app.database.db.selectFrom('accessLogHours').selectAll().execute()).toEqual([]);
  });

  test('adds up the requests of several servers', async () => {
    const another = new AccessLog(app.database.db, 1, pageOf);
    for (let i = 0; i < 20; i += 1) {
      log.add(request(NOW - MINUTE, { ip: '192.0.2.8' }));
      another.add(request(NOW - MINUTE, { ip: i < 10 ? '192.0.2.8' : '192.0.2.9' }));
      if (i % 5 === 0) await Promise.all([log.flush(), another.flush()]);
    }
    await Promise.all([log.flush(), another.close()]);
    expect(await analytics()).toMatchObject({
      totalRequests: 40,
      uniqueVisitors: 2,
      mostVisitedPages: [{ url: '/', count: 40 }],
    });
  });

  test('counts a visitor for a day, also one whose address was not known', async () => {
    await store(request(NOW, { ip: '' }));
    expect(await analytics()).toMatchObject({ uniqueVisitors: 1 });
    expect(await analytics(NOW + 25 * HOUR)).toMatchObject({ uniqueVisitors: 0 });
  });

  test('delays no one while it cannot be stored, logs that once, and catches up', async () => {
    const staff = await app.staff();
    const events = await logged(async () => {
      await breakTables();
      expect((await app.visitor().get('/')).status).toBe(200);
      for (let i = 0; i < 2; i += 1) {
        await store(request(NOW, { url: '/news' }));
        expect((await staff.get('/api/admin/logs')).status).toBe(200);
      }
      expect(await stored()).toEqual([]);
      await mendTables();
      await log.flush();
      await staff.get('/api/admin/logs');
    });
    expect((await analytics()).mostVisitedPages).toEqual([
      { url: '/news', count: 2 },
      { url: '/', count: 1 },
    ]);
    // Both the site's access log and this test's. A batch stored just before may still be trimmed.
    const seen = events
      .map(({ event }) => event)
      .filter((event) => event !== 'access-log-trim-failed');
    expect(seen.sort()).toEqual([
      'access-log-write-failed',
      'access-log-write-failed',
      'access-log-write-recovered',
      'access-log-write-recovered',
    ]);
  });

  const long = (at: number, bytes: number) =>
    request(at, { url: `/${'q'.repeat(2_000)}`, referrer: 'r'.repeat(2_000), bytes });

  test('deletes the oldest lines beyond LOG_MAX_MB, which still count in the figures', async () => {
    for (let batch = 0; batch < 4; batch += 1) {
      const begin = NOW - (4 - batch) * MINUTE;
      await store(...Array.from({ length: 500 }, (_, i) => long(begin + i, batch * 500 + i)));
    }
    const kept = await stored();
    expect(kept.reduce((sum, { size }) => sum + size, 0)).toBeLessThanOrEqual(MEGABYTE);
    expect(kept.length).toBeLessThan(1000);
    expect(kept.at(-1)?.bytes).toBe(1999);
    expect((await analytics()).totalRequests).toBe(2000);
  });

  test('buffers at most 16 MB while it cannot be stored, and logs how many records were dropped', async () => {
    await breakTables();
    for (let i = 0; i < 12_000; i += 1) log.add(long(NOW - MINUTE, i));
    await log.flush();
    expect(log.waiting).toBeLessThan((16 * MEGABYTE) / 1500);
    expect(log.waiting).toBeGreaterThan(5000);
    const kept = log.waiting;
    await mendTables();
    const events = await logged(() => log.flush());
    expect(events).toMatchObject([{ event: 'access-log-write-recovered', dropped: 12_000 - kept }]);
    expect((await analytics()).totalRequests).toBe(kept);
  });
});

test.runIf(inject('engine') === 'sqlite')(
  'after 24 hours no IP address remains in SQLite’s files, even if a backup was reading them',
  async () => {
    const ground = await testDatabase();
    const dataDir = ground.variables.DATA_DIR ?? '';
    const database = await openDatabase({ databaseUrl: null, dataDir });
    const log = new AccessLog(database.db, 64, pageOf);
    const addresses = Array.from({ length: 300 }, (_, i) => `198.51.${i >> 7}.${100 + (i & 127)}`);
    const yesterday = Date.now() - 25 * HOUR;
    const found = () => {
      const files = readdirSync(dataDir).map((name) => readFileSync(join(dataDir, name), 'latin1'));
      return addresses.filter((address) => files.some((bytes) => bytes.includes(address)));
    };
    for (const [i, ip] of addresses.entries()) {
      log.add(request(yesterday + (i * MINUTE) / 10, { ip, url: `/${'x'.repeat(i * 3)}` }));
      if (i % 7 === 0) await log.flush();
    }
    await log.flush();
    expect(found().length).toBe(addresses.length);
    const backup = new DatabaseSync(join(dataDir, SQLITE_FILE), { readOnly: true });
    backup.exec('BEGIN; SELECT * FROM accessLog');
    const trimmed = trimAccessLog(database, Date.now(), 48);
    await setTimeout(600);
    backup.close();
    await trimmed;
    expect(found()).toEqual([]);
    await log.close();
    await database.close();
    await ground.drop();
  },
);
