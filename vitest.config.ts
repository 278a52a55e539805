import { defineConfig } from 'vitest/config';
import { hasFirefox, hasWebKit } from './tests/support/find-browser.ts';
import { EVERYTHING as everything, TIMEOUT_MS } from './tests/support/test-plan.ts';

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
const inBrowser = { ...settings, runner: 'tests/support/journey-plan.ts' };

/** Features run on both engines, each journey as journey-plan.ts assigns it, the rest on SQLite. */
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
      ...(['sqlite', 'postgres'] as const).flatMap((engine) => [
        {
          test: {
            name: `${engine}`,
            include: size === 'large' ? long : [...features, ...long],
            provide: { engine, size, everything },
            ...settings,
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
      // How a screen handles an answer does not depend on the database.
      {
        test: {
          name: 'answers-sqlite',
          include: answers,
          provide: { engine: 'sqlite', size, everything },
          ...settings,
        },
      },
      // A browser engine does not depend on the database engine.
      ...(everything && (hasFirefox() || hasWebKit())
        ? [
            {
              test: {
                name: 'other-browsers',
                include: others,
                provide: { engine: 'sqlite' as const, size, everything },
                ...settings,
              },
            },
          ]
        : []),
      ...(everything
        ? [{ test: { name: 'deploy', include: ['tests/deploy/**/*.test.ts'], ...settings } }]
        : []),
      // Screens look the same on either database.
      {
        test: {
          name: 'looks-sqlite',
          include: looks,
          provide: { engine: 'sqlite', size, everything },
          ...settings,
        },
      },
    ],
  },
});
