import { type Kysely, PostgresAdapter, type SelectQueryBuilder } from 'kysely';

/**
 * The query, which locks the rows that it finds until the transaction `trx` ends, as an update of them would: other rows
 * may still be stored that refer to them. SQLite needs nothing for it, for it has one transaction at a time.
 */
export function selectForUpdate<DB, Table extends keyof DB, Output>(
  query: SelectQueryBuilder<DB, Table, Output>,
  trx: Kysely<DB>,
): SelectQueryBuilder<DB, Table, Output> {
  return trx.getExecutor().adapter instanceof PostgresAdapter ? query.forNoKeyUpdate() : query;
}
