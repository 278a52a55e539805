import { expect, test } from 'vitest';
import {
  addOnsSchema,
  plansSchema,
  servicesSchema,
  testimonialsSchema,
} from './catalogue-content.server.ts';

const PLAN = {
  id: 1,
  name: 'Harbor',
  description: 'For one office.',
  features: ['A desk to call'],
  users: 10,
};
const sold = (change: object) => plansSchema.safeParse([{ ...PLAN, price: 450, ...change }]);

test('a price is from nothing to a million dollars, in whole cents', () => {
  for (const price of [0, 0.01, 4.95, 1_000_000])
    expect(sold({ price }).data).toMatchObject([{ price: Math.round(price * 100) }]);
  for (const price of [-0.01, 0.005, 1_000_000.01, '5', null])
    expect([price, sold({ price }).success]).toEqual([price, false]);
});

test('a row has an id that both databases can hold, words in each of its texts, and nothing else', () => {
  for (const id of [1, 2 ** 31 - 1]) expect(sold({ id }).success).toBe(true);
  for (const change of [
    { id: 0 },
    { id: 2 ** 31 },
    { id: 1.5 },
    { name: '' },
    { features: [] },
    { features: [''] },
    { users: 0 },
    { users: undefined },
    { color: 'red' },
  ])
    expect([change, sold(change).success]).toEqual([change, false]);
});

test('what a row does not say is the usual: a price by the month, a plan like the others', () => {
  expect(sold({}).data).toMatchObject([{ popular: false }]);
  const { users: _, ...row } = PLAN;
  const service = { ...row, price: 1, shortDescription: 'Desk', image: '/desk.jpg' };
  expect(servicesSchema.parse([service])).toMatchObject([{ priceType: 'month' }]);
});

test('a customer gives one star to five', () => {
  const said = { id: 1, name: 'Ann', company: 'Lakeside', comment: 'Good.' };
  const stars = [0, 1, 5, 6, 4.5].map(
    (rating) => testimonialsSchema.safeParse([{ ...said, rating }]).success,
  );
  expect(stars).toEqual([false, true, true, false, false]);
});

test('an add-on has its price from a day on', () => {
  const row = { label: 'Backup', pricePerUser: 4.95, from: '2025-01-01' };
  const priced = (option: string, from = row.from) =>
    addOnsSchema.safeParse({ microsoft365: [{ ...row, option, from }], cloudBackup: [row] })
      .success;
  const known = ['business_standard', 'business_premium', 'e3'].map((option) => priced(option));
  expect(known).toEqual([true, true, true]);
  expect([priced('none'), priced('e3', '2025-02-30'), priced('e3', 'soon')]).toEqual([
    false,
    false,
    false,
  ]);
});
