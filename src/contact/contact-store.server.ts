import type { Kysely } from 'kysely';
import type { NewRow, Row, Tables } from '../platform/tables.server.ts';
import type { ContactJson } from './contact-shapes.ts';

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

export function toJson({ mark: _, createdAt, ...rest }: Submission): ContactJson {
  return { ...rest, createdAt: new Date(createdAt).toISOString() };
}
