/** Repeatable randomness for generated tests. */
import fc from 'fast-check';
import type { PriceLine } from '../../src/catalogue/pricing.ts';
import { line } from './saved-order.ts';

/** Returns an integer from 0 up to, but not including, `below`. */
export type Random = (below: number) => number;

export function seededRandom(seed: number): Random {
  const [generate] = fc.sample(fc.gen(), { seed, numRuns: 1 });
  if (!generate) throw new Error('fast-check returned no generator');
  return (below) => generate(fc.nat, { max: below - 1 });
}

/** Monthly price lines, with prices and user counts that expose rounding errors. */
export function randomLines(random: Random): PriceLine[] {
  const any = (values: readonly number[]): number => values[random(values.length)] ?? 0;
  const users = any([1, 2, 3, 7, 20, 33, 250, 999, 1000]);
  return [
    line('plan', any([45_000, 85_000, 195_001])),
    line('microsoft365', any([1250, 2199]), users),
    ...(random(2) > 0 ? [line('backup', any([495, 333]), users)] : []),
  ];
}
