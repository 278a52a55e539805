/** Prints the benchmarks' figures with their limits. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

let missed = 0;

/** Prints a figure and whether it is within its limit. */
export function figure(
  what: string,
  value: number,
  limit: { atLeast: number } | { atMost: number },
): void {
  const kept = 'atLeast' in limit ? value >= limit.atLeast : value <= limit.atMost;
  const wanted = 'atLeast' in limit ? `at least ${limit.atLeast}` : `at most ${limit.atMost}`;
  if (!kept) missed += 1;
  console.log(`${kept ? 'ok    ' : 'MISSED'}  ${what}: ${Number(value.toFixed(3))} (${wanted})`);
}

export function missedFigures(): number {
  return missed;
}
