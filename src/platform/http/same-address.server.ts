import { type RawBuilder, sql } from 'kysely';

/** Whether the column's e-mail address is this one, whatever the case of its letters. */
export function sameAddress(column: string, email: string): RawBuilder<boolean> {
  return sql<boolean>`lower(${sql.ref(column)}) = lower(cast(${email} as text))`;
}
