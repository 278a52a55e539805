import { defineConfig } from 'vitest/config';
import { hasFirefox, hasWebKit } from './tests/support/find-browser.ts';
import {
  EVERYTHING as everything,
  LEFT_TO_FULL_RUN,
  SQLITE_ALONE,
  TIMEOUT_MS,
} from './tests/support/test-plan.ts';

/** The long run has the tests in tests/endurance at full length, one after the other. */
const size: 'large' | 'small' = process.env.TEST_SIZE === 'large' ? 'large' : 'small';
const long = ['tests/endurance/**/*.test.ts'];
const features = ['src/**/*.test.ts', 'src/**/*.test.tsx', 'tests/features/**/*.test.ts'];
/** What a browser shows does not depend on the database: `features` try each call on both. */
const browsers = ['tests/{answers,journeys,looks}/**/*.test.ts'];
const others = ['tests/other-browsers/**/*.test.ts'];
const deploy = ['tests/deploy/**/*.test.ts'];

type Engine = 'sqlite' | 'postgres';

/** Without words `npm test` is the gate; files that are named always run, on both databases. */
const isGate = process.env.TEST_PLAN === 'gate';
const left = isGate ? Object.values(LEFT_TO_FULL_RUN).flat() : [];

function project(name: string, engine: Engine, include: string[], exclude: readonly string[] = []) {
  return {
    test: {
      name,
      include: size === 'large' ? long : include,
      exclude: [...exclude, ...left],
      provide: { engine, size, everything },
      runner: 'tests/support/journey-plan.ts',
      setupFiles: ['tests/support/set-up.ts'],
      testTimeout: size === 'large' ? 3_600_000 : 3 * TIMEOUT_MS,
      hookTimeout: 2 * TIMEOUT_MS,
      expect: { poll: { timeout: TIMEOUT_MS, interval: 50 } },
    },
  };
}

/**
 * Few projects, because each starts workers of its own, which load the whole site again. They run in the order of their
 * names: the browsers' long files first, so that no worker waits for one at the end.
 */
export default defineConfig({
  // Like the server: React's development build renders a third slower.
  oxc: { jsx: { development: false } },
  test: {
    globalSetup: [
      'tests/support/memory-folder.ts',
      'tests/support/databases.ts',
      'tests/support/one-browser.ts',
    ],
    env: { NODE_ENV: 'production' },
    pool: 'forks',
    // A worker's files share its modules, because loading them for each file took a fifth of the run.
    isolate: false,
    // Three per core of a small machine, because a worker mostly waits: for a browser, a timer or the database.
    maxWorkers: size === 'large' ? 1 : 6,
    reporters: process.stdout.isTTY && size === 'small' ? ['dot'] : ['default'],
    projects: [
      project('browser-sqlite', 'sqlite', browsers),
      project('postgres', 'postgres', [...features, ...long], isGate ? SQLITE_ALONE : []),
      project('sqlite', 'sqlite', [...features, ...long]),
      ...(everything ? [project('deploy', 'sqlite', deploy)] : []),
      // A browser's engine does not depend on the database's.
      ...(everything && (hasFirefox() || hasWebKit())
        ? [project('other-browsers', 'sqlite', others)]
        : []),
    ],
  },
});
