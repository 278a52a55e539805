/** Staff list, search and count threads. */

import { sql } from 'kysely';
import { chatReference } from '../chat/chat.ts';
import { ALL_TIMES, type Times, timesOf } from '../company/days.ts';
import { CONTACT_FIELDS, contactReference } from '../contact/contact.ts';
import { LIST_PAGE_SIZE, MAX_LISTED, MAX_LISTED_CONTACTS, MAX_LISTED_TEXT } from '../limits.ts';
import { contains, inBatches, sameEmail } from '../platform/database/queries.server.ts';
import type { Db, Row } from '../platform/database/tables.server.ts';
import { type Call, call, type Staff } from '../platform/http/call.server.ts';
import type { Site } from '../site.server.ts';
import { THREAD_STATUSES } from '../threads/thread.ts';
import {
  BOTH_KINDS,
  COUNT_INBOX,
  INBOX_FILTER,
  type InboxFilter,
  LIST_THREADS,
  STAFF_EVENTS,
  type StatusCounts,
  type Thread,
} from './inbox-api.ts';
import { threadsJson } from './open-thread.server.ts';
import { findSale } from './related.server.ts';
import { threadAnswered } from './thread-answered.server.ts';
import { listUndelivered } from './undelivered.server.ts';

export function inboxCalls({ db, company, events }: Site): Call[] {
  const read = async (query: URLSearchParams): Promise<Filter> => {
    const filter = INBOX_FILTER.read(query);
    const times = timesOf(company, filter);
    const sale = await findSale(db, filter.search);
    const missed = filter.undelivered
      ? (await listUndelivered(db)).map(({ threadId }) => threadId)
      : null;
    const found = filter.search
      ? await search(db, filter.search, times ?? ALL_TIMES, sale)
      : missed;
    return {
      ...filter,
      times,
      sale,
      found: found && missed ? found.filter((id) => missed.includes(id)) : found,
    };
  };
  return [
    call(LIST_THREADS, 'staff', async ({ query, headers, staff }) => {
      const bothKinds = query.has('page') || headers.get('prefer') === BOTH_KINDS.Prefer;
      return bothKinds ? listThreads(db, await read(query), staff) : listContacts(db, staff);
    }),
    call(COUNT_INBOX, 'staff', async ({ query }) =>
      countByStatus(
        db,
        await read(query),
        Number(/^\d{1,15}$/.exec(query.get('since') ?? '')?.[0] ?? 0),
      ),
    ),
    call(STAFF_EVENTS, { access: 'staff', ownPagesOnly: true }, ({ staff, context, address }) =>
      events.listen(context, { address, thread: null, hash: staff.tokenHash }),
    ),
  ];
}

type Sale = Awaited<ReturnType<typeof findSale>>;

interface Filter extends Omit<InboxFilter, 'undelivered'> {
  times: Times | undefined;
  /** What the search is the number of. */
  sale: Sale;
  /** The ids of the threads that the search has found; null without one. */
  found: number[] | null;
}

/** The specification's list: contact messages, newest first, as many as a short answer holds. */
async function listContacts(db: Db, staff: Staff): Promise<Thread[]> {
  const newest = db
    .selectFrom('threads')
    .selectAll()
    .where('kind', '=', 'contact')
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(LIST_PAGE_SIZE);
  const batches = inBatches<Row<'threads'>>((last) =>
    last
      ? newest.where(sql<boolean>`("createdAt", id) < (${last.createdAt}, ${last.id})`).execute()
      : newest.execute(),
  );
  const listed: Thread[] = [];
  let length = 0;
  for await (const rows of batches)
    for (const thread of await threadsJson(db, rows, staff)) {
      length += thread.message.length;
      if (length > MAX_LISTED_TEXT || listed.length === MAX_LISTED_CONTACTS) return listed;
      listed.push(thread);
    }
  return listed;
}

/** Those that wait for staff, longest first, then the others, newest first. Indexed as such. */
const TURN = sql`(coalesce("waitsSince", 10000000000000000 - "lastAt"))`;

async function listThreads(db: Db, filter: Filter, staff: Staff) {
  const rows = await filtered(db, filter)
    .selectAll()
    .orderBy(TURN)
    .orderBy('id')
    .limit(LIST_PAGE_SIZE)
    .offset((filter.page - 1) * LIST_PAGE_SIZE)
    .execute();
  return threadsJson(db, rows, staff);
}

async function countByStatus(db: Db, filter: Filter, since: number) {
  const at = Date.now();
  const counts: StatusCounts = { new: 0, waiting: 0, answered: 0, spam: 0 };
  for (const status of THREAD_STATUSES) {
    const { count } = await filtered(db, { ...filter, status })
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('lastAt', '>', since)
      .executeTakeFirstOrThrow();
    counts[status] = count;
  }
  const undelivered = await listUndelivered(db);
  const failed = undelivered.filter(({ state }) => state === 'failed').length;
  const trying = undelivered.length - failed;
  return { ...counts, at, failed, trying, sale: filter.sale?.json ?? null };
}

