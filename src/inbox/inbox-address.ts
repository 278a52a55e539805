/** What the inbox shows, as its address says it. */
import { useListAddress } from '../ui/records/use-list-address.ts';
import { readFilter, writeFilter } from './inbox.ts';

export type InboxList = 'contacts' | 'conversations';

export const useInboxAddress = () => useListAddress(readAddress, writeAddress);

function readAddress(query: URLSearchParams) {
  const list: InboxList = query.get('list') === 'conversations' ? 'conversations' : 'contacts';
  return { list, filter: readFilter(query) };
}

function writeAddress({ list, filter }: ReturnType<typeof readAddress>): URLSearchParams {
  const query = writeFilter(filter);
  if (list === 'conversations') query.set('list', list);
  return query;
}
