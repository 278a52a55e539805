/** Instances are replaced one by one while customers order, so this version and the previous one share the tables. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { compareWithFinalState, type Shift, startShift } from '../support/mixed-writes.ts';
import {
  REACHABLE_DEMO,
  type RunningProcess,
  SERVER,
  startProcess,
  startServer,
} from '../support/server-process.ts';
import { type TestDatabase, testDatabase } from '../support/test-app.ts';

const ROUNDS = 20;
const MINUTE_MS = 60_000;

// SQLite allows one server only; building the previous version takes half a minute.
describe.runIf(inject('engine') === 'postgres' && inject('size') === 'large')('an upgrade', () => {
  let previous: string;
  let testDb: TestDatabase;
  beforeAll(async () => {
    testDb = await testDatabase();
    previous = mkdtempSync(join(tmpdir(), 'site-previous-'));
    execFileSync('git', ['worktree', 'add', '--detach', previous, 'HEAD~1'], { stdio: 'pipe' });
    symlinkSync(join(process.cwd(), 'node_modules'), join(previous, 'node_modules'));
    execFileSync('node', ['scripts/build-if-stale.ts'], { cwd: previous, stdio: 'pipe' });
  }, 5 * MINUTE_MS);
  afterAll(async () => {
    execFileSync('git', ['worktree', 'remove', '--force', previous], { stdio: 'pipe' });
    rmSync(previous, { recursive: true, force: true });
    await testDb.drop();
  });

  const startThis = () => startServer(testDb.variables);
  const startPrevious = () =>
    startProcess(SERVER, { ...REACHABLE_DEMO, ...testDb.variables }, previous);

  test('loses no order and refuses no request in twenty replacements forth and back under load', async () => {
    const shifts: Shift[] = [];
    /** Like a proxy: moves all requests to the new server, then stops the old one. */
    async function replace(running: RunningProcess, shift: Shift, next: RunningProcess, n: number) {
      const joined = startShift(next.address, 3, `round-${n}`);
      shifts.push(joined);
      await joined.orders(20);
      await shift.end();
      expect((await running.stop()).code).toBe(0);
      return joined;
    }
    let running = await startPrevious();
    let shift = startShift(running.address, 3, 'first');
    shifts.push(shift);
    for (let round = 1; round <= ROUNDS; round++) {
      const next = await (round % 2 === 1 ? startThis() : startPrevious());
      shift = await replace(running, shift, next, round);
      running = next;
    }
    await shift.end();
    const acknowledged = shifts.flatMap((each) => each.acknowledged);
    expect(shifts.flatMap(({ refused }) => refused)).toEqual([]);
    expect(shifts.reduce((sum, { unanswered }) => sum + unanswered, 0)).toBe(0);
    expect(acknowledged.filter(({ orderId }) => orderId === undefined)).toEqual([]);
    expect(await compareWithFinalState(running.address, acknowledged)).toEqual([]);
    await running.stop();
  });
});
