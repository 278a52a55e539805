/** `npm run test:endurance`: the stories in tests/endurance at full length; with names, only the files named so. */
import { spawnSync } from 'node:child_process';
import { startVitest } from 'vitest/node';
import { findPostgres } from '../tests/support/find-postgres.ts';

const only = process.argv.slice(2);
const outbox = 'tests/endurance/outbox.ts';
const told = (file: string) => only.length === 0 || only.some((name) => file.includes(name));

process.env.TEST_SIZE = 'large';
const vitest = await startVitest('test', only, {
  run: true,
  passWithNoTests: true,
  project: findPostgres() ? ['sqlite', 'postgres'] : ['sqlite'],
});
const failed = vitest.state.getCountOfFailedTests() + vitest.state.getUnhandledErrors().length;
await vitest.close();
const sent = told(outbox)
  ? spawnSync(process.execPath, [outbox], { stdio: 'inherit' }).status === 0
  : true;
process.exit(failed === 0 && sent ? 0 : 1);
