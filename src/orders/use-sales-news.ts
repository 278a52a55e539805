/** How much has happened to orders and quotes since this browser last showed their lists. */
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import * as z from 'zod/mini';
import { localStore } from '../platform/browser/browser-storage.ts';
import { callQuery } from '../platform/browser/query-client.ts';
import { count } from '../platform/schema.ts';
import { STAFF_PAGES } from '../routes.ts';
import { COUNT_SALES_NEWS } from './order-api.ts';

const SEEN = 'seen-sales';
/** The newest event when each list was last shown. */
const seenEvents = z.object({ orders: z.optional(count), quotes: z.optional(count) });
type Seen = z.output<typeof seenEvents>;

/** `shown`: what the browser asks for again when there is news. */
export function useSalesNews(
  enabled: boolean,
  shown: readonly { path: string }[],
): { orders: number; quotes: number } {
  const [path] = useLocation();
  const [seen, setSeen] = useState<Seen>(() => localStore.get(SEEN, seenEvents) ?? {});
  const query = new URLSearchParams(
    Object.entries(seen).map(([list, id]) => [list, String(id)] as [string, string]),
  );
  const { data } = useQuery({
    ...callQuery(COUNT_SALES_NEWS, { query }),
    placeholderData: keepPreviousData,
    meta: { inBackground: true },
    enabled,
  });
  const queryClient = useQueryClient();
  const known = useRef(data?.newest);
  useEffect(() => {
    if (!data || data.newest === known.current) return;
    const isFirst = known.current === undefined;
    known.current = data.newest;
    if (!isFirst)
      for (const { path } of shown) void queryClient.invalidateQueries({ queryKey: [path] });
  }, [data, shown, queryClient]);
  useEffect(() => {
    if (!data) return;
    const { newest } = data;
    // The first time, nothing is new.
    const next = {
      orders: path === STAFF_PAGES.orders.path ? newest : (seen.orders ?? newest),
      quotes: path === STAFF_PAGES.quotes.path ? newest : (seen.quotes ?? newest),
    };
    if (next.orders === seen.orders && next.quotes === seen.quotes) return;
    localStore.set(SEEN, next);
    setSeen(next);
  }, [data, path, seen]);
  return { orders: data?.orders ?? 0, quotes: data?.quotes ?? 0 };
}
