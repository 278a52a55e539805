/** Counts for staff what has happened to orders and quotes by itself since they last looked. */

import { hasFact } from '../billing/event-kinds.server.ts';
import { MAX_LISTED } from '../limits.ts';
import { type Call, call, readId } from '../platform/http/call.server.ts';
import type { Site } from '../site.server.ts';
import { COUNT_SALES_NEWS } from './order-api.ts';

/** PostgreSQL's largest id: who has not looked yet has no news. */
const LAST = 2 ** 31 - 1;

/** Among the newest events: who was away for longer sees the lists themselves. */
export function salesNewsCall({ db }: Site): Call {
  return call(COUNT_SALES_NEWS, 'staff', async ({ query }) => {
    const since = (name: string) =>
      query.get(name) === '0' ? 0 : (readId(query.get(name) ?? '') ?? LAST);
    const [orders, quotes] = [since('orders'), since('quotes')];
    const events = db.selectFrom('orderEvents');
    const last = await events.select(({ fn }) => fn.max('id').as('id')).executeTakeFirst();
    const news = await events
      .select(['id', 'orderId', 'kind'])
      .where('id', '>', Math.min(orders, quotes))
      .orderBy('id', 'desc')
      .limit(MAX_LISTED)
      .execute();
    const countOf = (fact: 'news of orders' | 'news of quotes', seen: number) => {
      const own = news.filter(({ id, kind }) => id > seen && hasFact(kind, fact));
      return new Set(own.map(({ orderId }) => orderId)).size;
    };
    return {
      orders: countOf('news of orders', orders),
      quotes: countOf('news of quotes', quotes),
      newest: last?.id ?? 0,
    };
  });
}
