import type { DatabaseConnection } from 'kysely';
import type { TestApp } from './test-app.ts';

/** Records the statements that take longer from now on. */
export function slowStatements({ database }: Pick<TestApp, 'database'>, limitMs: number) {
  const slow: { ms: number; statement: string }[] = [];
  const executor = database.db.getExecutor();
  const provide = executor.provideConnection.bind(executor);
  const known = new WeakSet<DatabaseConnection>();
  executor.provideConnection = (consume, ...options) =>
    provide(
      (connection) => {
        if (known.has(connection)) return consume(connection);
        known.add(connection);
        const execute = connection.executeQuery.bind(connection);
        connection.executeQuery = async (query, ...more) => {
          const began = performance.now();
          const result = await execute<never>(query, ...more);
          const ms = performance.now() - began;
          if (ms > limitMs) slow.push({ ms, statement: query.sql.slice(0, 300) });
          return result;
        };
        return consume(connection);
      },
      ...options,
    );
  return slow;
}
