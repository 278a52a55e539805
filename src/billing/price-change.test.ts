import { describe, expect, test } from 'vitest';
import {
  comesAt,
  holdsAt,
  isOpen,
  mayBeThere,
  PRICE_CHANGE_STATES,
  type PriceChangeState,
} from './price-change.ts';

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
    expect(holdsAt({ state, effectiveAt: DAY, deliveredAt }, at)).toBe(holds === 'to');
  });

  test('today’s price without any notice', () => {
    expect(holdsAt(undefined, after)).toBe(false);
  });
});

test.each<[PriceChangeState, comes: number | undefined, isThere: boolean]>([
  ['announced', DAY, false],
  ['applying', DAY, true],
  ['charged', undefined, true],
  ['withdrawn', undefined, false],
])('a notice that is %s says what is to come, and what the provider may have', (state, ...said) => {
  const notice = { state, effectiveAt: DAY, deliveredAt: 1 };
  expect([comesAt(notice), mayBeThere(notice)]).toEqual(said);
});

test('a customer gets no other notice while one is to come', () => {
  const open = PRICE_CHANGE_STATES.filter((state) => isOpen({ state }));
  expect(open).toEqual(['announced', 'applying']);
});
