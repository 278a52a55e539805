import { expect, test } from 'vitest';
import { line } from '../../tests/support/saved-order.ts';
import { type Notice, SET_PRICES_BEFORE_MS } from '../billing/notice-store.server.ts';
import { cents } from '../platform/money.ts';
import { type Answer, changeAfter, type Task, taskOf } from './apply-notices.server.ts';

const [NOW, NEXT] = [500, 2_000];
const [from, to] = [[line('plan', 450_00)], [line('plan', 500_00)]];
const NOTICE: Notice = {
  ...{ id: 3, orderId: 7, kind: 'price', state: 'applying', reason: null, accountId: 1 },
  ...{ from, to, effectiveAt: 1_000, at: 0, deliveredAt: 0, setUpAt: null },
};
const refused = 'managed elsewhere';
const at = { invoice: 'T-1', amount: cents(450_00) };

type Row = [to: Partial<Notice>, event?: string];
const SET_UP: Row = [{ setUpAt: NOW }, 'price-set-up'];
const OPEN: Row = [{ state: 'announced' }, 'price-set-up'];
const BACK: Row = [{ state: 'withdrawn', reason: 'taken-back' }, 'price-set-up'];
const AGAIN: Row = [{ state: 'announced' }, 'price-not-set-up'];
const STAYS: Row = [{}, 'price-not-set-up'];
const MOVED = { effectiveAt: NEXT };

/** What each answer makes of a notice; of a renewal, only the new price is asked for. */
test.each<[string, Answer, Partial<Record<Task, Row>>]>([
  ['done', 'done', { new: SET_UP, old: OPEN, restore: BACK }],
  ['it has the old', { refused, lines: from }, { new: AGAIN, old: AGAIN, restore: STAYS }],
  ['it has the new', { refused, lines: to }, { new: STAYS, old: STAYS, restore: STAYS }],
  ['refused', { refused }, { new: STAYS, old: STAYS, restore: STAYS }],
  ['billed', { renewsAt: NEXT, billed: { ...at, atNewPrices: true } }, { new: [{ setUpAt: NOW }] }],
  [
    'billed at the old',
    { renewsAt: NEXT, billed: { ...at, atNewPrices: false } },
    { new: [MOVED, 'old-price-charged'] },
  ],
  ['moved', { renewsAt: NEXT, billed: null }, { new: [MOVED] }],
])('asked to charge a price, the provider answers: %s', (_words, answer, rows) => {
  for (const [task, row] of Object.entries(rows) as [Task, Row][]) {
    const state = task === 'restore' ? 'withdrawn' : 'applying';
    const { to: saved, event } = changeAfter(answer, task, { ...NOTICE, state }, NOW);
    expect([task, saved, event?.kind]).toEqual([task, row[0], row[1]]);
  }
});

test.each<[Notice['state'], inMs: number, Task]>([
  ['announced', SET_PRICES_BEFORE_MS, 'new'],
  ['applying', SET_PRICES_BEFORE_MS, 'new'],
  ['applying', SET_PRICES_BEFORE_MS + 1, 'old'],
  ['withdrawn', SET_PRICES_BEFORE_MS, 'restore'],
])('a notice that is %s and comes in %s ms asks for the %s price', (state, effectiveAt, task) => {
  expect(taskOf({ ...NOTICE, state, effectiveAt }, 0)).toBe(task);
});
