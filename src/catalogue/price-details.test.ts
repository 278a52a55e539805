import { expect, test } from 'vitest';
import { comparisonOf } from './comparison.ts';
import { readPriceDetails } from './price-details.ts';

const perUser = { label: 'Each', pricePerUser: 1250 };
const options = {
  none: perUser,
  business_standard: perUser,
  business_premium: perUser,
  e3: perUser,
};
const row = { label: 'Antivirus', cells: [true, 'Optional'] };
const SENT = {
  plans: [
    { id: 1, name: 'One', price: 450 },
    { id: 2, name: 'Two', price: 850 },
  ],
  addOns: { microsoft365: options, cloudBackup: perUser },
  comparison: { caption: 'Compared', groups: [{ title: 'All', rows: [row] }] },
  questions: [{ question: 'Why?', answer: ['So.'] }],
};

test('is read whole, with prices in cents', () => {
  expect(readPriceDetails(SENT)).toEqual({
    ...SENT,
    plans: [
      { id: 1, name: 'One', price: 45_000 },
      { id: 2, name: 'Two', price: 85_000 },
    ],
  });
  for (const other of [undefined, null, [], 'text'])
    expect(readPriceDetails(other)).toBeUndefined();
});

test('a price that makes no sense is not reckoned with', () => {
  for (const pricePerUser of [12.5, '1250', null, undefined, Number.NaN]) {
    const wrong = { ...perUser, pricePerUser };
    for (const addOns of [
      { ...SENT.addOns, cloudBackup: wrong },
      { ...SENT.addOns, microsoft365: { ...options, e3: wrong } },
    ])
      expect(readPriceDetails({ ...SENT, addOns })).toMatchObject({ addOns: null });
  }
});

test('a plan that the comparison does not know takes the table away, and not its features', () => {
  const rows = [{ label: 'Antivirus', plans: { 1: false, 2: true } }];
  const named = { caption: 'Compared', groups: [{ title: 'All', rows }] };
  const cells = (plans: { id: number }[]) =>
    comparisonOf(named, plans).groups.flatMap((group) => group.rows.map((each) => each.cells));
  expect(cells([{ id: 2 }, { id: 1 }])).toEqual([[true, false]]);
  expect(cells([{ id: 1 }, { id: 2 }, { id: 3 }])).toEqual([[false, true]]);
});

test('a table whose columns are not those of the plans is left out, and all else stays', () => {
  const [first] = SENT.plans;
  const rows = [row, { label: 'Half', cells: [true] }];
  for (const bent of [
    { ...SENT, plans: [first, { id: 2, name: 'Two', price: null }] },
    { ...SENT, comparison: { caption: 'Compared', groups: [{ title: 'All', rows }] } },
    { ...SENT, comparison: { caption: null, groups: [] } },
  ]) {
    const { comparison, questions, addOns } = readPriceDetails(bent) ?? {};
    expect([comparison, questions, addOns]).toEqual([null, SENT.questions, SENT.addOns]);
  }
});
