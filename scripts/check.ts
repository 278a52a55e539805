import { spawnSync } from 'node:child_process';
import { CHECKS } from './checks.ts';
import { longRunLines } from './long-runs.ts';

const failed = CHECKS.filter(({ name, command: [program = '', ...args] }) => {
  console.log(`— ${name}`);
  return spawnSync(program, args, { stdio: 'inherit' }).status !== 0;
});
console.log(`— long runs\n${longRunLines().join('\n')}`);
console.log(
  failed.length === 0
    ? 'All checks passed'
    : `Failed: ${failed.map(({ name }) => name).join(', ')}`,
);
process.exit(failed.length === 0 ? 0 : 1);
