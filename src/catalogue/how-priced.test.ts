import { expect, test } from 'vitest';
import { pricedFaults, pricedLine, readHowPriced } from './how-priced.ts';

const PLANS = [
  { id: 1, name: 'Harbor' },
  { id: 2, name: 'Bay' },
  { id: 3, name: 'Ocean' },
];
const row = (label: string, ...plans: (boolean | string)[]) => ({
  label,
  plans: { 1: plans[0] ?? false, 2: plans[1] ?? false, 3: plans[2] ?? false },
});
const COMPARISON = {
  caption: 'Compared',
  groups: [
    { title: 'All', rows: [row('Desk', true, true, true), row('Backup', 'Optional', true, true)] },
    { title: 'Some', rows: [row('Wi-Fi', false, true, true), row('Fax')] },
  ],
};
const line = (text: string) => pricedLine(text, COMPARISON, PLANS);

test('names the plans that include a row of the comparison, in their order', () => {
  expect(line('Wi-Fi is part of {{plans:Wi-Fi}}. {{plans:Desk}}, {{plans:Backup}}.')).toBe(
    'Wi-Fi is part of Bay and Ocean. every plan, every plan.',
  );
  expect(line('By written quote.')).toBe('By written quote.');
  const [, , ocean] = PLANS;
  expect(
    pricedLine('{{plans:Wi-Fi}}', COMPARISON, ocean ? [ocean, { id: 1, name: 'Pier' }] : []),
  ).toBe('Ocean');
});

test('a row that is not there, or that no plan includes, is a fault', () => {
  const faults = (text: string) => pricedFaults(text, COMPARISON, PLANS);
  expect(faults('{{plans:Wi-Fi}} and {{plans:Wifi}} and {{plans:Fax}}')).toEqual([
    'no plan includes “Wifi”',
    'no plan includes “Fax”',
  ]);
  expect(faults('By written quote.')).toEqual([]);
});

test('of lines that make no sense nothing is said', () => {
  const sent = { services: { 1: 'Quoted' }, solutions: { 2: 'Quoted too' } };
  expect(readHowPriced({ ...sent, plans: [] })).toEqual(sent);
  for (const other of [undefined, null, [], 'text', {}])
    expect(readHowPriced(other)).toEqual({ services: {}, solutions: {} });
  expect(readHowPriced({ ...sent, services: { 1: 5, 2: 'Kept' } }).services).toEqual({ 2: 'Kept' });
});
