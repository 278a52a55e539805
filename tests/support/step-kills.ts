/** Kills a server at one step of a scenario after another. die-at.ts defines a step. */
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { readEnv } from '../../src/env.server.ts';
import { openDatabase } from '../../src/platform/database/database.server.ts';
import type { Db } from '../../src/platform/database/tables.server.ts';
import { type RunningProcess, startServer } from './server-process.ts';
import { WITH_MAIL } from './stripe-shop.ts';
import { type TestDatabase, testDatabase } from './test-app.ts';

/** Steps are counted from the first request with these headers. */
export const COUNT_FROM_HERE = { 'X-Count-Steps': 'from here' };

/** Preloads die-at.ts. */
export const CAN_DIE = { NODE_OPTIONS: `--import=${join(import.meta.dirname, 'die-at.ts')}` };

type Variables = Record<string, string>;

export interface KillPlan {
  /** The steps to kill at, which either engine reaches. The long run kills at every step. */
  steps: readonly number[];
  /** The long run has at least this many kills, or the test proves nothing. */
  minimumKills: number;
}

/** True if it ran to its end; false or an error: the server was killed. */
type Scenario = (server: RunningProcess) => Promise<boolean>;

/** `settled` resolves when a starting server has dealt with what the last one left. */
export function killableSite(
  more: () => Variables = () => ({}),
  settled: (starting: Promise<RunningProcess>) => Promise<RunningProcess> = (starting) => starting,
) {
  let testDb: TestDatabase;
  let variables: Variables;
  beforeAll(async () => {
    testDb = await testDatabase();
    variables = { ...testDb.variables, ...more(), ...WITH_MAIL, ...CAN_DIE };
  });
  afterAll(() => testDb.drop());
  const start = (change: Variables = {}) => settled(startServer({ ...variables, ...change }));

  return {
    /** Runs the scenario once per step, killing the server at that step. */
    testKills(title: string, { steps, minimumKills }: KillPlan, run: Scenario): void {
      /** False if the scenario ran to its end first. */
      const isKilledAt = async (step: number) => {
        const server = await start({ DIE_AT: String(step) });
        const finished = await run(server).catch(() => false);
        if (finished) await server.stop();
        // The process ends a moment after its connections.
        else await expect.poll(() => server.child.signalCode).toBe('SIGKILL');
        return !finished;
      };
      test(title, { timeout: 3_600_000 }, async () => {
        if (inject('size') === 'small') {
          for (const step of steps)
            expect(await isKilledAt(step), `ended before step ${step}`).toBe(true);
        } else {
          let step = 1;
          while (await isKilledAt(step)) step += 1;
          expect(step).toBeGreaterThan(minimumKills);
        }
      });
    },

    /** Restarts the server, which finishes what was left until `find` reports nothing. */
    async finishesLeftovers(
      find: (db: Db) => Promise<string[]>,
      change: Variables = {},
    ): Promise<void> {
      const server = await start(change);
      const { db, close } = await openDatabase(readEnv(variables), { alongsideServer: true });
      try {
        await expect.poll(() => find(db)).toEqual([]);
        // Waits for what it is doing.
        await server.stop();
        expect(await find(db)).toEqual([]);
      } finally {
        await close();
        await server.stop();
      }
    },
  };
}
