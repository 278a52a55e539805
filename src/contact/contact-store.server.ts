/** The table of contact messages, and its queries. */
import type { Generated, Kysely } from 'kysely';
import type { NewRow, Row, Tables } from '../platform/database/tables.server.ts';
import { sameAddress } from '../platform/http/same-address.server.ts';
import type { ContactJson } from './contact-message.ts';

declare module '../platform/database/tables.server.ts' {
  interface Tables {
    contactSubmissions: ContactSubmissionTable;
  }
}

/** A message of the contact form as it is answered, with what is stored besides. */
interface ContactSubmissionTable extends Omit<ContactJson, 'id' | 'createdAt'> {
  id: Generated<number>;
  /** new, answered or spam. */
  mark: string;
  createdAt: number;
}

export type Submission = Row<'contactSubmissions'>;

export function insertSubmission(
  trx: Kysely<Tables>,
  submission: NewRow<'contactSubmissions'>,
): Promise<Submission> {
  return trx
    .insertInto('contactSubmissions')
    .values(submission)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export function findSubmission(db: Kysely<Tables>, id: number): Promise<Submission | undefined> {
  return db.selectFrom('contactSubmissions').selectAll().where('id', '=', id).executeTakeFirst();
}

/** How many came from the address, in capitals or not, after `time`. */
export async function countSubmissionsSince(
  db: Kysely<Tables>,
  email: string,
  time: number,
): Promise<number> {
  const { count } = await db
    .selectFrom('contactSubmissions')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(sameAddress('email', email))
    .where('createdAt', '>', time)
    .executeTakeFirstOrThrow();
  return count;
}

export function toJson({ mark: _, createdAt, ...rest }: Submission): ContactJson {
  return { ...rest, createdAt: new Date(createdAt).toISOString() };
}
