import type { PersonCounts } from './person-shapes.ts';

const NAMES: readonly (readonly [keyof PersonCounts, one: string, several: string])[] = [
  ['messages', 'contact message', 'contact messages'],
  ['chatMessages', 'chat message', 'chat messages'],
  ['quotes', 'quote', 'quotes'],
  ['orders', 'order', 'orders'],
  ['notices', 'notice', 'notices'],
];

/** '2 contact messages, 1 order', without what there is none of. */
export function countsInWords(counts: Partial<PersonCounts>): string {
  return NAMES.flatMap(([kind, one, several]) => {
    const count = counts[kind] ?? 0;
    return count === 0 ? [] : [`${count} ${count === 1 ? one : several}`];
  }).join(', ');
}
