/** What visitors wrote, as staff read it: contact messages and chat conversations, each with a mark. */
import * as z from 'zod/mini';
import { contactJson } from '../contact/contact-message.ts';
import { count, moment, rowId } from '../platform/json-shapes.ts';
import { readPage, readWords } from '../platform/list-query.ts';

export const MARKS = ['new', 'answered', 'spam'] as const;
export type Mark = (typeof MARKS)[number];

export const INBOX_PAGE = 50;
/** GET /api/admin/contacts without a page: as many of the newest. */
export const WHOLE_LIST = 1000;

export const markRequest = z.strictObject({ mark: z.enum(MARKS) });

/** A contact message, with what the visitor was told to mention. */
export const submission = z.extend(contactJson, { reference: z.string(), mark: z.enum(MARKS) });
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
