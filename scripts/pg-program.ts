import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { CannotStart } from '../src/platform/config/cannot-start.server.ts';

/**
 * Runs one of PostgreSQL's client programs; `args` are made of the database's address without its password, which travels in
 * the environment: arguments are seen by every user of the machine.
 */
export async function runPgProgram(
  databaseUrl: string,
  program: string,
  args: (address: string) => string[],
  onLine: (line: string) => void = () => undefined,
): Promise<void> {
  const url = new URL(databaseUrl);
  const password = decodeURIComponent(url.password);
  url.password = '';
  const child = spawn(program, args(url.href), {
    env: { ...process.env, ...(password ? { PGPASSWORD: password } : {}) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = once(child, 'close').catch((error: Error) => {
    throw new CannotStart(
      `${program} is needed, of PostgreSQL's client programs: ${error.message}`,
    );
  });
  createInterface({ input: child.stdout }).on('line', onLine);
  const [[status], errors] = await Promise.all([closed, text(child.stderr)]);
  if (status !== 0) throw new CannotStart(`${program} failed: ${errors.trim()}`);
}
