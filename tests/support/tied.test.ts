import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tied } from './tied.ts';

const RUN = `
  import { spawn } from 'node:child_process';
  import { tied } from ${JSON.stringify(join(import.meta.dirname, 'tied.ts'))};
  console.log(spawn(...tied('sleep', ['1000'])).pid);`;

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test.runIf(process.platform === 'linux')('a killed run leaves no server behind', async () => {
  const run = spawn(...tied(process.execPath, ['--input-type=module', '-e', RUN]));
  const [printed] = await once(run.stdout, 'data');
  const server = Number(String(printed));
  expect(isRunning(server)).toBe(true);
  run.kill('SIGKILL');
  await expect.poll(() => isRunning(server)).toBe(false);
});
