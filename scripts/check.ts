import { runChecks } from './checks.ts';

const failed = (await runChecks()).filter(({ ok }) => !ok);
console.log(
  failed.length === 0
    ? 'All checks passed'
    : `Failed: ${failed.map(({ name }) => name).join(', ')}`,
);
process.exit(failed.length === 0 ? 0 : 1);
