/** Sums up visits, messages, quotes, orders and money by source. */
import { sql } from 'kysely';
import type { Company } from '../company/company.ts';
import { localDate } from '../company/hours.ts';
import { MAX_LISTED_SOURCES } from '../limits.ts';
import type { Db } from '../platform/database/tables.server.ts';
import { type Call, call } from '../platform/http/call.server.ts';
import { csvDownload } from '../platform/http/file-download.server.ts';
import { cents, toDollars } from '../platform/money.ts';
import { DAY_MS, startOfDay } from '../platform/time.ts';
import { DIRECT, OTHER_SOURCES, UNKNOWN } from './read-visit.server.ts';
import { DOWNLOAD_SOURCES, READ_SOURCES, SOURCE_PERIODS, type SourceSums } from './sources-api.ts';

/** `flush`: stores the visits so far. */
export function sourceCalls(db: Db, flush: () => Promise<void>, company: Company): Call[] {
  async function read(): Promise<SourceSums[]> {
    await flush();
    return (await Promise.all(SOURCE_PERIODS.map((days) => sumSources(db, days)))).flat();
  }
  return [
    call(READ_SOURCES, {
      access: 'staff',
      handle: async () => ({
        sources: (await read()).map((sums) => ({ ...sums, money: toDollars(sums.money) })),
      }),
    }),
    call(DOWNLOAD_SOURCES, {
      access: 'staff',
      handle: async () => {
        const name = `sources-${localDate(company, Date.now())}.csv`;
        return csvDownload(name, CSV_COLUMNS, [await read()]);
      },
    }),
  ];
}

const CSV_COLUMNS: Record<keyof SourceSums, (sums: SourceSums) => string | number> = {
  days: ({ days }) => days,
  source: ({ source }) => source,
  visits: ({ visits }) => visits,
  messages: ({ messages }) => messages,
  quotes: ({ quotes }) => quotes,
  orders: ({ orders }) => orders,
  money: ({ money }) => toDollars(money).toFixed(2),
};

const LABEL = sql`coalesce("source", "host", case when "page" is null then ${sql.lit(UNKNOWN)} else ${sql.lit(DIRECT)} end)`;
const WAS_PAID = sql`"kind" = 'order' and exists (select 1 from "orderEvents" where "orderId" = "subjectId" and "orderEvents"."kind" = 'paid')`;
const MONEY = sql`(select coalesce(sum("amountCents"), 0) from "orderInvoices" where "orderId" = "subjectId" and "paid" = 1) - (select "refundedCents" from "orders" where "id" = "subjectId")`;

/** Of the days (UTC) that overlap the period. */
async function sumSources(db: Db, days: number): Promise<SourceSums[]> {
  const from = startOfDay(Date.now() - days * DAY_MS);
  const { rows } = await sql<Omit<SourceSums, 'days'>>`
    select "label" as "source",
      cast(sum("visit") as bigint) as "visits",
      cast(sum("message") as bigint) as "messages",
      cast(sum("quote") as bigint) as "quotes",
      cast(sum("order") as bigint) as "orders",
      cast(sum("cents") as bigint) as "money"
    from (
      select "key" as "label", "amount" as "visit",
        0 as "message", 0 as "quote", 0 as "order", 0 as "cents"
      from "accessLogHours" where "kind" = 'source' and "hour" >= ${from}
      union all
      select ${LABEL}, 0,
        case when "kind" = 'thread' then 1 else 0 end,
        case when "kind" = 'quote' then 1 else 0 end,
        case when ${WAS_PAID} then 1 else 0 end,
        case when ${WAS_PAID} then ${MONEY} else 0 end
      from "attributions" where "at" >= ${from}
    ) as "counted"
    group by "label"
    order by "money" desc, "orders" desc, "quotes" desc, "messages" desc, "visits" desc`.execute(
    db,
  );
  return bounded(rows.map((row) => ({ days, ...row })));
}

/** Anyone can make up sources, so those that brought the least are summed together. */
function bounded(sources: SourceSums[]): SourceSums[] {
  const named = sources.filter(({ source }) => source !== OTHER_SOURCES);
  const listed = named.slice(0, MAX_LISTED_SOURCES);
  const [other, ...rest] = sources.filter((sums) => !listed.includes(sums));
  if (!other) return listed;
  for (const { visits, messages, quotes, orders, money } of rest) {
    other.visits += visits;
    other.messages += messages;
    other.quotes += quotes;
    other.orders += orders;
    other.money = cents(other.money + money);
  }
  return [...listed, { ...other, source: OTHER_SOURCES }];
}
