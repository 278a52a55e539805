/** The calls for staff's inbox, contact messages and chat conversations, and the filter of its lists. */
import * as z from 'zod/mini';
import { contactSubmission, MARKS, type Mark } from '../contact/contact.ts';
import { contract } from '../platform/contract.ts';
import {
  type DayRange,
  readDays,
  readPage,
  readSearch,
  writeDays,
} from '../platform/list-query.ts';
import { count, fallback, list, rowId, textOrNull } from '../platform/schema.ts';

export const MARK_LABELS: Record<Mark, string> = { new: 'New', answered: 'Answered', spam: 'Spam' };

export type InboxList = 'contacts' | 'conversations';

/** The list that the inbox shows and its filter, as in the page's URL and in the calls' queries. */
export interface InboxFilter extends DayRange {
  list: InboxList;
  /** The search text: words of a message, or its reference number. */
  search: string;
  /** A service's value, 'none' for messages without a service, '' for all. */
  service: string;
  mark: Mark | '';
  /** Counts from 1. */
  page: number;
}

/** Invalid parameters count as missing. */
export function readFilter(query: URLSearchParams): InboxFilter {
  return {
    list: query.get('list') === 'conversations' ? 'conversations' : 'contacts',
    search: readSearch(query),
    service: /^[a-z-]{1,40}$/.exec(query.get('service') ?? '')?.[0] ?? '',
    mark: MARKS.find((mark) => mark === query.get('mark')) ?? '',
    ...readDays(query),
    page: readPage(query),
  };
}

/** Leaves out the parameters that have their default. */
export function writeFilter(filter: InboxFilter): URLSearchParams {
  const { list, search, service, mark, page } = filter;
  const query = new URLSearchParams();
  if (search) query.set('find', search);
  if (service) query.set('service', service);
  if (mark) query.set('mark', mark);
  writeDays(filter, query);
  if (page > 1) query.set('page', String(page));
  if (list === 'conversations') query.set('list', list);
  return query;
}

const text = fallback(z.string(), '');

/** Both have fallbacks: a server that follows only the specification (decision 090) sends neither. */
const marked = {
  /** The reference number that the visitor was given. */
  reference: text,
  mark: fallback(z.nullable(z.enum(MARKS)), null),
};

const submission = z.extend(contactSubmission, marked);

export type Submission = z.output<typeof submission>;

/** Its id is that of its first message, its reference that of its newest. */
const conversation = z.object({
  ...marked,
  id: rowId,
  name: textOrNull,
  email: textOrNull,
  messages: fallback(count, 1),
  lastMessage: text,
  lastAt: text,
});
export type Conversation = z.output<typeof conversation>;

const chatMessage = z.object({
  id: rowId,
  reference: text,
  message: z.string(),
  /** The automatic reply. */
  response: text,
  at: text,
});

/** A conversation with all its messages, oldest first. */
const thread = z.extend(conversation, { thread: fallback(list(chatMessage), []) });
export type Thread = z.output<typeof thread>;

/** The number of search results with each mark. */
const markCounts = z.object({ new: count, answered: count, spam: count });
export type MarkCounts = z.output<typeof markCounts>;

const markBody = z.strictObject({ mark: z.enum(MARKS) });

/** Both lists and the counts take the parameters of an InboxFilter. Without a page, up to MAX_LISTED_CONTACTS contacts are returned. */
export const LIST_CONTACTS = contract('GET /api/admin/contacts', { answer: list(submission) });
export const GET_CONTACT = contract('GET /api/admin/contacts/:id', { answer: submission });
export const MARK_CONTACT = contract('POST /api/admin/contacts/:id/mark', {
  body: markBody,
  answer: fallback(z.nullable(submission), null),
});
export const LIST_CONVERSATIONS = contract('GET /api/admin/conversations', {
  answer: list(conversation),
});
export const GET_CONVERSATION = contract('GET /api/admin/conversations/:id', { answer: thread });
export const MARK_CONVERSATION = contract('POST /api/admin/conversations/:id/mark', {
  body: markBody,
  answer: fallback(z.nullable(thread), null),
});
/** Counts the filter's list, ignoring its mark. */
export const COUNT_INBOX = contract('GET /api/admin/inbox/counts', { answer: markCounts });

/** All messages as a CSV file. */
export const DOWNLOAD_MESSAGES = contract('GET /api/admin/messages/download');
