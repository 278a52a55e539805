/** What visitors wrote, as staff read it: contact messages and chat conversations, each with a mark; its calls, and what travels. */
import * as z from 'zod/mini';
import { contactSubmission } from '../contact/contact.ts';
import { ORDER_NEWS } from '../orders/order.ts';
import { readPage, readWords } from '../platform/list-query.ts';
import type { Contract } from '../platform/old/contract.ts';
import { count, moment, rowId } from '../platform/old/json-shapes.ts';
import { fields, id, list, number, oneOf, or, text } from '../platform/old/read.ts';

export const MARKS = ['new', 'answered', 'spam'] as const;
export type Mark = (typeof MARKS)[number];
export const MARK_LABELS: Record<Mark, string> = { new: 'New', answered: 'Answered', spam: 'Spam' };

/** What a notification is about, by its kind, in the list of deliveries. */
export const NOTIFICATION_WORDS: Readonly<Record<string, string>> = {
  'contact-received': 'Message',
  'chat-received': 'Chat message',
  ...ORDER_NEWS,
  'order-links': 'Links to orders',
  'quote-saved': 'Quote',
  'quote-changed': 'Changed quote',
  'quote-reminder': 'Reminder of quote',
  'safeguards-report': 'Safeguards report',
};

export const INBOX_PAGE = 50;
/** GET /api/admin/contacts without a page: as many of the newest. */
export const WHOLE_LIST = 1000;

export function pageRange(page: number): { limit: number; offset: number } {
  return { limit: INBOX_PAGE, offset: (page - 1) * INBOX_PAGE };
}

/** What is stored as something unknown is better looked at once more. */
export function readMark(stored: string): Mark {
  return MARKS.find((mark) => mark === stored) ?? 'new';
}

export function countByMark(rows: readonly { mark: string; count: number }[]): MarkCounts {
  const counts: MarkCounts = { new: 0, answered: 0, spam: 0 };
  for (const { mark, count } of rows) counts[readMark(mark)] += count;
  return counts;
}

/** The id in words that are a reference number, such as 'c-12'; undefined for other words. */
export function idIn(reference: (id: number) => string, words: string): number | undefined {
  const id = Number(/\d{1,9}$/.exec(words)?.[0]);
  return reference(id) === words.toUpperCase() ? id : undefined;
}

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

export const markRequest = z.strictObject({ mark: z.enum(MARKS) });

/** A contact message, with the number that the visitor was given. */
export const submission = z.extend(contactSubmission, {
  reference: z.string(),
  mark: z.enum(MARKS),
});

export type ContactSubmission = z.output<typeof submission>;

/** A conversation by its newest message, and who wrote it. */
export const conversation = z.strictObject({
  /** The id of its first message. */
  id: rowId,
  /** Its newest message's. */
  reference: z.string(),
  name: z.nullable(z.string()),
  email: z.nullable(z.string()),
  messages: rowId,
  lastMessage: z.string(),
  mark: z.enum(MARKS),
  lastAt: moment,
});

export type Conversation = z.output<typeof conversation>;

const conversationMessage = z.strictObject({
  id: rowId,
  reference: z.string(),
  message: z.string(),
  /** What the site answered at once. */
  response: z.string(),
  at: moment,
});

export type ConversationMessage = z.output<typeof conversationMessage>;

/** Oldest message first. */
export const wholeConversation = z.extend(conversation, { thread: z.array(conversationMessage) });

export type WholeConversation = z.output<typeof wholeConversation>;

export const submissions = z.array(submission);

export const conversations = z.array(conversation);

/** How many rows of each mark a search finds. */
const markCounts = z.strictObject({ new: count, answered: count, spam: count });

export type MarkCounts = z.output<typeof markCounts>;

export const inboxCounts = z.strictObject({ contacts: markCounts, conversations: markCounts });

export type InboxCounts = z.output<typeof inboxCounts>;

/** Both lists take the parameters of an InboxFilter; contacts without a page are the WHOLE_LIST. */
export const LIST_CONTACTS: Contract<null, typeof submissions> = 'GET /api/admin/contacts';
export const GET_CONTACT: Contract<null, typeof submission> = 'GET /api/admin/contacts/:id';
export const MARK_CONTACT: Contract<typeof markRequest, typeof submission> =
  'POST /api/admin/contacts/:id/mark';
export const LIST_CONVERSATIONS: Contract<null, typeof conversations> =
  'GET /api/admin/conversations';
export const GET_CONVERSATION: Contract<null, typeof wholeConversation> =
  'GET /api/admin/conversations/:id';
export const MARK_CONVERSATION: Contract<typeof markRequest, typeof wholeConversation> =
  'POST /api/admin/conversations/:id/mark';
export const COUNT_INBOX: Contract<null, typeof inboxCounts> = 'GET /api/admin/inbox/counts';

/** Marks and references are this server's own: a list of plain submissions has neither. */
type View<Thing> = Omit<Thing, 'mark'> & { mark: Mark | null };
export type SubmissionView = View<ContactSubmission>;
export type ConversationView = View<Conversation>;
export type ThreadView = ConversationView & { thread: ConversationMessage[] };
/** Of a list whose counts make no sense there are none. */
export type InboxCountsView = { [List in keyof InboxCounts]: MarkCounts | null };

const textOrEmpty = or(text, '');
const mark = or(oneOf(MARKS), null);

export const readSubmission = fields<SubmissionView>({
  id,
  name: textOrEmpty,
  email: textOrEmpty,
  phone: or(text, null),
  service: or(text, null),
  message: textOrEmpty,
  createdAt: textOrEmpty,
  reference: textOrEmpty,
  mark,
});
export const readSubmissions = list(readSubmission);

const CONVERSATION_FIELDS = {
  id,
  reference: textOrEmpty,
  name: or(text, null),
  email: or(text, null),
  messages: or(number, 1),
  lastMessage: textOrEmpty,
  mark,
  lastAt: textOrEmpty,
};
export const readConversations = list(fields<ConversationView>(CONVERSATION_FIELDS));
export const readThread = fields<ThreadView>({
  ...CONVERSATION_FIELDS,
  thread: or(
    list(
      fields<ConversationMessage>({
        id,
        reference: textOrEmpty,
        message: text,
        response: textOrEmpty,
        at: textOrEmpty,
      }),
    ),
    [],
  ),
});

const readMarks = or(fields<MarkCounts>({ new: number, answered: number, spam: number }), null);
export const readCounts = fields<InboxCountsView>({
  contacts: readMarks,
  conversations: readMarks,
});
