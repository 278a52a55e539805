/** A site that is killed at each step of a story in turn, each time started again; die-at.ts says what a step is. */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { afterAll, beforeAll, expect } from 'vitest';
import { readEnv } from '../../src/platform/config/env.server.ts';
import { openDatabase } from '../../src/platform/database/database.server.ts';
import type { Tables } from '../../src/platform/database/tables.server.ts';
import { type RunningProcess, startServer } from './server-process.ts';
import { sized, testInTurn } from './sized.ts';
import { WITH_MAIL } from './stripe-shop.ts';
import { type TestDatabase, testDatabase } from './test-app.ts';

/** The request that carries this is the first of the story whose steps are counted. */
export const COUNTED = { 'X-Count-Steps': 'from here' };

type Variables = Record<string, string>;

export interface Pace {
  /** Its place in its file, which gives it an engine in the brief run. */
  turn: number;
  /** The steps at which the brief run is killed: the first, and how many lie between two kills. The long run takes all. */
  brief: [first: number, stride: number];
  /** A run with no more kills than these has proved nothing: in the brief run, and in the long one. */
  deaths: [brief: number, long: number];
}

/** True when it came to its end; false, or an error, when the server is gone. */
type Story = (server: RunningProcess) => Promise<boolean>;

/** `settled` resolves when a server that has just started has looked after what was left over. */
export function dyingSite(
  more: () => Variables = () => ({}),
  settled: (starting: Promise<RunningProcess>) => Promise<RunningProcess> = (starting) => starting,
) {
  let ground: TestDatabase;
  let variables: Variables;
  beforeAll(async () => {
    ground = await testDatabase();
    const preload = `--import=${join(import.meta.dirname, 'die-at.ts')}`;
    variables = { ...ground.variables, ...more(), ...WITH_MAIL, NODE_OPTIONS: preload };
  });
  afterAll(() => ground.drop());
  const start = (change: Variables = {}) => settled(startServer({ ...variables, ...change }));

  return {
    /** Tells the story with a death at one step after another, until it lives to its end. */
    testDeaths(title: string, { turn, brief, deaths }: Pace, tell: Story): void {
      testInTurn(turn)(title, { timeout: 3_600_000 }, async () => {
        const [first, stride] = sized(brief, [1, 1]);
        let died = 0;
        for (let step = first; ; step += stride, died += 1) {
          const server = await start({ DIE_AT: String(step) });
          const finished = await tell(server).catch(() => false);
          await server.stop(finished ? 'SIGTERM' : 'SIGKILL');
          if (finished) break;
        }
        expect(died).toBeGreaterThan(sized(...deaths));
      });
    },

    /** What disagrees in the books after a start that finishes what was left over. */
    async disagreements(
      find: (db: Kysely<Tables>) => Promise<string[]>,
      change: Variables = {},
    ): Promise<string[]> {
      const server = await start(change);
      await pause(2_000);
      await server.stop();
      const { db, close } = await openDatabase(readEnv(variables));
      try {
        return await find(db);
      } finally {
        await close();
      }
    },
  };
}