/** No index serves all filters: one finds the first threads, and the others apply to these. */
function filtered(db: Db, filter: Filter) {
  const { kind, service, status, times, found } = filter;
  let threads = db.selectFrom(listed(db, filter).as('thread'));
  if (kind) threads = threads.where('kind', '=', kind);
  if (service === 'none') threads = threads.where('service', 'is', null);
  else if (service) threads = threads.where('service', '=', service);
  if (status) threads = threads.where('status', '=', status);
  if (times && found)
    threads = threads.where('lastAt', '>=', times.from).where('lastAt', '<=', times.to);
  return threads;
}

/** The first MAX_LISTED threads in order, by the filter that probably leaves the fewest. */
function listed(db: Db, { kind, service, status, times, found }: Filter) {
  let threads = db.selectFrom('threads').selectAll().limit(MAX_LISTED);
  if (found) return threads.where('id', 'in', [0, ...found]);
  if (times)
    return threads
      .where('lastAt', '>=', times.from)
      .where('lastAt', '<=', times.to)
      .orderBy('lastAt', 'desc');
  // All have the same service. Where it is null, PostgreSQL would not see that, and sort them.
  if (service === 'none') threads = threads.where('service', 'is', null).orderBy('service');
  else if (service) threads = threads.where('service', '=', service);
  else if (status) threads = threads.where('status', '=', status);
  else if (kind) threads = threads.where('kind', '=', kind);
  if (status && !service) return threads.orderBy('lastAt', 'desc').orderBy('id', 'desc');
  return threads.orderBy(TURN).orderBy('id');
}

/** A search that finds more than this needs more words. */
const MAX_FOUND = 500;
const SEARCHED_FIELDS = CONTACT_FIELDS.filter(
  (field) => field !== 'service' && field !== 'message',
);
const SEARCHED_ENTRIES = ['visitor', 'third-party', 'staff', 'note'] as const;

/** Threads with these words, among the newest MAX_LISTED, with this number, or of its customer. */
async function search(db: Db, words: string, { from, to }: Times, sale: Sale): Promise<number[]> {
  const entries = db
    .selectFrom('entries')
    .select(['threadId', 'text'])
    .where('kind', 'in', SEARCHED_ENTRIES)
    // A thread of these days may have begun before.
    .where('at', '>=', ALL_TIMES.from)
    .where('at', '<=', to)
    .orderBy('at', 'desc')
    .limit(MAX_LISTED);
  const threads = db
    .selectFrom('threads')
    .select(['id', ...SEARCHED_FIELDS])
    .where('lastAt', '>=', from)
    .where('lastAt', '<=', to)
    .orderBy('lastAt', 'desc')
    .limit(MAX_LISTED);
  const inEntries = await db
    .selectFrom(entries.as('entry'))
    .select('threadId')
    .distinct()
    .where(contains('text', words))
    .limit(MAX_FOUND)
    .execute();
  const inThreads = await db
    .selectFrom(threads.as('thread'))
    .select('id as threadId')
    .where(({ or }) => or(SEARCHED_FIELDS.map((column) => contains(column, words))))
    .limit(MAX_FOUND)
    .execute();
  const named = await findReference(db, words);
  const ofCustomer = sale
    ? await db
        .selectFrom('threads')
        .select('id as threadId')
        .where(sameEmail('email', sale.email))
        .limit(MAX_FOUND)
        .execute()
    : [];
  const found = [...named, ...ofCustomer, ...inThreads, ...inEntries].map(
    ({ threadId }) => threadId,
  );
  return [...new Set(found)];
}

/** A number as it was copied, for example out of a mail's subject. */
const REFERENCE = /(?<!\w)[A-Z]-([1-9]\d{0,8})(?!\w)/;

/** The thread of the contact message, chat message or answer with a number such as 'c12'. */
async function findReference(db: Db, words: string): Promise<{ threadId: number }[]> {
  const typed = words.toUpperCase().replace(/^#?([A-Z])[\s\p{Pd}]?(?=\d+$)/u, '$1-');
  const [reference, number] = REFERENCE.exec(typed) ?? [];
  const id = Number(number ?? 0);
  const entries = db
    .selectFrom('entries')
    .innerJoin('threads', 'threads.id', 'entries.threadId')
    .select('threadId');
  if (reference === contactReference(id))
    return entries.where('threads.id', '=', id).where('threads.kind', '=', 'contact').execute();
  const entry = entries.where('entries.id', '=', id);
  if (reference === chatReference(id))
    return entry.where('entries.kind', '=', 'visitor').where('threads.kind', '=', 'chat').execute();
  if (reference === threadAnswered.reference(id))
    return entry.where('entries.kind', '=', 'staff').execute();
  return [];
}
