/** The runner that measures how sharp the tests are, on a module whose tests miss where its limit lies. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const MODULE = `export function isAdult(age: number): boolean {
  return age >= 18;
}

export function notCalled(): string {
  return 'nothing';
}
`;
const TESTS = `import { expect, test } from 'vitest';
import { isAdult } from './is-adult.ts';

test('children are no adults', () => {
  expect([3, 30].map(isAdult)).toEqual([false, true]);
});
`;

let folder: string;
beforeEach(() => {
  mkdirSync('test-results', { recursive: true });
  folder = mkdtempSync('test-results/mutants-');
});
afterEach(() => rmSync(folder, { recursive: true }));

test('names the mutants that no test notices, and those that no test comes by', () => {
  const module = join(folder, 'is-adult.ts');
  const tests = join(folder, 'is-adult.try.ts');
  writeFileSync(module, MODULE);
  writeFileSync(tests, TESTS);
  const { stdout } = spawnSync('node', ['scripts/mutate.ts', module, '10', tests], {
    encoding: 'utf8',
  });
  const lines = stdout.split('\n').filter((line) => line.includes(module));
  expect(lines.sort()).toEqual([
    `not reached: ${module}:6 'nothing' → ''`,
    `survived: ${module}:2 18 → 17`,
    `survived: ${module}:2 18 → 19`,
    `survived: ${module}:2 age >= 18 → (age) > (18)`,
  ]);
  expect(stdout).toContain('20 % of 5 killed');
});
