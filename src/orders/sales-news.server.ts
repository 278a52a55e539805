/** Counts for staff what has happened to orders and quotes by itself since they last looked. */

import { sql } from 'kysely';
import { ALERTS, type EventKind } from '../billing/order-event.server.ts';
import { MAX_LISTED } from '../limits.ts';
import { type Call, call, readId } from '../platform/http/call.server.ts';
import type { Site } from '../site.server.ts';
import { COUNT_SALES_NEWS } from './order-api.ts';

const OF_ORDERS: readonly EventKind[] = [
  'paid',
  'renewal-failed',
  'debit-returned',
  'overdue',
  'disputed',
  'refund-failed',
  'paid-after-end',
  ...ALERTS,
];
const OF_QUOTES: readonly EventKind[] = ['accepted', 'quote-accepted'];

/** Among the newest events: who was away for longer sees the lists themselves. */
export function salesNewsCall({ db }: Site): Call {
  const newest = db
    .selectFrom('orderEvents')
    .select(['id', 'orderId', 'kind'])
    .orderBy('id', 'desc')
    .limit(MAX_LISTED);
  const count = (kinds: readonly EventKind[], since: number) => {
    const isNews = sql`"id" > cast(${since} as bigint) and "kind" in (${sql.join(kinds)})`;
    return sql<number>`count(distinct case when ${isNews} then "orderId" end)`;
  };
  return call(COUNT_SALES_NEWS, 'staff', async ({ query }) => {
    const since = (name: string) => readId(query.get(name) ?? '') ?? Number.MAX_SAFE_INTEGER;
    return db
      .selectFrom(newest.as('newest'))
      .select([
        count(OF_ORDERS, since('orders')).as('orders'),
        count(OF_QUOTES, since('quotes')).as('quotes'),
        sql<number>`coalesce(max("id"), 0)`.as('newest'),
      ])
      .executeTakeFirstOrThrow();
  });
}
