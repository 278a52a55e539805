/** What staff may ask of the list of orders, and do with an order. */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { ENDABLE, REFUNDABLE } from './order.ts';
import {
  CANCEL_ORDER,
  ORDERS_PAGE,
  REFUND_ORDER,
  readOrderFilter,
  writeOrderFilter,
} from './order-api.ts';

describe('the filter of the list', () => {
  test.each([
    ['', { words: '', status: '', page: 1 }],
    ['find=jane+doe', { words: 'jane doe', status: '', page: 1 }],
    ['status=past_due', { words: '', status: 'past_due', page: 1 }],
    ['find=jane&status=paid&page=2', { words: 'jane', status: 'paid', page: 2 }],
  ] as const)('is written into an address and read from it: %s', (query, filter) => {
    expect(readOrderFilter(new URLSearchParams(query))).toEqual(filter);
    expect(`${writeOrderFilter(filter)}`).toBe(query);
  });

  test('takes no status that there is not', () => {
    expect(readOrderFilter(new URLSearchParams('status=nonsense')).status).toBe('');
  });

  test('asks for pages of 50', () => expect(ORDERS_PAGE).toBe(50));
});

describe('a refund', () => {
  const takes = (body: object) => REFUND_ORDER.body.safeParse(body).success;

  test.each([null, 0.01, 12.5, 10_000_000])('may be of %s dollars', (amount) => {
    expect(takes({ amount })).toBe(true);
    expect(takes({ amount, key: randomUUID() })).toBe(true);
  });

  test.each([0, -1, 0.009, 10_000_000.01])('may not be of %s dollars', (amount) => {
    expect(takes({ amount })).toBe(false);
  });

  test('is of whole cents, and says so', () => {
    const { error } = REFUND_ORDER.body.safeParse({ amount: 1.234 });
    const messages = error?.issues.map(({ message }) => message);
    expect(messages).toEqual(['Please enter an amount in dollars and cents']);
  });

  test('is made of an order that was paid', () => {
    expect(REFUNDABLE).toEqual(['paid', 'past_due', 'canceled']);
  });
});

describe('the end of an order', () => {
  test('is now or after the paid month', () => {
    const ends = ['now', 'period-end', '', 'later'].map(
      (when) => CANCEL_ORDER.body.safeParse({ when }).success,
    );
    expect(ends).toEqual([true, true, false, false]);
  });

  test('is made of any order that has not been canceled', () => {
    const endable = ['pending', 'processing', 'paid', 'failed', 'past_due', 'refunded'];
    expect(ENDABLE).toEqual(endable);
  });
});
