/** Tests in two sizes: short in `npm test`, long in `npm run test:full -- endurance`. */
import { expect, inject, test } from 'vitest';
import { TIMEOUT_MS } from './test-plan.ts';

export function sized<Size>(small: Size, large: Size): Size {
  return inject('size') === 'large' ? large : small;
}

const ENGINES = ['sqlite', 'postgres'] as const;

/** A test with many server starts. In the gate it runs only on the engine that `place` selects, in the long run on both. */
export function testInTurn(place: number): typeof test {
  const all = inject('everything') || inject('size') === 'large';
  return test.runIf(all || inject('engine') === ENGINES[place % ENGINES.length]) as typeof test;
}

/** Checks a time limit in milliseconds: exactly in the long run, which has the machine to itself, and roughly in the gate. */
export function expectWithin(what: string, took: number, promised: number): void {
  const large = inject('size') === 'large';
  if (large) console.log(`${what}: ${Math.round(took)} ms (promised ${promised})`);
  expect(took, what).toBeLessThan(large ? promised : promised + TIMEOUT_MS);
}
