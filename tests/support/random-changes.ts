/** Subscriptions and changes of them, always the same for the same seed. */
import type { PriceLine } from '../../src/catalogue/pricing.ts';
import { cents } from '../../src/platform/money.ts';
import { oracleMonth } from './bill-oracle.ts';

export interface RandomStory {
  start: number;
  first: PriceLine[];
  changes: { at: number; lines: PriceLine[] }[];
}

/** Numbers from 0 to below 1. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const PLANS = [45_000, 85_000, 195_000, 1];
const LICENSES = [1_250, 2_200, 3_600, 1_999];
const BACKUPS = [495, 333, 1_000];

export function randomStory(random: () => number): RandomStory {
  const below = (most: number) => Math.floor(random() * most);
  const one = (among: readonly number[]) => among[below(among.length)] ?? 1;
  const users = () => (random() < 0.2 ? 1 + below(1_000) : 1 + below(30));
  const line = (kind: PriceLine['kind'], unitPrice: number, quantity: number): PriceLine => ({
    kind,
    label: kind,
    unitPrice: cents(unitPrice),
    quantity,
    amount: cents(unitPrice * quantity),
  });
  const [plan, license, backup] = [one(PLANS), one(LICENSES), one(BACKUPS)];
  const choice = () => {
    const count = users();
    return [
      line('plan', plan, 1),
      line('microsoft365', license, count),
      ...(random() < 0.5 ? [line('backup', backup, count)] : []),
    ];
  };
  // Ends of months as often as all other days together.
  const day = random() < 0.5 ? 28 + below(4) : 1 + below(28);
  const start = Date.UTC(2027, below(60), day, below(24), below(60), below(60));
  const seconds = (oracleMonth(start, 1) - start) / 1_000;
  const moments = Array.from({ length: below(6) }, () =>
    below(random() < 0.5 ? 200_000 : seconds),
  ).sort((a, b) => a - b);
  return {
    start,
    first: choice(),
    changes: moments.map((moment) => ({ at: start + moment * 1_000, lines: choice() })),
  };
}
