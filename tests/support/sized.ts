/** Stories that are told twice: briefly in `npm test`, at length in `npm run test:endurance`. */
import { expect, inject } from 'vitest';

export function sized<Size>(small: Size, large: Size): Size {
  return inject('size') === 'large' ? large : small;
}

/** How much longer than promised something may take where tests share a busy machine. */
const PATIENCE = 6;

/** Checks a promised time, in milliseconds: to the letter in the long run, which has the machine for itself. */
export function expectWithin(what: string, took: number, promised: number): void {
  const large = inject('size') === 'large';
  if (large) console.log(`${what}: ${Math.round(took)} ms (promised ${promised})`);
  expect(took, what).toBeLessThan(large ? promised : promised * PATIENCE);
}
