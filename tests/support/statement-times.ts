import type { DatabaseConnection } from 'kysely';
import type { TestApp } from './test-app.ts';

/**
 * Records how long statements take from now on, in milliseconds: on SQLite of this thread's processor time, in which nothing
 * else runs, whatever else the machine does.
 */
export function statementTimes({ database }: Pick<TestApp, 'database'>) {
  const times: { statement: string; ms: number }[] = [];
  const time =
    database.engine === 'sqlite'
      ? () => process.threadCpuUsage().user / 1e3 + process.threadCpuUsage().system / 1e3
      : () => performance.now();
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
          const began = time();
          const result = await execute<never>(query, ...more);
          times.push({ statement: query.sql, ms: time() - began });
          return result;
        };
        return consume(connection);
      },
      ...options,
    );
  return times;
}
