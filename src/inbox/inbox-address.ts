/** What the inbox shows, as its address says it. */
import { useListAddress } from '../ui/records/use-list-address.ts';
import { type InboxFilter, readFilter, writeFilter } from './inbox.ts';

export type InboxList = 'contacts' | 'conversations';

export interface InboxAddress {
  list: InboxList;
  filter: InboxFilter;
}

export const useInboxAddress = () => useListAddress(readAddress, writeAddress);

function readAddress(query: URLSearchParams): InboxAddress {
  return {
    list: query.get('list') === 'conversations' ? 'conversations' : 'contacts',
    filter: readFilter(query),
  };
}

function writeAddress({ list, filter }: InboxAddress): URLSearchParams {
  const query = writeFilter(filter);
  if (list === 'conversations') query.set('list', list);
  return query;
}
