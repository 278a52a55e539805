/** Sums up visits, messages, quotes, orders and money by source. */
import { sql } from 'kysely';
import type { Company } from '../company/company.ts';
import { localDate } from '../company/hours.ts';
import type { Db } from '../platform/database/tables.server.ts';
import { type Call, call } from '../platform/http/call.server.ts';
import { csvDownload } from '../platform/http/file-download.server.ts';
import { toDollars, totalOf } from '../platform/money.ts';
import { DAY_MS, startOfDay } from '../platform/time.ts';
import { LABEL, type LeadKind } from './lead-store.server.ts';
import {
  DOWNLOAD_SOURCES,
  READ_SOURCES,
  SOURCE_COLUMNS,
  SOURCE_PERIODS,
  type SourceSums,
} from './sources-api.ts';

/** `flush`: stores the visits so far. */
export function sourceCalls(db: Db, flush: () => Promise<void>, company: Company): Call[] {
  async function read(query: URLSearchParams): Promise<SourceSums[]> {
    await flush();
    const asked = SOURCE_PERIODS.find((days) => `${days}` === query.get('days'));
    return readSources(db, asked ?? SOURCE_PERIODS[0]);
  }
  return [
    call(READ_SOURCES, {
      access: 'staff',
      handle: async ({ query }) => ({
        sources: (await read(query)).map((sums) => ({ ...sums, money: toDollars(sums.money) })),
      }),
    }),
    call(DOWNLOAD_SOURCES, {
      access: 'staff',
      handle: async ({ query }) => {
        const sources = (await read(query)).slice(0, -1);
        return csvDownload(`sources-${localDate(company, Date.now())}.csv`, CSV_COLUMNS, [sources]);
      },
    }),
  ];
}

const CSV_COLUMNS: Record<string, (sums: SourceSums) => string | number> = {
  source: ({ source }) => source,
  visits: ({ visits }) => visits,
  messages: ({ messages }) => messages,
  quotes: ({ quotes }) => quotes,
  orders: ({ orders }) => orders,
  money: ({ money }) => toDollars(money).toFixed(2),
};

/** Of the days (UTC) that the last `days` overlap; those with the most money, then orders, come first, and last the total. */
async function readSources(db: Db, days: number): Promise<SourceSums[]> {
  const from = startOfDay(Date.now() - days * DAY_MS);
  const counts = [...(await countVisits(db, from)), ...(await countLeads(db, from))];
  const sums = [...Map.groupBy(counts, ({ source }) => source)].map(([source, own]) =>
    sumsOf(source, own),
  );
  return [...sums.sort(byWorth), sumsOf('Total', counts)];
}

interface Count {
  source: string;
  column: (typeof SOURCE_COLUMNS)[number];
  amount: number;
}

function sumsOf(source: string, counts: readonly Count[]): SourceSums {
  const byColumn = Map.groupBy(counts, ({ column }) => column);
  const sum = (column: Count['column']) => totalOf(byColumn.get(column) ?? []);
  const [visits, messages, quotes] = [sum('visits'), sum('messages'), sum('quotes')];
  return { source, visits, messages, quotes, orders: sum('orders'), money: sum('money') };
}

function byWorth(one: SourceSums, other: SourceSums): number {
  const column = SOURCE_COLUMNS.findLast((name) => one[name] !== other[name]);
  return column ? other[column] - one[column] : 0;
}

async function countVisits(db: Db, from: number): Promise<Count[]> {
  const rows = await db
    .selectFrom('accessLogHours')
    .where('kind', '=', 'source')
    .where('hour', '>=', from)
    .select(['key as source', sql<number>`cast(sum("amount") as bigint)`.as('amount')])
    .groupBy('key')
    .execute();
  return rows.map((row) => ({ ...row, column: 'visits' }));
}

const COLUMN_OF: Record<LeadKind, Count['column']> = {
  message: 'messages',
  chat: 'messages',
  quote: 'quotes',
  order: 'orders',
};
const WAS_PAID = sql<boolean>`("kind" <> 'order' or exists (select 1 from "orderHistory" where "orderId" = "subjectId" and "status" = 'paid'))`;
const PAID = sql`(select coalesce(sum("amountCents"), 0) from "orderInvoices" where "orderId" = "subjectId" and "paid" = 1)`;
const REFUNDED = sql`(select "refundedCents" from "orders" where "id" = "subjectId")`;

async function countLeads(db: Db, from: number): Promise<Count[]> {
  const money = sql<number>`cast(sum(case when "kind" = 'order' then ${PAID} - ${REFUNDED} else 0 end) as bigint)`;
  const rows = await db
    .selectFrom('leads')
    .where('at', '>=', from)
    .where(WAS_PAID)
    .select(({ fn }) => ['kind', LABEL.as('label'), fn.countAll<number>().as('amount')])
    .select(money.as('money'))
    .groupBy(['label', 'kind'])
    .execute();
  return rows.flatMap(({ kind, label: source, amount, money }): Count[] => [
    { source, column: COLUMN_OF[kind], amount },
    { source, column: 'money', amount: money },
  ]);
}
