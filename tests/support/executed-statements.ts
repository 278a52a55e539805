import type { DatabaseConnection } from 'kysely';
import type { TestApp } from './test-app.ts';

/** Transaction control, and what timers do: the access log's batches, and reading the catalogue. */
const LEFT_OUT =
  /^(begin|commit|rollback|start transaction|set local|pragma|vacuum)|^(insert into|delete from|update) "accessLog|"size" from "accessLog"|^select \* from "catalogue"/i;

/** Records the statements executed from now on, with the same placeholders on both engines. */
export function executedStatements({ database }: Pick<TestApp, 'database'>) {
  const executed: string[] = [];
  const executor = database.db.getExecutor();
  const provide = executor.provideConnection.bind(executor);
  const known = new WeakSet<DatabaseConnection>();
  executor.provideConnection = (consume, ...options) =>
    provide(
      (connection) => {
        if (known.has(connection)) return consume(connection);
        known.add(connection);
        const execute = connection.executeQuery.bind(connection);
        connection.executeQuery = (query, ...more) => {
          const statement = query.sql.replace(/\$\d+/g, '?');
          if (!LEFT_OUT.test(statement)) executed.push(statement);
          return execute(query, ...more);
        };
        return consume(connection);
      },
      ...options,
    );
  return executed;
}
