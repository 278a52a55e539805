/** The calls for staff's inbox of threads, and the filter of its list. */
import * as z from 'zod/mini';
import { contactSubmission } from '../contact/contact.ts';
import { MAX_ANSWER } from '../limits.ts';
import { contract } from '../platform/contract.ts';
import { emailField, multiLine } from '../platform/fields.ts';
import { type ListFilter, listFilter } from '../platform/list-query.ts';
import {
  count,
  dollars,
  fallback,
  list,
  rowId,
  text,
  textOrNull,
  timestamp,
  withDefault,
} from '../platform/schema.ts';
import {
  SHOWN_KINDS,
  STAFF_STATUSES,
  THREAD_KINDS,
  THREAD_STATUSES,
  type ThreadKind,
  type ThreadStatus,
} from '../threads/thread.ts';

export const STATUS_LABELS: Record<ThreadStatus, string> = {
  new: 'New',
  waiting: 'Waiting',
  answered: 'Answered',
  spam: 'Spam',
};

export interface InboxFilter extends ListFilter<ThreadStatus> {
  /** '' for both kinds. */
  kind: ThreadKind | '';
  /** A service's value, 'none' for messages without a service, '' for all. */
  service: string;
  /** Only threads with an answer that has not arrived. */
  undelivered: boolean;
}

const shared = listFilter('status', THREAD_STATUSES);

export const INBOX_FILTER = {
  read: (query: URLSearchParams): InboxFilter => ({
    ...shared.read(query),
    kind: THREAD_KINDS.find((kind) => kind === query.get('kind')) ?? '',
    undelivered: query.get('undelivered') === '1',
    service: /^[a-z][a-z\d-]{0,39}$/.exec(query.get('service') ?? '')?.[0] ?? '',
  }),
  write({ kind, service, undelivered, ...filter }: InboxFilter): URLSearchParams {
    const query = shared.write(filter);
    if (service) query.set('service', service);
    if (kind) query.set('kind', kind);
    if (undelivered) query.set('undelivered', '1');
    return query;
  },
};

/** A thread in the list. What the specification does not name has a fallback (decision 090). */
const thread = z.extend(contactSubmission, {
  kind: fallback(z.enum(THREAD_KINDS), 'contact'),
  reference: text,
  status: fallback(z.nullable(z.enum(THREAD_STATUSES)), null),
  /** The time of the newest message or answer; '' from a server that knows only submissions. */
  lastAt: text,
  /** The time of the first message without an answer; null if none waits for one. */
  waitsSince: fallback(z.nullable(timestamp), null),
  messages: fallback(count, 1),
  /** Who looks after it, and whether that is who asks. */
  assignee: textOrNull,
  mine: fallback(z.boolean(), false),
  /** Why an answer in it has not arrived; null if none is known to be missing. */
  undelivered: textOrNull,
  /** Whether that answer is still tried. */
  stillTried: fallback(z.boolean(), false),
});
/** `message` is the visitor's newest, and `createdAt` that of the first. */
export type Thread = z.output<typeof thread>;

/** What became of an answer. `at`: when it left, was seen or was delivered. */
const delivery = z.object({
  state: z.enum(['leaving', 'sent', 'seen', 'mailed', 'waiting', 'failed']),
  at: text,
  /** Why it has not arrived; '' otherwise, and where that is no longer known. */
  answer: text,
  /** The id for RESEND; null where there is no email. */
  delivery: fallback(z.nullable(rowId), null),
});

const entry = z.object({
  id: rowId,
  kind: z.enum(SHOWN_KINDS),
  text: z.string(),
  author: textOrNull,
  mine: fallback(z.boolean(), false),
  at: text,
  /** That of a visitor's chat message; '' for everything else. */
  reference: text,
  /** Of an answer. */
  delivery: fallback(z.nullable(delivery), null),
});
export type Entry = z.output<typeof entry>;

