/** Tests in two sizes: short in `npm test`, long in `npm run test:full -- endurance`. */
import { expect, inject, test } from 'vitest';

export function sized<Size>(small: Size, large: Size): Size {
  return inject('size') === 'large' ? large : small;
}

const ENGINES = ['sqlite', 'postgres'] as const;

/** A test with many server starts. In the gate it runs only on the engine that `place` selects, in the long run on both. */
export function testInTurn(place: number): typeof test {
  const all = inject('everything') || inject('size') === 'large';
  return test.runIf(all || inject('engine') === ENGINES[place % ENGINES.length]) as typeof test;
}

/** Checks a limit in milliseconds or megabytes, only in the long run, which has the machine to itself. */
export function expectWithin(what: string, took: number, promised: number): void {
  if (inject('size') === 'small') return;
  console.log(`${what}: ${Math.round(took)} (promised ${promised})`);
  expect(took, what).toBeLessThan(promised);
}
