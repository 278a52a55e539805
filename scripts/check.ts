/**
 * `npm run check`: the static checks, which `npm test` runs, too. `-- --fix` first fixes formatting
 * and imports.
 */
import { spawn, spawnSync } from 'node:child_process';
import { text } from 'node:stream/consumers';

const CHECKS: readonly { name: string; command: string }[] = [
  { name: 'types', command: 'tsc --noEmit' },
  { name: 'format and lint', command: 'biome check --error-on-warnings .' },
  { name: 'import directions', command: 'depcruise --output-type err src scripts tests' },
  { name: 'unused code', command: 'knip --no-progress' },
];

if (process.argv.includes('--fix'))
  spawnSync('biome', ['check', '--write', '.'], { stdio: 'inherit' });
const failed = (await Promise.all(CHECKS.map(runCheck))).filter((name) => name !== undefined);
console.log(failed.length === 0 ? 'All checks passed' : `Failed: ${failed.join(', ')}`);
process.exit(failed.length === 0 ? 0 : 1);

/** Returns the check's name if it fails, after printing its output. */
async function runCheck({ name, command }: (typeof CHECKS)[number]): Promise<string | undefined> {
  const check = spawn(`${command} 2>&1`, { shell: true, stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = new Promise((resolve) => check.once('close', resolve));
  const output = await text(check.stdout);
  if ((await closed) === 0) return undefined;
  console.log(output);
  return name;
}
