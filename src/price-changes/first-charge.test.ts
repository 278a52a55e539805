import { describe, expect, test } from 'vitest';
import { earliestCharge, firstRenewal, isEarlyEnough } from './first-charge.server.ts';

const at = (time: string) => Date.parse(`${time}:00Z`);

describe('a customer is charged a new price first', () => {
  test.each([
    ['the 31st again after February', '2027-01-31', '2027-02-28', '2027-03-02', '31'],
    ['the leap day, of a plan of the 31st', '2027-12-31', '2028-01-31', '2028-02-01', '29'],
    ['the last day of a short month', '2028-01-30', '2028-01-30', '2028-02-01', '29'],
    ['the day to which staff moved the bills', '2027-01-31', '2027-03-12', '2027-03-13', '12'],
  ])('on %s', (_what, anchor, until, earliest, day) => {
    const billed = { anchor: at(`${anchor}T15:00`), until: at(`${until}T15:00`) };
    const first = new Date(firstRenewal(billed, at(`${earliest}T00:00`)));
    expect(first.toISOString().slice(8, 16)).toBe(`${day}T15:00`);
  });

  test('no earlier than thirty days after an email that leaves an hour late', () => {
    const billed = { anchor: at('2027-01-31T15:00'), until: at('2027-01-31T15:00') };
    const [now, late] = [at('2027-01-01T14:00'), at('2027-01-01T14:00') + 1_000];
    expect(firstRenewal(billed, earliestCharge(now, 0, true))).toBe(at('2027-01-31T15:00'));
    expect(firstRenewal(billed, earliestCharge(late, 0, true))).toBe(at('2027-02-28T15:00'));
    expect(firstRenewal(billed, earliestCharge(late, 0, false))).toBe(at('2027-01-31T15:00'));
  });

  test.each([
    ['a rise', true, '2027-01-01T15:00'],
    ['a lower price', false, '2027-01-31T14:00'],
  ])('on the day that was named for %s, until its email is too late', (_what, raised, last) => {
    const day = at('2027-01-31T15:00');
    expect(isEarlyEnough(day, at(last), raised)).toBe(true);
    expect(isEarlyEnough(day, at(last) + 1_000, raised)).toBe(false);
  });

  test('no earlier than the day of the price, and never in a month that is paid', () => {
    const billed = { anchor: at('2027-01-10T15:00'), until: at('2027-06-10T15:00') };
    const now = at('2027-05-20T15:00');
    expect(firstRenewal(billed, earliestCharge(now, at('2027-08-01T04:00'), false))).toBe(
      at('2027-08-10T15:00'),
    );
    expect(firstRenewal(billed, earliestCharge(now, 0, false))).toBe(billed.until);
  });
});
