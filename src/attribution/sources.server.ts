/** Sums up visits, messages, quotes, orders and money by source. */

import { sql } from 'kysely';
import { localDate } from '../company/hours.ts';
import { MAX_LISTED_SOURCES } from '../limits.ts';
import { inBatches } from '../platform/database/queries.server.ts';
import type { Db } from '../platform/database/tables.server.ts';
import { type Call, call } from '../platform/http/call.server.ts';
import { type Cell, csvDownload, figure } from '../platform/http/file-download.server.ts';
import { type Cents, cents, toDollars } from '../platform/money.ts';
import { DAY_MS, startOfDay } from '../platform/time.ts';
import type { Site } from '../site.server.ts';
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
  money: ({ money }) => figure(toDollars(money).toFixed(2)),
};

type Counted = Omit<SourceSums, 'days' | 'source'>;

const NOTHING: Counted = { visits: 0, messages: 0, quotes: 0, orders: 0, money: cents(0) };

class Sums {
  readonly days: number;
  /** Start of the first day (UTC) that overlaps the period. */
  readonly from: number;
  readonly #bySource = new Map<string, Counted>();

  constructor(days: number) {
    this.days = days;
    this.from = startOfDay(Date.now() - days * DAY_MS);
  }

  add(label: string, more: Partial<Counted>): void {
    const source = sourceName(label);
    const { visits, messages, quotes, orders, money } = this.#bySource.get(source) ?? NOTHING;
    this.#bySource.set(source, {
      visits: visits + (more.visits ?? 0),
      messages: messages + (more.messages ?? 0),
      quotes: quotes + (more.quotes ?? 0),
      orders: orders + (more.orders ?? 0),
      money: cents(money + (more.money ?? 0)),
    });
  }

  /** The most valuable first; those beyond the limit are one row, assistants are always named. */
  rows(): SourceSums[] {
    const named = [...this.#bySource].filter(([source]) => source !== OTHER_SOURCES);
    const sorted = named.sort(([, a], [, b]) => compare(a, b));
    const { assistants = [], others = [] } = Object.groupBy(sorted, ([source]) =>
      isAssistant(source) ? 'assistants' : 'others',
    );
    for (const [, sums] of others.splice(MAX_LISTED_SOURCES)) this.add(OTHER_SOURCES, sums);
    const other = this.#bySource.get(OTHER_SOURCES);
    if (other) others.push([OTHER_SOURCES, other]);
    return [...others, ...assistants].map(([source, sums]) => ({
      days: this.days,
      source,
      ...sums,
    }));
  }
}

function compare(a: Counted, b: Counted): number {
  return (
    b.money - a.money ||
    b.orders - a.orders ||
    b.quotes - a.quotes ||
    b.messages - a.messages ||
    b.visits - a.visits
  );
}

async function sumSources(db: Db): Promise<SourceSums[]> {
  const periods = SOURCE_PERIODS.map((days) => new Sums(days));
  const from = Math.min(...periods.map((sums) => sums.from));
  for await (const rows of attributed(db, from))
    for (const { at, kind, source, host, page, paid, money } of rows) {
      const label = source ?? host ?? (page === null ? UNKNOWN : DIRECT);
      const counted = {
        thread: { messages: 1 },
        quote: { quotes: 1 },
        order: paid ? { orders: 1, money } : {},
      }[kind];
      for (const sums of periods) if (at >= sums.from) sums.add(label, counted);
    }
  for (const sums of periods)
    for (const { source, visits } of await visitsSince(db, sums.from)) sums.add(source, { visits });
  return periods.flatMap((sums) => sums.rows());
}

/** Rows per statement, since strangers add rows: on SQLite nothing else runs meanwhile. */
const SLICE = 1_000;
const WAS_PAID = sql<
  0 | 1
>`case when "attributions"."kind" = 'order' and (select count(*) from "orderEvents" where "orderId" = "subjectId" and "orderEvents"."kind" = 'paid') > 0 then 1 else 0 end`;
/** Of a paid invoice, the rest is what the bank took back. */
const KEPT = sql`"amountPaidCents" - case when "status" = 'paid' then "amountRemainingCents" else 0 end`;
const MONEY = sql<Cents>`case when "attributions"."kind" = 'order' then (select coalesce(cast(sum(${KEPT}) as bigint), 0) from "invoices" where "orderId" = "subjectId") - (select coalesce(cast(sum("refundedCents") as bigint), 0) from "charges" where "orderId" = "subjectId") else 0 end`;

/** What visitors sent since then, the newest first. */
function attributed(db: Db, from: number) {
  const newest = db
    .selectFrom('attributions')
    .select(['at', 'kind', 'subjectId', 'source', 'host', 'page'])
    .select([WAS_PAID.as('paid'), MONEY.as('money')])
    .where('at', '>=', from)
    .orderBy('at', 'desc')
    .orderBy('kind', 'desc')
    .orderBy('subjectId', 'desc')
    .limit(SLICE);
  return inBatches((last: Awaited<ReturnType<typeof newest.execute>>[number] | undefined) => {
    if (!last) return newest.execute();
    const { at, kind, subjectId } = last;
    return newest
      .where(({ eb, refTuple, tuple }) =>
        eb(refTuple('at', 'kind', 'subjectId'), '<', tuple(at, kind, subjectId)),
      )
      .execute();
  });
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
