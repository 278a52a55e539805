/** `npm run test:full -- endurance`: the stories in tests/endurance at full length; with names, only the files named so. */
import { startVitest } from 'vitest/node';
import { findPostgres } from '../tests/support/find-postgres.ts';

process.env.TEST_SIZE = 'large';
const vitest = await startVitest('test', process.argv.slice(2), {
  run: true,
  passWithNoTests: true,
  project: findPostgres() ? ['sqlite', 'postgres'] : ['sqlite'],
});
const failed = vitest.state.getCountOfFailedTests() + vitest.state.getUnhandledErrors().length;
await vitest.close();
process.exit(failed === 0 ? 0 : 1);
