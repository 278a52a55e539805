/** Response times are kept as counts per class, each 4 % wider than the one before: percentiles within 2 %. */
const STEP = Math.log(1.04);

export function durationClass(microseconds: number): number {
  return Math.floor(Math.log(Math.max(1, microseconds)) / STEP);
}

/** The middle of a class, in microseconds. */
function middleOf(durationClass: number): number {
  return Math.exp((durationClass + 0.5) * STEP);
}

/** The microseconds within which this share (0 to 1) of the requests was answered; 0 without requests. */
export function percentile(countByClass: ReadonlyMap<number, number>, share: number): number {
  const classes = [...countByClass].sort(([a], [b]) => a - b);
  const total = classes.reduce((sum, [, count]) => sum + count, 0);
  let left = Math.ceil(total * share);
  const found = classes.find(([, count]) => {
    left -= count;
    return left <= 0;
  });
  return found ? middleOf(found[0]) : 0;
}
