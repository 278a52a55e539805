import { defineConfig } from 'vitest/config';

const features = ['src/**/*.test.ts', 'src/**/*.test.tsx', 'tests/features/**/*.test.ts'];
const journeys = ['tests/journeys/**/*.test.ts'];
const looks = ['tests/looks/**/*.test.ts'];
const patience = { testTimeout: 60_000, hookTimeout: 60_000 };

/** Every test runs once on each engine, the looks on one; what drives Chromium gets more time. */
export default defineConfig({
  test: {
    globalSetup: 'tests/support/postgres-cluster.ts',
    pool: 'forks',
    // Two cores, and each worker brings a server and perhaps a browser.
    maxWorkers: 2,
    reporters: process.env.CI ? ['default'] : ['dot'],
    projects: [
      ...(['sqlite', 'postgres'] as const).flatMap((engine) => [
        {
          test: { name: `${engine}`, include: features, provide: { engine }, testTimeout: 20_000 },
        },
        {
          test: { name: `journeys-${engine}`, include: journeys, provide: { engine }, ...patience },
        },
      ]),
      // A database shows in no picture.
      {
        test: { name: 'looks-sqlite', include: looks, provide: { engine: 'sqlite' }, ...patience },
      },
    ],
  },
});
