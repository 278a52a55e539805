import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { companySchema, zoneName } from './company.ts';
import { hoursLines, isOpen, nextOpening, openingHours, openNow } from './hours.ts';

const shipped = JSON.parse(readFileSync('content/company.json', 'utf8'));
const { hours: HOURS } = companySchema().parse(shipped);
const at = (text: string) => Date.parse(text);

describe('opening hours in words', () => {
  test('a working week is a range, the weekend is closed, the time zone is named', () => {
    expect(hoursLines(HOURS)).toEqual([
      { days: 'Monday through Friday', times: '8:30 AM to 5:30 PM ET' },
      { days: 'Saturday and Sunday', times: 'Closed' },
    ]);
    expect(openingHours(HOURS)).toBe('Monday through Friday, 8:30 AM to 5:30 PM ET');
  });

  test('days with gaps are listed in the order of the week, noon and midnight are 12', () => {
    const zone = zoneName('America/Chicago');
    const days = ['Friday', 'Monday', 'Wednesday'] as const;
    const hours = { ...HOURS, days: [...days], opens: '00:00', closes: '12:05', zone };
    const line = { days: 'Monday, Wednesday, and Friday', times: '12:00 AM to 12:05 PM CT' };
    expect(hoursLines(hours)[0]).toEqual(line);
  });

  test('a time zone that is none is refused where the company is read', () => {
    const company = { ...shipped, hours: { ...shipped.hours, timeZone: 'America/Nowhere' } };
    expect(companySchema().safeParse(company).error?.issues).toMatchObject([
      { path: ['hours', 'timeZone'], message: 'is no time zone, such as America/New_York' },
    ]);
  });
});

describe('the desk', () => {
  test.each([
    ['Friday 8:29 in winter', '2026-11-20T08:29:59-05:00', false],
    ['Friday 8:30 in winter', '2026-11-20T08:30:00-05:00', true],
    ['Friday 17:29', '2026-11-20T17:29:59-05:00', true],
    ['Friday 17:30', '2026-11-20T17:30:00-05:00', false],
    ['Saturday noon', '2026-11-21T12:00:00-05:00', false],
    ['the Monday after the clocks went forward', '2026-03-09T12:30:00Z', true],
    ['the Monday after the clocks went back, an hour before', '2026-11-02T12:30:00Z', false],
  ])('%s: open is %s %s', (_name, moment, open) => {
    expect(isOpen(HOURS, at(moment))).toBe(open);
  });

  test.each([
    ['at the opening', '2026-11-20T08:30:00-05:00', { daysAway: 3, weekday: 'Monday' }],
    ['before it', '2026-11-20T08:29:00-05:00', { daysAway: 0, date: '2026-11-20' }],
    ['the night the clocks go forward', '2026-03-07T23:30:00-05:00', { date: '2026-03-09' }],
    ['the night the clocks go back', '2026-10-31T23:30:00-04:00', { date: '2026-11-02' }],
    ['a Friday evening in UTC', '2026-11-20T22:31:00Z', { date: '2026-11-23' }],
  ])('opens next, asked %s', (_name, moment, opening) => {
    expect(nextOpening(HOURS, at(moment))).toMatchObject(opening);
  });
});

test.each([
  ['in the last minute', '2026-11-20T17:29:59-05:00', 'Open now, until 5:30 PM ET'],
  ['at closing on a Friday', '2026-11-20T17:30:00-05:00', 'Opens Monday 8:30 AM ET'],
  ['early on the day itself', '2026-11-23T00:00:00-05:00', 'Opens today 8:30 AM ET'],
  // In Georgia it is still the evening before.
  ['early in UTC', '2026-11-24T03:00:00Z', 'Opens Tuesday 8:30 AM ET'],
])('whether the desk is open is said %s', (_name, moment, words) => {
  expect(openNow(HOURS, at(moment))).toBe(words);
  const mondays = { ...HOURS, days: ['Monday' as const] };
  expect(openNow(mondays, at('2026-11-23T18:00:00-05:00'))).toBe('Opens Monday 8:30 AM ET');
});
