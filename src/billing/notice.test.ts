import { expect, test } from 'vitest';
import { comesAt, holdsAt, mayBeThere, type NoticeState } from './notice.ts';

const [BEFORE, DAY] = [1_000, 2_000];

/** When it comes, whether it holds before its day and on it, whether the provider may have it. */
test.each<
  [NoticeState, deliveredAt: number | null, ...[number | undefined, boolean, boolean, boolean]]
>([
  ['announced', null, undefined, false, false, false],
  ['announced', BEFORE, DAY, false, true, false],
  ['applying', null, DAY, false, true, true],
  ['applying', BEFORE, DAY, false, true, true],
  ['charged', null, undefined, true, true, true],
  ['charged', BEFORE, undefined, true, true, true],
  ['withdrawn', null, undefined, false, false, false],
  ['withdrawn', BEFORE, undefined, false, false, false],
])('a notice that is %s, delivered: %s', (state, deliveredAt, comes, before, on, there) => {
  const notice = { state, deliveredAt, effectiveAt: DAY };
  const holds = [BEFORE, DAY].map((at) => holdsAt(notice, at));
  expect([comesAt(notice), ...holds, mayBeThere(notice)]).toEqual([comes, before, on, there]);
});
