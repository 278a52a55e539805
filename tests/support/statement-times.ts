import { onEachStatement } from './executed-statements.ts';
import type { TestApp } from './test-app.ts';

/**
 * Records how long statements take from now on, in milliseconds: on SQLite of this thread's
 * processor time, in which nothing else runs, whatever else the machine does.
 */
export function statementTimes({ database }: Pick<TestApp, 'database'>) {
  const times: { statement: string; ms: number }[] = [];
  const time =
    database.engine === 'sqlite'
      ? () => process.threadCpuUsage().user / 1e3 + process.threadCpuUsage().system / 1e3
      : () => performance.now();
  onEachStatement(database.db, (statement) => {
    const began = time();
    return () => void times.push({ statement, ms: time() - began });
  });
  return times;
}
