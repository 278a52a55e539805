import { defineConfig } from 'vitest/config';
import { hasFirefox, hasWebKit } from './tests/support/find-browser.ts';
import { PATIENCE_MS } from './tests/support/patience.ts';
import { EVERYTHING as everything } from './tests/support/test-plan.ts';

/** The long run repeats the stories in tests/endurance at their full length, one after the other. */
const size: 'large' | 'small' = process.env.TEST_SIZE === 'large' ? 'large' : 'small';
const long = ['tests/endurance/**/*.test.ts'];
const features = ['src/**/*.test.ts', 'src/**/*.test.tsx', 'tests/features/**/*.test.ts'];
/** What stands in for services on the internet is tested by itself, once. */
const standIns = ['tests/{support,bench}/**/*.test.ts'];
const journeys = ['tests/journeys/**/*.test.ts'];
const looks = ['tests/looks/**/*.test.ts'];
const others = ['tests/other-browsers/**/*.test.ts'];
const answers = ['tests/answers/**/*.test.ts'];
const setupFiles = ['tests/support/set-up.ts'];
const expect = { poll: { timeout: PATIENCE_MS, interval: 50 } };
const patience = { testTimeout: 3 * PATIENCE_MS, hookTimeout: 2 * PATIENCE_MS, setupFiles, expect };
const inBrowser = { ...patience, runner: 'tests/support/journey-plan.ts' };

/** Every test runs on each engine, each journey where the plan puts it, the looks on one. */
export default defineConfig({
  // As the server runs: React's development half draws a third slower.
  oxc: { jsx: { development: false } },
  test: {
    globalSetup: [
      'tests/support/memory-folder.ts',
      'tests/support/databases.ts',
      'tests/support/one-browser.ts',
    ],
    env: { NODE_ENV: 'production' },
    pool: 'forks',
    // The files of a worker share its modules: loading them for each file took a fifth of the run.
    isolate: false,
    // Two cores, and each worker waits for a browser or a database most of the time.
    maxWorkers: size === 'large' ? 1 : 5,
    reporters: process.stdout.isTTY && size === 'small' ? ['dot'] : ['default'],
    projects: [
      { test: { name: 'stand-ins', include: standIns, ...patience } },
      ...(['sqlite', 'postgres'] as const).flatMap((engine) => [
        {
          test: {
            name: `${engine}`,
            include: size === 'large' ? long : [...features, ...long],
            provide: { engine, size, everything },
            ...patience,
            ...(size === 'large' && { testTimeout: 3_600_000 }),
          },
        },
        {
          test: {
            name: `journeys-${engine}`,
            include: journeys,
            provide: { engine, size, everything },
            ...inBrowser,
          },
        },
      ]),
      // What a screen makes of an answer has nothing to do with the database.
      {
        test: {
          name: 'answers-sqlite',
          include: answers,
          provide: { engine: 'sqlite', size, everything },
          ...patience,
        },
      },
      // An engine of the browser has nothing to do with that of the database.
      ...(everything && (hasFirefox() || hasWebKit())
        ? [
            {
              test: {
                name: 'other-browsers',
                include: others,
                provide: { engine: 'sqlite' as const, size, everything },
                ...patience,
              },
            },
          ]
        : []),
      ...(everything
        ? [{ test: { name: 'deploy', include: ['tests/deploy/**/*.test.ts'], ...patience } }]
        : []),
      // A database shows in no picture.
      {
        test: {
          name: 'looks-sqlite',
          include: looks,
          provide: { engine: 'sqlite', size, everything },
          ...patience,
        },
      },
    ],
  },
});
