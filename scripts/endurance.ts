/** `npm run test:full -- endurance`: the stories in tests/endurance at full length; with names, only the files named so. */
import { spawnSync } from 'node:child_process';
import { startVitest } from 'vitest/node';
import { findPostgres } from '../tests/support/find-postgres.ts';
import { Postgres } from '../tests/support/postgres.ts';

const only = process.argv.slice(2);
const outbox = 'tests/endurance/outbox.ts';
const isSelected = (file: string) => only.length === 0 || only.some((name) => file.includes(name));

process.env.TEST_SIZE = 'large';
const vitest = await startVitest('test', only, {
  run: true,
  passWithNoTests: true,
  project: findPostgres() ? ['sqlite', 'postgres'] : ['sqlite'],
});
const failed = vitest.state.getCountOfFailedTests() + vitest.state.getUnhandledErrors().length;
await vitest.close();
const sent = isSelected(outbox) ? await sendOnEach() : true;
process.exit(failed === 0 && sent ? 0 : 1);

/** On SQLite, and where it is installed on a PostgreSQL of its own. */
async function sendOnEach(): Promise<boolean> {
  const onSqlite = send({});
  const programs = findPostgres();
  if (!programs) return onSqlite;
  const postgres = await Postgres.create(programs);
  await postgres.start();
  const onPostgres = send({ DATABASE_URL: postgres.url });
  await postgres.remove();
  return onSqlite && onPostgres;
}

function send(variables: Record<string, string>): boolean {
  const { DATABASE_URL: _, ...env } = process.env;
  const ended = spawnSync(process.execPath, [outbox], {
    stdio: 'inherit',
    env: { ...env, ...variables },
  });
  return ended.status === 0;
}
