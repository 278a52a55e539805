import { defineConfig } from 'vitest/config';

/** The long run repeats the stories in tests/endurance at their full length, one after the other. */
const size: 'large' | 'small' = process.env.TEST_SIZE === 'large' ? 'large' : 'small';
const long = ['tests/endurance/**/*.test.ts'];
const features = ['src/**/*.test.ts', 'src/**/*.test.tsx', 'tests/features/**/*.test.ts'];
/** What stands in for services on the internet is tested by itself, once. */
const standIns = ['tests/support/**/*.test.ts'];
const journeys = ['tests/journeys/**/*.test.ts'];
const looks = ['tests/looks/**/*.test.ts'];
const answers = ['tests/answers/**/*.test.ts'];
/** A busy machine may keep a deadline waiting once. What is about loss, doubles and order says `retry: 0`. */
const retry = 1;
const patience = { testTimeout: 60_000, hookTimeout: 60_000, retry };

/** Every test runs once on each engine, the looks on one; what drives Chromium gets more time. */
export default defineConfig({
  test: {
    globalSetup: 'tests/support/postgres-cluster.ts',
    pool: 'forks',
    // Two cores, and each worker brings a server and perhaps a browser.
    maxWorkers: size === 'large' ? 1 : 2,
    reporters: process.env.CI || size === 'large' ? ['default'] : ['dot'],
    projects: [
      { test: { name: 'stand-ins', include: standIns, ...patience } },
      ...(['sqlite', 'postgres'] as const).flatMap((engine) => [
        {
          test: {
            name: `${engine}`,
            include: size === 'large' ? long : [...features, ...long],
            provide: { engine, size },
            testTimeout: size === 'large' ? 3_600_000 : 90_000,
            hookTimeout: 60_000,
            retry,
          },
        },
        {
          test: {
            name: `journeys-${engine}`,
            include: journeys,
            provide: { engine, size },
            ...patience,
          },
        },
      ]),
      // What a screen makes of an answer has nothing to do with the database.
      {
        test: {
          name: 'answers-sqlite',
          include: answers,
          provide: { engine: 'sqlite', size },
          ...patience,
        },
      },
      // A database shows in no picture.
      {
        test: {
          name: 'looks-sqlite',
          include: looks,
          provide: { engine: 'sqlite', size },
          ...patience,
        },
      },
    ],
  },
});
