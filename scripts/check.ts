/** `npm run check`: what a tool can see without running the code. `-- --fix` first mends format and imports. */
import { runChecks } from './checks.ts';
import { run } from './test-tools.ts';

if (process.argv.includes('--fix')) run('biome', ['check', '--write', '.']);

const failed = (await runChecks()).filter(({ ok }) => !ok);
console.log(
  failed.length === 0
    ? 'All checks passed'
    : `Failed: ${failed.map(({ name }) => name).join(', ')}`,
);
process.exit(failed.length === 0 ? 0 : 1);
