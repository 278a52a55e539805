/** What the browser keeps of the inbox, and how events change it: the list stays until asked. */

import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import * as z from 'zod/mini';
import { COUNT_SALES_NEWS } from '../orders/order-api.ts';
import { atMostEvery } from '../platform/browser/at-most-every.ts';
import { localStore } from '../platform/browser/browser-storage.ts';
import { callQuery } from '../platform/browser/query-client.ts';
import { useEvents } from '../platform/browser/use-events.ts';
import { callUrl } from '../platform/contract.ts';
import { reasonOf } from '../platform/fetch-call.ts';
import { rowId } from '../platform/schema.ts';
import { MINUTE_MS } from '../platform/time.ts';
import { signalMessage } from '../staff/signals.tsx';
import { showError } from '../ui/toast/toast.ts';
import {
  COUNT_INBOX,
  type Entry,
  GET_THREAD,
  INBOX_FILTER,
  type InboxFilter,
  type OpenThread,
  STAFF_EVENTS,
  type Thread,
  threadEvent,
} from './inbox-api.ts';

export const LIST = ['inbox', 'list'];
const COUNTS = [COUNT_INBOX.path];
/** The server's time when the list was loaded. */
export const LOADED_AT = ['inbox', 'loaded-at'];

export const NO_FILTER = INBOX_FILTER.read(new URLSearchParams());
/** The way of an answer is asked for at this interval, for three minutes. */
const FOLLOW_EVERY_MS = 5_000;
/** However many visitors write: an office shares the allowance of one address. */
const COUNT_EVERY_MS = 3_000;

export function useThread(id: number, enabled: boolean) {
  return useQuery({
    ...threadQuery(id),
    refetchInterval: ({ state }) => state.data?.entries.some(isOnItsWay) && FOLLOW_EVERY_MS,
    enabled,
  });
}

export const threadQuery = (id: number) => callQuery(GET_THREAD, { params: { id } });

function isOnItsWay({ delivery }: Entry): boolean {
  if (!delivery || !['leaving', 'sent', 'waiting'].includes(delivery.state)) return false;
  return Date.now() - Date.parse(delivery.at) < 3 * MINUTE_MS;
}

/** Ignores the filter's status. `since`: a time of the server, for what is newer. */
export function useCounts(filter: InboxFilter, enabled = true, since?: number) {
  const query = INBOX_FILTER.write({ ...filter, status: '', page: 1 });
  if (since) query.set('since', String(since));
  return useQuery({
    ...callQuery(COUNT_INBOX, { query }),
    select: ({ at: _, failed, trying, sale, ...counts }) => ({ counts, failed, trying, sale }),
    placeholderData: keepPreviousData,
    meta: { inBackground: true },
    enabled,
  });
}

export function useThreadCache() {
  const queryClient = useQueryClient();
  /** In the list too, where its row stays. */
  function paint(thread: OpenThread): void {
    queryClient.setQueryData(threadQuery(thread.id).queryKey, thread);
    queryClient.setQueriesData<Thread[]>({ queryKey: LIST }, (rows) =>
      rows?.map((row) => (row.id === thread.id ? { ...row, ...thread } : row)),
    );
  }
  return {
    paint,
    /** Shows what a call has made of a thread. */
    show(thread: OpenThread): void {
      paint(thread);
      void queryClient.invalidateQueries({ queryKey: COUNTS });
    },
    failed: (error: unknown) => void showError(reasonOf(error)),
    reload: (id: number) => void queryClient.invalidateQueries(threadQuery(id)),
  };
}

/** Follows the server's events. `arrived`: threads with news since this tab was last looked at. */
export function useInboxEvents(enabled: boolean): { waiting: number; arrived: number } {
  const queryClient = useQueryClient();
  const counts = useCounts(NO_FILTER, enabled).data?.counts;
  const [count] = useState(() =>
    atMostEvery(COUNT_EVERY_MS, () => queryClient.invalidateQueries({ queryKey: COUNTS })),
  );
  const fetchNews = (data: unknown) => {
    const news = threadEvent.safeParse(data).data;
    const sales = { queryKey: [COUNT_SALES_NEWS.path] };
    if (news && 'sales' in news) return queryClient.invalidateQueries(sales);
    count();
    // Without news, anything may have changed.
    if (!news) void queryClient.invalidateQueries(sales);
    const { queryKey } = news ? threadQuery(news.thread) : { queryKey: [GET_THREAD.path] };
    return queryClient.invalidateQueries({ queryKey }, { throwOnError: true });
  };
  useEvents(callUrl(STAFF_EVENTS), 'thread', fetchNews, enabled);
  const waiting = counts && counts.new + counts.waiting;
  const last = useRef(waiting);
  useEffect(() => {
    if (last.current !== undefined && waiting !== undefined && waiting > last.current)
      signalMessage('A new message waits');
    last.current = waiting;
  }, [waiting]);
  return { waiting: waiting ?? 0, arrived: useArrived() };
}

/** The newest; more are no news. */
const MAX_FRESH = 50;

/** Threads that 'Show new' has brought, until they are opened in this browser, and how to add. */
export function useFresh(open: number | null) {
  const [fresh, setFresh] = useState(() => localStore.get('fresh-threads', z.array(rowId)) ?? []);
  if (open !== null && fresh.includes(open)) setFresh(fresh.filter((id) => id !== open));
  useEffect(() => localStore.set('fresh-threads', fresh), [fresh]);
  const add = (ids: readonly number[]) =>
    setFresh((known) => [...new Set([...known, ...ids])].slice(-MAX_FRESH));
  return [fresh, add] as const;
}

function useArrived(): number {
  const queryClient = useQueryClient();
  /** The server's time at the last count before the tab was hidden. */
  const [since, setSince] = useState<number>();
  useEffect(() => {
    function onChange() {
      const { queryKey } = callQuery(COUNT_INBOX);
      const counted = queryClient.getQueryData<{ at: number }>(queryKey);
      setSince(document.hidden ? counted?.at : undefined);
    }
    document.addEventListener('visibilitychange', onChange);
    return () => document.removeEventListener('visibilitychange', onChange);
  }, [queryClient]);
  return useNewsSince(since);
}

/** How many visitors have written since then; 0 until it is known. */
export function useNewsSince(since: number | undefined): number {
  const { data, isPlaceholderData } = useCounts(NO_FILTER, since !== undefined, since);
  return since && data && !isPlaceholderData ? data.counts.new + data.counts.waiting : 0;
}

export function isUnread({ status }: Pick<Thread, 'status'>): boolean {
  return status === 'new' || status === 'waiting';
}
