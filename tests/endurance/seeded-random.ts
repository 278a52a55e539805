/** Repeatable randomness for generated tests. */
import fc from 'fast-check';

/** Returns an integer from 0 up to, but not including, `below`. */
export type Random = (below: number) => number;

export function seededRandom(seed: number): Random {
  const [generate] = fc.sample(fc.gen(), { seed, numRuns: 1 });
  if (!generate) throw new Error('fast-check returned no generator');
  return (below) => generate(fc.nat, { max: below - 1 });
}