/** Another thread, an order or a quote of the person. */
const related = z.object({
  reference: z.string(),
  path: z.string(),
  about: text,
  at: text,
  /** Per month. */
  amount: withDefault(z.nullable(dollars), null),
  badge: withDefault(
    z.nullable(
      z.object({ label: z.string(), tone: z.enum(['neutral', 'primary', 'amber', 'danger']) }),
    ),
    null,
  ),
  /** An order that runs. */
  runs: withDefault(z.boolean(), false),
});
export type Related = z.output<typeof related>;
export type RelatedJson = z.input<typeof related>;

const openThread = z.extend(thread, {
  /** Oldest first; of a very long thread its end. */
  entries: fallback(list(entry), []),
  ended: fallback(z.boolean(), false),
  /** Whether email can reach the visitor; without it, a chat can be answered in its panel alone. */
  byMail: fallback(z.boolean(), false),
  inPanel: fallback(z.boolean(), false),
  /** Whether the visitor typed one of our own addresses, so that nobody was written to. */
  ownAddress: fallback(z.boolean(), false),
  person: fallback(list(related), []),
  source: textOrNull,
});
export type OpenThread = z.output<typeof openThread>;

const statusCounts = z.object({
  new: count,
  waiting: fallback(count, 0),
  answered: count,
  spam: count,
});
export type StatusCounts = z.output<typeof statusCounts>;

/** With `page` or BOTH_KINDS: the filter's threads, waiting first; else contacts, newest first. */
export const LIST_THREADS = contract('GET /api/admin/contacts', { answer: list(thread) });
/** A header that servers may ignore (RFC 7240): the call stays the specification's. */
export const BOTH_KINDS = { Prefer: 'threads' };
export const GET_THREAD = contract('GET /api/admin/threads/:id', { answer: openThread });
export const SET_STATUS = contract('POST /api/admin/threads/:id/status', {
  body: z.strictObject({ status: z.enum(STAFF_STATUSES) }),
  answer: openThread,
});
export const ASSIGN_THREAD = contract('POST /api/admin/threads/:id/assignee', {
  body: z.strictObject({ mine: z.boolean() }),
  answer: openThread,
});
/** 409 with the `thread` as it is if staff answered, or the address changed, since `after`. */
export const WRITE_ENTRY = contract('POST /api/admin/threads/:id/entries', {
  body: z.strictObject({
    kind: z.enum(['staff', 'note']),
    text: multiLine({ min: 1, max: MAX_ANSWER, tooShort: 'Write something first' }),
    after: rowId,
    /** Chosen by the browser; a repeated request with the same key adds nothing. */
    key: z.uuid(),
  }),
  answer: openThread,
});
/** 409 once the answer has left. */
export const UNDO_ENTRY = contract('POST /api/admin/threads/:id/entries/:entry/undo', {
  answer: openThread,
});
/** Sends an answer that did not arrive to another address. 409 if it has arrived meanwhile. */
export const READDRESS = contract('POST /api/admin/threads/:id/entries/:entry/readdress', {
  body: z.strictObject({ email: emailField() }),
  answer: openThread,
});
export const ANSWERED_BY_MAIL = contract('POST /api/admin/threads/:id/answered-by-mail', {
  answer: openThread,
});
/** Counts what the filter finds, without its status. `?since=`: threads with something newer. */
export const COUNT_INBOX = contract('GET /api/admin/inbox/counts', {
  answer: z.extend(statusCounts, {
    at: fallback(count, 0),
    /** Answers that did not arrive, and that are still tried. */
    failed: fallback(count, 0),
    trying: fallback(count, 0),
    /** The order or quote whose number the search is. */
    sale: withDefault(z.nullable(related), null),
  }),
});

/** Texts from content/answers.json for an answer. `?thread=`: whose visitor's name they have. */
export const LIST_ANSWERS = contract('GET /api/admin/answers', {
  answer: list(z.object({ title: z.string(), text: z.string() })),
});

/** Server-sent events named 'thread' with a `threadEvent`: something is new there. */
export const STAFF_EVENTS = contract('GET /api/admin/events');
export const threadEvent = z.union([
  z.object({ thread: rowId }),
  z.object({ sales: z.literal(true) }),
]);

export const DOWNLOAD_MESSAGES = contract('GET /api/admin/messages/download');
