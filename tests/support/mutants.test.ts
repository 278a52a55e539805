/** The runner that measures how sharp the tests are, on a module whose tests miss where its limit lies. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runProcess } from './server-process.ts';

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

/** A Vitest of its own starts, with the databases that all tests have. */
const PATIENCE_MS = 180_000;

test(
  'names the mutants that no test notices, and those that no test comes by',
  async () => {
    const module = join(folder, 'is-adult.ts');
    const tests = join(folder, 'is-adult.try.ts');
    writeFileSync(module, MODULE);
    writeFileSync(tests, TESTS);
    const { output } = await runProcess('scripts/mutate.ts', {}, [module, '10', tests]);
    const lines = output.split('\n').filter((line) => line.includes(`${module}:`));
    expect(lines.sort()).toEqual([
      `not reached: ${module}:6 'nothing' → ''`,
      `survived: ${module}:2 18 → 17`,
      `survived: ${module}:2 18 → 19`,
      `survived: ${module}:2 age >= 18 → (age) > (18)`,
      `${module}: 20 % of 5 killed (of 5; at least 0 %), 3 survived, 1 not reached`,
    ]);
  },
  PATIENCE_MS,
);
