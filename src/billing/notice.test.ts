import { describe, expect, test } from 'vitest';
import { holdsAt, isOpen, NOTICE_STATES, type NoticeState } from './notice.ts';

const DAY = 1_000;
const [before, after] = [DAY - 1, DAY];

describe('a customer pays', () => {
  test.each<[what: string, NoticeState, delivered: boolean, at: number, isNew: boolean]>([
    ['today’s price before the day that a notice names', 'announced', true, before, false],
    ['the announced price from that day on', 'announced', true, after, true],
    ['today’s price as long as the notice is on its way', 'announced', false, after, false],
    ['today’s price though the provider has the new one', 'applying', true, before, false],
    ['the new price once it is being applied and its day is there', 'applying', true, after, true],
    ['the new price for good once it was charged', 'charged', true, before, true],
    ['today’s price after a notice was withdrawn', 'withdrawn', true, after, false],
  ])('%s', (_what, state, delivered, at, isNew) => {
    const deliveredAt = delivered ? 1 : null;
    expect(holdsAt({ state, effectiveAt: DAY, deliveredAt }, at)).toBe(isNew);
  });

  test('today’s price without any notice', () => {
    expect(holdsAt(undefined, after)).toBe(false);
  });
});

test('a customer gets no other notice while one is to come', () => {
  const open = NOTICE_STATES.filter((state) => isOpen({ state }));
  expect(open).toEqual(['announced', 'applying']);
});
