/** The inbox's questions to the tables of contact and chat. */
import type { Kysely } from 'kysely';
import { contactReference } from '../contact/contact-message.ts';
import { contains } from '../platform/database/contains.server.ts';
import type { Row, Tables } from '../platform/database/tables.server.ts';
import { readId } from '../platform/http/call.server.ts';
import { INBOX_PAGE, type InboxFilter, MARKS, type Mark } from './inbox.ts';
import type { ContactSubmission, MarkCounts } from './inbox-shapes.ts';

type Db = Kysely<Tables>;
type Found = Pick<InboxFilter, 'words' | 'service' | 'mark'>;

const READ_BY_ALL = ['name', 'email', 'phone', 'message'] as const;

/** Newest first; `range` in rows. */
export async function listContacts(
  db: Db,
  filter: Found,
  range: { limit: number; offset: number },
): Promise<ContactSubmission[]> {
  let found = contacts(db, filter).selectAll();
  // All of these have the same, but PostgreSQL does not know it of those without one, and would sort them all.
  if (filter.service) found = found.orderBy('service', 'desc');
  const rows = await found
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(range.limit)
    .offset(range.offset)
    .execute();
  return rows.map(submissionJson);
}

export async function findContact(db: Db, id: number): Promise<ContactSubmission | undefined> {
  const row = await db
    .selectFrom('contactSubmissions')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  return row && submissionJson(row);
}

export async function countContacts(db: Db, filter: Found): Promise<MarkCounts> {
  const rows = await contacts(db, { ...filter, mark: '' })
    .select(({ fn }) => ['mark', fn.countAll<number>().as('count')])
    .groupBy('mark')
    .execute();
  return markCounts(rows);
}

/** Gives the submission as it is now; undefined when there is none. */
export async function markContact(
  db: Db,
  id: number,
  mark: Mark,
): Promise<ContactSubmission | undefined> {
  const row = await db
    .updateTable('contactSubmissions')
    .set({ mark })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  return row && submissionJson(row);
}

function contacts(db: Db, { words, service, mark }: Found) {
  let found = db.selectFrom('contactSubmissions');
  if (mark) found = found.where('mark', '=', mark);
  if (service === 'none') found = found.where('service', 'is', null);
  else if (service) found = found.where('service', '=', service);
  if (words) {
    const id = idIn(contactReference, words);
    found = found.where((where) =>
      where.or([
        ...READ_BY_ALL.map((column) => contains(column, words)),
        ...(id === undefined ? [] : [where('id', '=', id)]),
      ]),
    );
  }
  return found;
}

/** The id in words that are a reference number, such as 'c-12'; undefined for other words. */
export function idIn(reference: (id: number) => string, words: string): number | undefined {
  const id = readId(/\d+$/.exec(words)?.[0]);
  return id !== undefined && reference(id) === words.toUpperCase() ? id : undefined;
}

export function pageRange(page: number): { limit: number; offset: number } {
  return { limit: INBOX_PAGE, offset: (page - 1) * INBOX_PAGE };
}

export function markCounts(rows: readonly { mark: string; count: number }[]): MarkCounts {
  const counts: MarkCounts = { new: 0, answered: 0, spam: 0 };
  for (const { mark, count } of rows) counts[readMark(mark)] += count;
  return counts;
}

/** What is stored as something unknown is better looked at once more. */
export function readMark(stored: string): Mark {
  return MARKS.find((mark) => mark === stored) ?? 'new';
}

function submissionJson(row: Row<'contactSubmissions'>): ContactSubmission {
  return {
    ...row,
    createdAt: new Date(row.createdAt).toISOString(),
    reference: contactReference(row.id),
    mark: readMark(row.mark),
  };
}
