import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { request, storedRequests } from '../../tests/support/access-records.ts';
import { eventually } from '../../tests/support/eventually.ts';
import { logged } from '../../tests/support/logged.ts';
import { startTestApp, type TestApp } from '../../tests/support/test-app.ts';
import { AccessLog } from './access-log.server.ts';
import type { AccessRecord } from './access-record.server.ts';
import { linesOf } from './log-lines.server.ts';
import { windowStart } from './log-store.server.ts';
import { readAnalytics } from './read-analytics.server.ts';
import { OTHERS } from './tally.server.ts';
import { keepLogTidy, tidyLog } from './tidying/tidy-log.server.ts';

const NOW = Date.parse('2026-05-13T12:34:56.789Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('the access log over time', () => {
  let app: TestApp;
  let log: AccessLog;
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: NOW });
    app = await startTestApp();
    log = new AccessLog(app.database, 'site.example', 1024);
  });
  afterEach(async () => {
    await log.close();
    await app.stop();
    vi.useRealTimers();
  });

  async function took(...records: AccessRecord[]): Promise<void> {
    for (const record of records) log.take(record);
    await log.settle();
  }

  const analytics = (now = NOW) => readAnalytics(app.database.db, now);

  const stored = (from: number) => storedRequests(app.database, from);

  test('figures and lines cover the same 24 hours, part hours at both ends included', async () => {
    const day = windowStart(NOW);
    expect(new Date(day).toISOString()).toBe('2026-05-12T12:34:00.000Z');
    const inside = [day, day + 10 * MINUTE, day + HOUR, NOW - HOUR, NOW - 1];
    const outside = [day - 1, day - 34 * MINUTE, day - 3 * HOUR];
    await took(...[...outside, ...inside].map((at) => request(at)));
    const { totalRequests, hourly } = await analytics();
    expect(totalRequests).toBe(inside.length);
    expect((await stored(day)).map(({ at }) => at)).toEqual(inside.toReversed());
    expect(hourly).toHaveLength(25);
    expect(hourly[0]).toEqual({ hour: '2026-05-12T12:00:00.000Z', requests: 2, errors: 0 });
    expect(hourly.at(-1)).toEqual({ hour: '2026-05-13T12:00:00.000Z', requests: 1, errors: 0 });
    expect(hourly.reduce((sum, { requests }) => sum + requests, 0)).toBe(inside.length);
  });

  test('errors, averages and percentiles are told in milliseconds', async () => {
    const times = Array.from({ length: 100 }, (_, index) => (index + 1) * 1000);
    await took(
      ...times.map((durationUs, index) =>
        request(NOW - MINUTE, { durationUs, status: index < 3 ? 503 : 200 }),
      ),
    );
    const { responseTimeAvg, percentiles, hourly } = await analytics();
    expect(responseTimeAvg).toBe(50.5);
    expect(hourly.at(-1)).toMatchObject({ requests: 100, errors: 3 });
    for (const [told, exact] of [
      [percentiles.p50, 50],
      [percentiles.p95, 95],
      [percentiles.p99, 99],
    ] as const) {
      expect(Math.abs(told - exact) / exact).toBeLessThan(0.03);
    }
  });

  test('one who comes before and after midnight is one visitor, for as long as the day before is shown', async () => {
    const late = Date.parse('2026-05-12T23:50:00Z');
    const early = Date.parse('2026-05-13T00:10:00Z');
    vi.setSystemTime(late);
    await took(request(late), request(late, { ip: '192.0.2.2' }));
    vi.setSystemTime(early);
    await took(request(early), request(early, { userAgent: 'another' }));
    expect((await analytics(early)).uniqueVisitors).toBe(3);
    expect((await analytics(early + 23 * HOUR + 55 * MINUTE)).uniqueVisitors).toBe(2);
  });

  test("a day's key is forgotten once the day has left the screens", async () => {
    const keys = async () =>
      (await app.database.db.selectFrom('accessKeys').select('day').execute())
        .map(({ day }) => day)
        .sort();
    await took(request(NOW));
    vi.setSystemTime(NOW + 24 * HOUR);
    await took(request(NOW + 24 * HOUR));
    expect(await keys()).toEqual(['2026-05-13', '2026-05-14']);
    vi.setSystemTime(NOW + 48 * HOUR);
    await took(request(NOW + 48 * HOUR));
    expect(await keys()).toEqual(['2026-05-14', '2026-05-15']);
  });

  test('addresses and visitors leave after 24 hours, lines after the retention', async () => {
    const { db } = app.database;
    await took(request(NOW, { ip: '2001:db8::1' }));
    await tidyLog(app.database, NOW + 23 * HOUR, 48);
    expect((await stored(0)).map(({ ip }) => ip)).toEqual(['2001:db8::1']);
    await tidyLog(app.database, NOW + 25 * HOUR, 48);
    expect(await stored(0)).toEqual([request(NOW, { ip: '' })]);
    const rows = await db.selectFrom('accessLog').selectAll().execute();
    expect(rows.map(linesOf).join()).not.toContain('2001');
    expect(await db.selectFrom('accessVisitors').selectAll().execute()).toEqual([]);
    await tidyLog(app.database, NOW + 49 * HOUR, 48);
    expect(await stored(0)).toEqual([]);
    expect(await db.selectFrom('accessTallies').selectAll().execute()).toEqual([]);
  });

  test('is tidied each minute, until it is stopped', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now: NOW });
    await took(request(NOW, { ip: '192.0.2.6' }));
    const stop = keepLogTidy(app.database, 48);
    vi.setSystemTime(NOW + 25 * HOUR);
    vi.advanceTimersByTime(MINUTE);
    await stop();
    expect((await stored(0)).map(({ ip }) => ip)).toEqual(['']);
  });

  test('with a retention of 24 hours no hour of the figures is missing at its beginning', async () => {
    const now = Date.parse('2026-05-13T12:00:20Z');
    await took(request(now - 24 * HOUR), request(now - 24 * HOUR + 10 * MINUTE));
    await tidyLog(app.database, now, 24);
    expect((await analytics(now)).totalRequests).toBe(2);
    expect(await stored(windowStart(now))).toHaveLength(2);
  });

  test('addresses leave after 24 hours also when they were stored hours after they came', async () => {
    await took(request(NOW - 6 * HOUR, { ip: '192.0.2.6' }), request(NOW));
    await tidyLog(app.database, NOW + 18 * HOUR + 2 * MINUTE, 48);
    expect((await stored(0)).map(({ ip }) => ip)).toEqual(['192.0.2.1', '']);
  });

  test('what several servers write adds up', async () => {
    const another = new AccessLog(app.database, 'site.example', 1024);
    for (let i = 0; i < 20; i += 1) {
      log.take(request(NOW - MINUTE, { ip: '192.0.2.8' }));
      another.take(request(NOW - MINUTE, { ip: i < 10 ? '192.0.2.8' : '192.0.2.9' }));
      if (i % 5 === 0) await Promise.all([log.settle(), another.settle()]);
    }
    await Promise.all([log.close(), another.close()]);
    const { totalRequests, uniqueVisitors, mostVisitedPages } = await analytics();
    expect([totalRequests, uniqueVisitors]).toEqual([40, 2]);
    expect(mostVisitedPages).toEqual([{ url: '/', count: 40 }]);
  });

  test('more visitors than are counted one by one are counted within 2 %', async () => {
    const visitors = 80_000;
    for (let i = 0; i < visitors; i += 1) {
      log.take(request(NOW, { ip: `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}` }));
      if (i % 20_000 === 0) await log.settle();
    }
    await log.settle();
    const { uniqueVisitors, totalRequests } = await analytics();
    expect(totalRequests).toBe(visitors);
    expect(Math.abs(uniqueVisitors - visitors) / visitors).toBeLessThan(0.02);
  });

  test('a log that cannot be written holds up nobody, and catches up', async () => {
    const staff = await app.staff();
    const { db } = app.database;
    await db.schema.alterTable('accessTallies').renameTo('elsewhere').execute();
    for (let i = 0; i < 3; i += 1) expect((await app.visitor().get('/')).status).toBe(200);
    expect((await staff.get('/api/admin/logs')).status).toBe(200);
    expect(await stored(0)).toEqual([]);
    await db.schema.alterTable('elsewhere').renameTo('accessTallies').execute();
    await staff.get('/api/admin/logs');
    expect((await stored(0)).filter(({ url }) => url === '/')).toHaveLength(3);
    expect((await analytics()).mostVisitedPages).toEqual([{ url: '/', count: 3 }]);
  });

  test('what could not be written at once is counted once, beside what was there', async () => {
    const { db } = app.database;
    await took(request(NOW - MINUTE));
    await db.schema.alterTable('accessTallies').renameTo('elsewhere').execute();
    await took(request(NOW - MINUTE));
    await db.schema.alterTable('elsewhere').renameTo('accessTallies').execute();
    await log.settle();
    const { totalRequests, mostVisitedPages } = await analytics();
    expect([totalRequests, mostVisitedPages]).toEqual([2, [{ url: '/', count: 2 }]]);
  });

  test('a minute is one row of counts and an hour another, however often they are stored', async () => {
    for (let i = 0; i < 3; i += 1) await took(request(NOW));
    const rows = app.database.db.selectFrom('accessTallies').select('span').orderBy('span');
    expect(await rows.execute()).toEqual([{ span: 'hour' }, { span: 'minute' }]);
  });

  test('a database in trouble is logged once, and once when all is stored again', async () => {
    const { db } = app.database;
    const lines = await logged(async () => {
      await took(request(NOW));
      await db.schema.alterTable('accessTallies').renameTo('elsewhere').execute();
      for (let i = 0; i < 2; i += 1) await took(request(NOW));
      await db.schema.alterTable('elsewhere').renameTo('accessTallies').execute();
      for (let i = 0; i < 2; i += 1) await took(request(NOW));
    });
    expect(lines.map(({ event }) => event)).toEqual([
      'access-log-not-stored',
      'access-log-stored-again',
    ]);
  });

  test('what came while others were being stored waits for no more than its own time', async () => {
    const fakes = ['Date', 'setTimeout', 'clearTimeout'] as const;
    vi.useFakeTimers({ toFake: [...fakes], now: NOW });
    log.take(request(NOW));
    const first = log.settle();
    await Promise.resolve();
    log.take(request(NOW));
    vi.advanceTimersByTime(750);
    await first;
    expect(log.waiting).toBe(1);
    vi.advanceTimersByTime(750);
    vi.useRealTimers();
    await eventually(() => expect(log.waiting).toBe(0));
  });

  test('made-up addresses do not fill the counts', async () => {
    const many = Array.from({ length: 700 }, (_, index) =>
      request(NOW, { url: `/checkout/${index}`, referrer: `https://${index}.example/` }),
    );
    const news = request(NOW, { url: '/news' });
    await took(...many, news, news);
    const { mostVisitedPages, referrers, totalRequests } = await analytics();
    expect(totalRequests).toBe(702);
    expect(mostVisitedPages[0]).toEqual({ url: OTHERS, count: 200 });
    expect(mostVisitedPages).toContainEqual({ url: '/news', count: 2 });
    expect(referrers.slice(0, 2)).toEqual([
      { referrer: OTHERS, count: 200 },
      { referrer: '-', count: 2 },
    ]);
  });
});
