/** Sums up visits, messages, quotes, orders and money by source. */

import { sql } from 'kysely';
import { localDate } from '../company/days.ts';
import { MAX_LISTED_SOURCES } from '../limits.ts';
import { CHUNK_SIZE, inBatches } from '../platform/database/queries.server.ts';
import type { Db } from '../platform/database/tables.server.ts';
import { type Call, call } from '../platform/http/call.server.ts';
import { type Cell, csvDownload, dollarFigure } from '../platform/http/file-download.server.ts';
import { cents, toDollars } from '../platform/money.ts';
import { DAY_MS, startOfUtcDay } from '../platform/time.ts';
import type { Site } from '../site.server.ts';
import type { AttributedKind } from './attribution-store.server.ts';
import { DIRECT, OTHER_SOURCES, UNKNOWN } from './read-visit.server.ts';
import {
  DOWNLOAD_SOURCES,
  isAssistant,
  READ_SOURCES,
  SOURCE_PERIODS,
  type SourceSums,
  sourceName,
} from './sources-api.ts';

export function sourceCalls({ db, log, company }: Site): Call[] {
  async function read(): Promise<SourceSums[]> {
    await log.flush();
    return sumSources(db);
  }
  return [
    call(READ_SOURCES, 'staff', async () => ({
      sources: (await read()).map((sums) => ({ ...sums, money: toDollars(sums.money) })),
    })),
    call(DOWNLOAD_SOURCES, 'staff', async () => {
      const name = `sources-${localDate(company, Date.now())}.csv`;
      return csvDownload(name, CSV_COLUMNS, [await read()]);
    }),
  ];
}

const CSV_COLUMNS: Record<keyof SourceSums, (sums: SourceSums) => Cell> = {
  days: ({ days }) => days,
  source: ({ source }) => source,
  visits: ({ visits }) => visits,
  messages: ({ messages }) => messages,
  quotes: ({ quotes }) => quotes,
  orders: ({ orders }) => orders,
  money: ({ money }) => dollarFigure(money),
};

type Sums = Omit<SourceSums, 'days'>;
const NOTHING: Omit<Sums, 'source'> = {
  ...{ visits: 0, messages: 0, quotes: 0, orders: 0 },
  money: cents(0),
};

/** Names kept while they are summed, and rows that wait for that: no flood fills memory. */
const MAX_NAMES = 10 * MAX_LISTED_SOURCES;
const MAX_ROWS = 10 * MAX_NAMES;

async function sumSources(db: Db): Promise<SourceSums[]> {
  const periods = SOURCE_PERIODS.map((days) => ({
    days,
    // The first day (UTC) that overlaps the period.
    from: startOfUtcDay(Date.now() - days * DAY_MS),
    sums: [] as Sums[],
  }));
  const longest = Math.min(...periods.map(({ from }) => from));
  for await (const rows of attributedSince(db, longest))
    for (const period of periods) {
      period.sums.push(...rows.filter(({ at }) => at >= period.from));
      if (period.sums.length > MAX_ROWS) period.sums = mostValuable(period.sums, MAX_NAMES);
    }
  const listed = periods.map(async ({ days, from, sums }) => {
    const visits = (await visitsSince(db, from)).map((row) => ({ ...NOTHING, ...row }));
    const best = mostValuable([...sums, ...visits], MAX_LISTED_SOURCES);
    return best.map((row) => ({ days, ...row }));
  });
  return (await Promise.all(listed)).flat();
}

/** The most valuable first; those beyond `most` are one row, assistants are always named. */
function mostValuable(rows: readonly Sums[], most: number): Sums[] {
  const bySource = Map.groupBy(rows, ({ source }) => sourceName(source));
  const other = bySource.get(OTHER_SOURCES) ?? [];
  bySource.delete(OTHER_SOURCES);
  const sorted = [...bySource].map(([source, same]) => sumOf(source, same)).sort(byWorth);
  const others = sorted.filter(({ source }) => !isAssistant(source));
  const rest = [...others.splice(most), ...other];
  if (rest.length > 0) others.push(sumOf(OTHER_SOURCES, rest));
  return [...others, ...sorted.filter(({ source }) => isAssistant(source))];
}

function sumOf(source: string, rows: readonly Sums[]): Sums {
  return rows.reduce(
    (sum, row) => ({
      source,
      visits: sum.visits + row.visits,
      messages: sum.messages + row.messages,
      quotes: sum.quotes + row.quotes,
      orders: sum.orders + row.orders,
      money: cents(sum.money + row.money),
    }),
    { source, ...NOTHING },
  );
}

function byWorth(one: Sums, other: Sums): number {
  const { money, orders, quotes, messages, visits } = other;
  return (
    money - one.money ||
    orders - one.orders ||
    quotes - one.quotes ||
    messages - one.messages ||
    visits - one.visits
  );
}

const IS_PAID = sql`"kind" = 'order' and exists (select 1 from "orderEvents" where "orderId" = "subjectId" and "orderEvents"."kind" = 'paid')`;
/** Of a paid invoice, the rest is what the bank took back. */
const KEPT = sql`"amountPaidCents" - case when "status" = 'paid' then "amountRemainingCents" else 0 end`;
const MONEY = sql`(select coalesce(sum(${KEPT}), 0) from "invoices" where "orderId" = "subjectId") - (select coalesce(sum("refundedCents"), 0) from "charges" where "orderId" = "subjectId")`;

interface Attributed extends Omit<Sums, 'visits'> {
  at: number;
  kind: AttributedKind;
  subjectId: number;
}

/** Newest first, some at a time: a flood of messages brings any number of names. */
async function* attributedSince(db: Db, from: number) {
  const label = sql`coalesce("source", "host", case when "page" is null then ${UNKNOWN} else ${DIRECT} end)`;
  const isOf = (kind: AttributedKind) => sql`case when "kind" = ${kind} then 1 else 0 end`;
  const batches = inBatches<Attributed>(async (last) => {
    const before = last
      ? sql`("at", "kind", "subjectId") < (${last.at}, ${last.kind}, ${last.subjectId})`
      : sql`1 = 1`;
    const page = sql<Attributed>`select "at", "kind", "subjectId", ${label} as "source", ${isOf('thread')} as "messages", ${isOf('quote')} as "quotes", case when ${IS_PAID} then 1 else 0 end as "orders", cast(case when ${IS_PAID} then ${MONEY} else 0 end as bigint) as "money" from "attributions" where "at" >= ${from} and ${before} order by "at" desc, "kind" desc, "subjectId" desc limit ${CHUNK_SIZE}`;
    return (await page.execute(db)).rows;
  });
  for await (const rows of batches) yield rows.map((row) => ({ ...NOTHING, ...row }));
}

function visitsSince(db: Db, from: number) {
  return db
    .selectFrom('accessLogHours')
    .select(['key as source', sql<number>`cast(sum("amount") as bigint)`.as('visits')])
    .where('hour', '>=', from)
    .where('kind', '=', 'source')
    .groupBy('key')
    .execute();
}
