import type { DatabaseConnection } from 'kysely';
import type { TestApp } from './test-app.ts';

/** What begins and ends a transaction, and batches of the log, which are written by the clock. */
const LEFT_OUT = /^(begin|commit|rollback|start transaction|set local|pragma|vacuum)|"accessLog/i;

/** The statements that the site sends to its database from now on, in the same words on both engines. */
export function executedStatements({ database }: Pick<TestApp, 'database'>) {
  const executed: string[] = [];
  const executor = database.db.getExecutor();
  const provide = executor.provideConnection.bind(executor);
  const known = new WeakSet<DatabaseConnection>();
  executor.provideConnection = (consume, ...options) =>
    provide(
      (connection) => {
        if (!known.has(connection)) {
          known.add(connection);
          const execute = connection.executeQuery.bind(connection);
          connection.executeQuery = (query, ...more) => {
            const sql = query.sql.replace(/\$\d+/g, '?');
            if (!LEFT_OUT.test(sql)) executed.push(sql);
            return execute(query, ...more);
          };
        }
        return consume(connection);
      },
      ...options,
    );
  return executed;
}
