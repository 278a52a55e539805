import { defineConfig } from 'vitest/config';
import { hasFirefox, hasWebKit } from './tests/support/find-browser.ts';
import {
  EVERYTHING as everything,
  TIMEOUT_MS,
  WITHOUT_DATABASE,
} from './tests/support/test-plan.ts';

/** The long run has the tests in tests/endurance at full length, one after the other. */
const size: 'large' | 'small' = process.env.TEST_SIZE === 'large' ? 'large' : 'small';
const long = ['tests/endurance/**/*.test.ts'];
const features = ['src/**/*.test.ts', 'src/**/*.test.tsx', 'tests/features/**/*.test.ts'];
/** Tests of the fakes that replace services on the internet. */
const standIns = ['tests/{support,bench}/**/*.test.ts'];
const journeys = ['tests/journeys/**/*.test.ts'];
const looks = ['tests/looks/**/*.test.ts'];
const others = ['tests/other-browsers/**/*.test.ts'];
const answers = ['tests/answers/**/*.test.ts'];
const setupFiles = ['tests/support/set-up.ts'];
const expect = { poll: { timeout: TIMEOUT_MS, interval: 50 } };
const settings = { testTimeout: 3 * TIMEOUT_MS, hookTimeout: 2 * TIMEOUT_MS, setupFiles, expect };

type Engine = 'sqlite' | 'postgres';

function journeysOn(engine: Engine) {
  const provide = { engine, size, everything };
  const runner = 'tests/support/journey-plan.ts';
  return {
    test: { name: `journeys-${engine}`, include: journeys, provide, ...settings, runner },
  };
}

/** What a browser shows does not depend on the database, nor does a browser's engine. */
function onSqlite(name: string, include: string[]) {
  return {
    test: { name, include, provide: { engine: 'sqlite' as Engine, size, everything }, ...settings },
  };
}

/** Features run on both engines, all else on SQLite; in the full run the journeys on both, too. */
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
    // More than cores, because a worker often waits; yet with five, two cores take a tenth longer.
    maxWorkers: size === 'large' ? 1 : 4,
    reporters: process.stdout.isTTY && size === 'small' ? ['dot'] : ['default'],
    projects: [
      { test: { name: 'stand-ins', include: standIns, ...settings } },
      ...(['sqlite', 'postgres'] as const).map((engine) => ({
        test: {
          name: `${engine}`,
          include: size === 'large' ? long : [...features, ...long],
          ...(engine === 'postgres' && !everything && { exclude: [...WITHOUT_DATABASE] }),
          provide: { engine, size, everything },
          ...settings,
          ...(size === 'large' && { testTimeout: 3_600_000 }),
        },
      })),
      journeysOn('sqlite'),
      ...(everything ? [journeysOn('postgres')] : []),
      onSqlite('answers-sqlite', answers),
      onSqlite('looks-sqlite', looks),
      ...(everything && (hasFirefox() || hasWebKit()) ? [onSqlite('other-browsers', others)] : []),
      ...(everything
        ? [{ test: { name: 'deploy', include: ['tests/deploy/**/*.test.ts'], ...settings } }]
        : []),
    ],
  },
});
