import type { DatabaseConnection } from 'kysely';
import type { Db } from '../../src/platform/database/tables.server.ts';
import type { TestApp } from './test-app.ts';

/** Transaction control, and what timers do: the access log's batches, and reading the catalogue. */
const LEFT_OUT =
  /^(begin|commit|rollback|start transaction|set local|pragma|vacuum)|^(insert into|delete from|update) "accessLog|"size" from "accessLog"|^select \* from "catalogue"/i;

/** Calls `begins` before each statement from now on, and what it returns after it. */
export function onEachStatement(db: Db, begins: (sql: string) => (() => void) | undefined): void {
  const executor = db.getExecutor();
  const provide = executor.provideConnection.bind(executor);
  const known = new WeakSet<DatabaseConnection>();
  executor.provideConnection = (consume, ...options) =>
    provide(
      (connection) => {
        if (known.has(connection)) return consume(connection);
        known.add(connection);
        const execute = connection.executeQuery.bind(connection);
        connection.executeQuery = async (query, ...more) => {
          const ended = begins(query.sql);
          const result = await execute<never>(query, ...more);
          ended?.();
          return result;
        };
        return consume(connection);
      },
      ...options,
    );
}

/** Records the statements executed from now on, with the same placeholders on both engines. */
export function executedStatements({ database }: Pick<TestApp, 'database'>) {
  const executed: string[] = [];
  onEachStatement(database.db, (statement) => {
    const sql = statement.replace(/\$\d+/g, '?');
    if (!LEFT_OUT.test(sql)) executed.push(sql);
    return undefined;
  });
  return executed;
}
