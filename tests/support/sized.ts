/** Stories that are told twice: briefly in `npm test`, at length in `npm run test:full -- endurance`. */
import { expect, inject, test } from 'vitest';

export function sized<Size>(small: Size, large: Size): Size {
  return inject('size') === 'large' ? large : small;
}

const ENGINES = ['sqlite', 'postgres'] as const;

/** A test of many server starts: in the gate on the engine that its place in its file gives it, in the long run on both. */
export function testInTurn(place: number): typeof test {
  const all = inject('everything') || inject('size') === 'large';
  return test.runIf(all || inject('engine') === ENGINES[place % ENGINES.length]) as typeof test;
}

/** How much longer than promised something may take where tests share a busy machine: only what hangs is noticed there. */
const PATIENCE = 20;

/** Checks a promised time, in milliseconds: to the letter in the long run, which has the machine for itself. */
export function expectWithin(what: string, took: number, promised: number): void {
  const large = inject('size') === 'large';
  if (large) console.log(`${what}: ${Math.round(took)} ms (promised ${promised})`);
  expect(took, what).toBeLessThan(large ? promised : promised * PATIENCE);
}
