/** What visitors wrote, as staff read it: contact messages and chat conversations, each with a mark. */
import { readPage, readWords } from '../platform/list-query.ts';

export const MARKS = ['new', 'answered', 'spam'] as const;
export type Mark = (typeof MARKS)[number];
export const MARK_LABELS: Record<Mark, string> = { new: 'New', answered: 'Answered', spam: 'Spam' };

export const INBOX_PAGE = 50;
/** GET /api/admin/contacts without a page: as many of the newest. */
export const WHOLE_LIST = 1000;

/** What a list is narrowed down to; the query parameters of its call and of the screen's address. */
export interface InboxFilter {
  /** Words to be found in a message, or its reference number. */
  words: string;
  /** A service's value, 'none' for messages without one, '' for all. */
  service: string;
  mark: Mark | '';
  /** Counts from 1. */
  page: number;
}

/** Reads a filter from query parameters; what makes no sense counts as not given. */
export function readFilter(query: URLSearchParams): InboxFilter {
  return {
    words: readWords(query),
    service: /^[a-z-]{1,40}$/.exec(query.get('service') ?? '')?.[0] ?? '',
    mark: MARKS.find((mark) => mark === query.get('mark')) ?? '',
    page: readPage(query),
  };
}

/** The parameters of a filter, without those that narrow nothing. */
export function writeFilter({ words, service, mark, page }: InboxFilter): URLSearchParams {
  const query = new URLSearchParams();
  if (words) query.set('find', words);
  if (service) query.set('service', service);
  if (mark) query.set('mark', mark);
  if (page > 1) query.set('page', String(page));
  return query;
}

/** Whether the filter leaves out anything. */
export function isNarrowed({ words, service, mark, page }: InboxFilter): boolean {
  return words !== '' || service !== '' || mark !== '' || page > 1;
}

export type InboxList = 'contacts' | 'conversations';

/** What the screen shows, as its address says it. */
export function readAddress(query: URLSearchParams) {
  const list: InboxList = query.get('list') === 'conversations' ? 'conversations' : 'contacts';
  return { list, filter: readFilter(query) };
}

export function writeAddress({ list, filter }: ReturnType<typeof readAddress>): URLSearchParams {
  const query = writeFilter(filter);
  if (list === 'conversations') query.set('list', list);
  return query;
}
