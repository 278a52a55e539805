/**
 * `npm run check`: what a tool can see without running the code; `npm test` runs it too. `-- --fix` first mends format
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
const failed = (await Promise.all(CHECKS.map(findsFault))).filter((name) => name !== undefined);
console.log(failed.length === 0 ? 'All checks passed' : `Failed: ${failed.join(', ')}`);
process.exit(failed.length === 0 ? 0 : 1);

/** The check's name if it fails, after printing what it has to say. */
async function findsFault({ name, command }: (typeof CHECKS)[number]): Promise<string | undefined> {
  const check = spawn(`${command} 2>&1`, { shell: true, stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = new Promise((resolve) => check.once('close', resolve));
  const output = await text(check.stdout);
  if ((await closed) === 0) return undefined;
  console.log(output);
  return name;
}
