import { defineConfig } from 'vitest/config';

const features = ['src/**/*.test.ts', 'src/**/*.test.tsx', 'tests/features/**/*.test.ts'];
/** What stands in for services on the internet is tested by itself, once. */
const standIns = ['tests/support/**/*.test.ts'];
const journeys = ['tests/journeys/**/*.test.ts'];

/** Every test runs once on each engine; the journeys drive Chromium, so they get more time. */
export default defineConfig({
  test: {
    globalSetup: 'tests/support/postgres-cluster.ts',
    pool: 'forks',
    // Two cores, and each worker brings a server and perhaps a browser.
    maxWorkers: 2,
    reporters: process.env.CI ? ['default'] : ['dot'],
    projects: [
      { test: { name: 'stand-ins', include: standIns, testTimeout: 20_000 } },
      ...(['sqlite', 'postgres'] as const).flatMap((engine) => [
        {
          test: { name: `${engine}`, include: features, provide: { engine }, testTimeout: 20_000 },
        },
        {
          test: {
            name: `journeys-${engine}`,
            include: journeys,
            provide: { engine },
            testTimeout: 60_000,
            hookTimeout: 60_000,
          },
        },
      ]),
    ],
  },
});
