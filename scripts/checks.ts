/** What a tool can see without running the code; `npm run check` and `npm test` run all of them. */
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

const CHECKS: readonly { name: string; command: string }[] = [
  { name: 'types', command: 'tsc --noEmit' },
  { name: 'format and lint', command: 'biome check --error-on-warnings .' },
  { name: 'import directions', command: 'depcruise --output-type err src scripts tests' },
  { name: 'unused code', command: 'knip --no-progress' },
];

/** Runs them side by side; prints what those that fail have to say. */
export function runChecks(): Promise<{ name: string; ok: boolean }[]> {
  return Promise.all(
    CHECKS.map(async ({ name, command }) => {
      const check = spawn(`${command} 2>&1`, { shell: true, stdio: ['ignore', 'pipe', 'inherit'] });
      const closed = new Promise((resolve) => check.once('close', resolve));
      const output = await text(check.stdout);
      const ok = (await closed) === 0;
      if (!ok) console.log(output);
      return { name, ok };
    }),
  );
}
