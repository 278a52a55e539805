/** What the inbox shows stands in its address: a reload, the back button and a link to a colleague show the same. */
import { useMemo } from 'react';
import { useLocation, useSearch } from 'wouter';
import { readOpen } from '../platform/list-query.ts';
import { type InboxFilter, readFilter, writeFilter } from './inbox.ts';

export type InboxList = 'contacts' | 'conversations';

export interface InboxAddress {
  list: InboxList;
  filter: InboxFilter;
  /** The id of the message or conversation that is read. */
  open: number | null;
}

export function useInboxAddress() {
  const search = useSearch();
  const [path, navigate] = useLocation();
  const address = useMemo(() => readAddress(search), [search]);
  return {
    address,
    /** `replace`: the way back leads past what is shown now. */
    go(change: Partial<InboxAddress>, options: { replace?: boolean } = {}) {
      const query = writeAddress({ ...address, ...change });
      navigate(query ? `${path}?${query}` : path, options);
    },
  };
}

function readAddress(search: string): InboxAddress {
  const query = new URLSearchParams(search);
  return {
    list: query.get('list') === 'conversations' ? 'conversations' : 'contacts',
    filter: readFilter(query),
    open: readOpen(query),
  };
}

function writeAddress({ list, filter, open }: InboxAddress): string {
  const query = writeFilter(filter);
  if (list === 'conversations') query.set('list', list);
  if (open !== null) query.set('open', String(open));
  return query.toString();
}
