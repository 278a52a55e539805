/** What visitors feel: counts of rounded values by day and page, so that nobody is in them. */
import { sql } from 'kysely';
import type * as z from 'zod/mini';
import { MAX_LISTED_PAGES, VITALS_CALLS } from '../limits.ts';
import type { Db } from '../platform/database/tables.server.ts';
import { type Call, call } from '../platform/http/call.server.ts';
import { DAY_MS, startOfDay } from '../platform/time.ts';
import type { Site } from '../site.server.ts';
import { type pageVitals, REPORT_VITALS, type Vitals } from './web-vitals-api.ts';

declare module '../platform/database/tables.server.ts' {
  interface Tables {
    webVitals: WebVitalsTable;
  }
}

interface WebVitalsTable {
  /** Its start (UTC), in milliseconds. */
  day: number;
  page: string;
  metric: keyof Vitals;
  /** With two digits: milliseconds, or thousandths for `cls`. */
  value: number;
  /** Page views. */
  amount: number;
}

const DAYS = 28;
/** The share of views that a value covers. */
const SHARE = 0.75;
const METRICS = ['cls', 'inp', 'lcp'] as const;
const UNITS = { cls: 1000, inp: 1, lcp: 1 };

export function webVitalsCalls({ db, log }: Site): Call[] {
  return [
    call(REPORT_VITALS, { access: 'anyone', limit: VITALS_CALLS }, async ({ body }) => {
      const page = log.pageOf(body.page);
      if (page !== undefined) await addVitals(db, page, body, Date.now());
      return null;
    }),
  ];
}

async function addVitals(db: Db, page: string, vitals: Vitals, now: number): Promise<void> {
  const rows = METRICS.flatMap((metric) => {
    const value = vitals[metric];
    const rounded = value === null ? null : Number(value.toPrecision(2));
    if (rounded === null) return [];
    return { day: startOfDay(now), page, metric, value: Math.round(rounded), amount: 1 };
  });
  if (rows.length === 0) return;
  await db
    .insertInto('webVitals')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['day', 'page', 'metric', 'value']).doUpdateSet(({ eb, ref }) => ({
        amount: eb(ref('webVitals.amount'), '+', ref('excluded.amount')),
      })),
    )
    .execute();
}

const firstDay = (now: number) => startOfDay(now - DAYS * DAY_MS);

export async function deleteOldVitals(db: Db, now: number): Promise<void> {
  await db.deleteFrom('webVitals').where('day', '<', firstDay(now)).execute();
}

/** The pages with most views first. */
export async function readVitals(db: Db, now: number): Promise<z.output<typeof pageVitals>> {
  const rows = await db
    .selectFrom('webVitals')
    .where('day', '>=', firstDay(now))
    .groupBy(['page', 'metric', 'value'])
    .select(['page', 'metric', 'value', sql<number>`cast(sum("amount") as bigint)`.as('amount')])
    .orderBy('value')
    .execute();
  return [...Map.groupBy(rows, ({ page }) => page)]
    .map(([page, ofPage]) => {
      const of = (metric: keyof Vitals) => ofPage.filter((row) => row.metric === metric);
      const felt = (metric: keyof Vitals) => percentile(of(metric), UNITS[metric]);
      return {
        page,
        views: Math.max(...METRICS.map((metric) => sumOf(of(metric)))),
        lcp: felt('lcp'),
        inp: felt('inp'),
        cls: felt('cls'),
      };
    })
    .sort((one, other) => other.views - one.views)
    .slice(0, MAX_LISTED_PAGES);
}

type Counted = Pick<WebVitalsTable, 'value' | 'amount'>;

/** `rows` by ascending value. */
function percentile(rows: readonly Counted[], unit: number): number | null {
  const wanted = sumOf(rows) * SHARE;
  let views = 0;
  for (const { value, amount } of rows) {
    views += amount;
    if (views >= wanted) return value / unit;
  }
  return null;
}

export function sumOf(rows: readonly Pick<Counted, 'amount'>[]): number {
  return rows.reduce((sum, { amount }) => sum + amount, 0);
}
