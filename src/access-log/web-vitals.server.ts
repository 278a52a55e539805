/** What visitors feel: counts of rounded values by day and page, so that nobody is in them. */
import { sql } from 'kysely';
import type * as z from 'zod/mini';
import { MAX_LISTED_PAGES, VITALS_CALLS } from '../limits.ts';
import { inBatches } from '../platform/database/queries.server.ts';
import type { Db } from '../platform/database/tables.server.ts';
import { type Call, call } from '../platform/http/call.server.ts';
import { DAY_MS, startOfUtcDay } from '../platform/time.ts';
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
    return { day: startOfUtcDay(now), page, metric, value: Math.round(rounded), amount: 1 };
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

const firstDay = (now: number) => startOfUtcDay(now - DAYS * DAY_MS);

export async function deleteOldVitals(db: Db, now: number): Promise<void> {
  await db.deleteFrom('webVitals').where('day', '<', firstDay(now)).execute();
}

/** The pages with most views first. */
export async function readVitals(db: Db, now: number): Promise<z.output<typeof pageVitals>> {
  return [...(await sumValues(db, firstDay(now)))]
    .map(([page, ofPage]) => {
      const of = (metric: keyof Vitals) => ofPage.get(metric) ?? new Map<number, number>();
      const felt = (metric: keyof Vitals) => percentile(of(metric), UNITS[metric]);
      return {
        page,
        views: Math.max(...METRICS.map((metric) => totalOf(of(metric)))),
        lcp: felt('lcp'),
        inp: felt('inp'),
        cls: felt('cls'),
      };
    })
    .sort((one, other) => other.views - one.views)
    .slice(0, MAX_LISTED_PAGES);
}

/** Strangers can fill all values of all pages: in 28 days, more than a million rows. */
const ROWS_AT_ONCE = 5_000;

/** By page and metric: how many views felt each value. */
async function sumValues(db: Db, from: number) {
  const sums = new Map<string, Map<string, Map<number, number>>>();
  const some = db
    .selectFrom('webVitals')
    .selectAll()
    .orderBy('day')
    .orderBy('page')
    .orderBy('metric')
    .orderBy('value')
    .limit(ROWS_AT_ONCE);
  const batches = inBatches<WebVitalsTable>((last) =>
    last
      ? some
          .where(
            sql<boolean>`("day", "page", "metric", "value") > (${last.day}, ${last.page}, ${last.metric}, ${last.value})`,
          )
          .execute()
      : some.where('day', '>=', from).execute(),
  );
  for await (const rows of batches)
    for (const { page, metric, value, amount } of rows) {
      const ofPage = sums.get(page) ?? new Map<string, Map<number, number>>();
      const ofMetric = ofPage.get(metric) ?? new Map<number, number>();
      sums.set(page, ofPage.set(metric, ofMetric));
      ofMetric.set(value, (ofMetric.get(value) ?? 0) + amount);
    }
  return sums;
}

type Views = ReadonlyMap<number, number>;

function totalOf(views: Views): number {
  return [...views.values()].reduce((sum, amount) => sum + amount, 0);
}

function percentile(views: Views, unit: number): number | null {
  const wanted = totalOf(views) * SHARE;
  let sum = 0;
  for (const [value, amount] of [...views].sort(([one], [other]) => one - other)) {
    sum += amount;
    if (sum >= wanted) return value / unit;
  }
  return null;
}
