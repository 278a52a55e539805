import { describe, expect, test } from 'vitest';
import { isOpen, PRICE_CHANGE_STATES, type PriceChangeState, priceAt } from './price-change.ts';

const DAY = 1_000;
const [before, after] = [DAY - 1, DAY];

describe('a customer pays', () => {
  test.each<[what: string, PriceChangeState, delivered: boolean, at: number, holds: 'from' | 'to']>(
    [
      ['today’s price before the day that a notice names', 'announced', true, before, 'from'],
      ['the announced price from that day on', 'announced', true, after, 'to'],
      ['today’s price as long as the notice is on its way', 'announced', false, after, 'from'],
      ['today’s price though the provider has the new one', 'applying', true, before, 'from'],
      [
        'the new price once it is being applied and its day is there',
        'applying',
        true,
        after,
        'to',
      ],
      ['the new price for good once it was charged', 'charged', true, before, 'to'],
      ['today’s price after a notice was withdrawn', 'withdrawn', true, after, 'from'],
    ],
  )('%s', (_what, state, delivered, at, holds) => {
    const deliveredAt = delivered ? 1 : null;
    expect(priceAt({ state, effectiveAt: DAY, deliveredAt }, at).holds).toBe(holds);
  });

  test('today’s price without any notice', () => {
    expect(priceAt(undefined, after)).toEqual({ holds: 'from', mayBeThere: false });
  });
});

test.each<[PriceChangeState, comes: number | undefined, mayBeThere: boolean]>([
  ['announced', DAY, false],
  ['applying', DAY, true],
  ['charged', undefined, true],
  ['withdrawn', undefined, false],
])('a notice that is %s says what is to come, and what the provider may have', (state, ...said) => {
  const { comes, mayBeThere } = priceAt({ state, effectiveAt: DAY, deliveredAt: 1 }, before);
  expect([comes, mayBeThere]).toEqual(said);
});

test('a customer gets no other notice while one is to come', () => {
  const open = PRICE_CHANGE_STATES.filter((state) => isOpen({ state }));
  expect(open).toEqual(['announced', 'applying']);
});
