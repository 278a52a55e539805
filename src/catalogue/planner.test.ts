import { describe, expect, test } from 'vitest';
import { ownContent } from '../../tests/support/own-content.ts';
import { cents } from '../platform/money.ts';
import { answerFor, FIRST_CHOICE, MAX_PEOPLE, planFor, readPeople } from './planner.ts';
import { checkoutQuery, monthlyPrice, pricesInForce } from './pricing.ts';

const { plans, addOns } = ownContent();
const prices = pricesInForce(addOns, new Date());
const answer = (people: number) =>
  answerFor({ ...FIRST_CHOICE, ms365Users: people }, plans, prices);

describe('the plan that fits', () => {
  test.each([
    [1, 'Essential', 10, false],
    [10, 'Essential', 10, false],
    [11, 'Professional', 20, false],
    [20, 'Professional', 20, false],
    [21, 'Enterprise', 50, false],
    [50, 'Enterprise', 50, false],
    [51, 'Enterprise', 50, true],
    [250, 'Enterprise', 50, true],
  ])('%i people: %s, sized for %i', (people, name, size, beyond) => {
    expect(answer(people)).toMatchObject({ plan: { name }, size, beyond });
  });

  test('is found whatever the order of the plans, and is the cheaper of two of one size', () => {
    const reversed = plans.toReversed();
    expect([10, 20, 250].map((people) => planFor(people, reversed)?.id)).toEqual([1, 2, 3]);
    const dearer = { id: 7, name: 'ESSENTIAL', price: cents(90_000) };
    for (const sold of [
      [dearer, ...plans],
      [...plans, dearer],
    ])
      expect(planFor(5, sold)?.id).toBe(1);
    const twice = [{ id: 8, name: 'enterprise', price: cents(200_000) }, ...plans];
    expect(planFor(60, twice)?.id).toBe(3);
  });

  test('is none where nothing is sold', () => {
    expect(planFor(1, [])).toBeUndefined();
    expect(answerFor(FIRST_CHOICE, [], prices)).toBeUndefined();
  });

  test('costs what the checkout asks for it, a license for each of the people', () => {
    const choice = { ms365Option: 'e3' as const, ms365Users: 21, includeCloudBackup: true };
    const found = answerFor(choice, plans, prices);
    const [, , enterprise] = plans;
    if (!enterprise) throw new Error('no third plan');
    expect(found?.price).toEqual(monthlyPrice(enterprise, choice, prices));
    expect(found?.price.total).toBe(195_000 + 21 * (3_600 + 495));
    expect(answer(20)?.price.total).toBe(85_000 + 20 * 1_250);
  });
});

test('people are a whole number from 1 to 250, in digits', () => {
  const taken = ['1', '9', '020', '250'].map(readPeople);
  expect(taken).toEqual([1, 9, 20, MAX_PEOPLE]);
  for (const text of [
    '',
    '0',
    '000',
    '251',
    '999',
    '1000',
    '-1',
    '+5',
    '12.5',
    '1e2',
    'abc',
    ' 5',
    '٣',
  ])
    expect([text, readPeople(text)]).toEqual([text, undefined]);
});

test('the way to the checkout names all that was chosen, in the order in which the checkout does', () => {
  const choice = { ms365Option: 'e3' as const, ms365Users: 7, includeCloudBackup: true };
  expect(String(checkoutQuery(3, choice))).toBe(
    'plan=3&microsoft365=e3&ms365_users=7&cloud_backup=true',
  );
  expect(String(checkoutQuery(null, FIRST_CHOICE))).toBe(
    'microsoft365=business_standard&ms365_users=20&cloud_backup=false',
  );
});
