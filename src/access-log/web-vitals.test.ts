import { expect, test, vi } from 'vitest';
import { executedStatements } from '../../tests/support/executed-statements.ts';
import { sharedTestApp } from '../../tests/support/test-app.ts';
import { chunk } from '../platform/database/queries.server.ts';
import { DAY_MS, startOfUtcDay } from '../platform/time.ts';
import { READ_ANALYTICS } from './access-log-api.ts';
import { trimAccessLog } from './trim-access-log.server.ts';

const app = sharedTestApp();

test('staff see by page what three of four visitors of 28 days felt or better, and of no other address', async () => {
  const staff = await app.staff();
  const send = (page: string, lcp: number, inp: number | null = null) =>
    app.visitor().post('/api/web-vitals', { page, lcp, inp, cls: Math.round(lcp / 100) });
  for (const [place, lcp] of [1234, 900, 5000, 2000].entries())
    await send('/news', lcp, place === 0 ? 80 : null);
  await send('/checkout/2', 700);
  expect((await send('/made-up/by-a-stranger', 700)).status).toBe(204);
  expect((await send('/news', -1)).status).toBe(400);
  const { json } = await staff.get(READ_ANALYTICS.path);
  expect(json.analytics.webVitals).toEqual([
    { page: '/news', views: 4, lcp: 2000, inp: 80, cls: 0.02 },
    { page: '/checkout', views: 1, lcp: 700, inp: null, cls: 0.007 },
  ]);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 30 * DAY_MS });
  await trimAccessLog(app.database, Date.now(), 48);
  vi.useRealTimers();
  expect(await app.database.db.selectFrom('webVitals').selectAll().execute()).toEqual([]);
});

test('measured values are read in batches, however many strangers have made up', async () => {
  const staff = await app.staff();
  const { db } = app.database;
  const today = startOfUtcDay(Date.now());
  const made = Array.from({ length: 12_000 }, (_, n) => ({
    ...{ day: today - (n % 28) * DAY_MS, page: '/', metric: 'lcp' as const },
    ...{ value: 1 + Math.floor(n / 28), amount: 1 },
  }));
  for (const rows of chunk(made)) await db.insertInto('webVitals').values(rows).execute();
  const executed = executedStatements(app);
  const { json } = await staff.get(READ_ANALYTICS.path);
  expect(executed.filter((sql) => / from "webVitals"/.test(sql) && !/ limit /.test(sql))).toEqual(
    [],
  );
  // Three quarters of 12,000, of which each value has 28.
  expect(json.analytics.webVitals).toMatchObject([{ page: '/', views: 12_000, lcp: 322 }]);
});
