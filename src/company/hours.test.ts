import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Company } from './company.ts';
import { companySchema, zoneName } from './company-content.server.ts';
import { hoursLines, isOpen, nextOpening, openingHours, openNow } from './hours.ts';

describe('opening hours in words', () => {
  test('a working week is a range, the weekend is closed, the time zone is named', () => {
    const hours = {
      days: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'] as const,
      opens: '08:30',
      closes: '17:30',
      zone: zoneName('America/New_York'),
    };
    expect(hoursLines({ ...hours, days: [...hours.days] })).toEqual([
      { days: 'Monday through Friday', times: '8:30 AM to 5:30 PM ET' },
      { days: 'Saturday and Sunday', times: 'Closed' },
    ]);
    expect(openingHours({ ...hours, days: [...hours.days] })).toBe(
      'Monday through Friday, 8:30 AM to 5:30 PM ET',
    );
  });

  test('days with gaps are listed in the order of the week, noon and midnight are 12', () => {
    expect(
      hoursLines({
        days: ['Friday', 'Monday', 'Wednesday'],
        opens: '00:00',
        closes: '12:05',
        zone: zoneName('America/Chicago'),
      })[0],
    ).toEqual({ days: 'Monday, Wednesday, and Friday', times: '12:00 AM to 12:05 PM CT' });
  });

  test('open every day leaves no closed line', () => {
    const days = [
      'Monday',
      'Tuesday',
      'Wednesday',
      'Thursday',
      'Friday',
      'Saturday',
      'Sunday',
    ] as const;
    const lines = hoursLines({
      days: [...days],
      opens: '07:00',
      closes: '19:00',
      zone: zoneName('America/Denver'),
    });
    expect(lines).toEqual([{ days: 'Monday through Sunday', times: '7:00 AM to 7:00 PM MT' }]);
  });
});

test('a time zone that is none is refused where the company is read', () => {
  const company = JSON.parse(readFileSync('content/company.json', 'utf8'));
  expect(companySchema.safeParse(company)).toMatchObject({ data: { hours: { zone: 'ET' } } });
  company.hours.timeZone = 'America/Nowhere';
  expect(companySchema.safeParse(company).error?.issues).toMatchObject([
    { path: ['hours', 'timeZone'], message: 'is no time zone, such as America/New_York' },
  ]);
});

const HOURS = {
  days: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'] as Company['hours']['days'],
  opens: '08:30',
  closes: '17:30',
  timeZone: 'America/New_York',
};
const at = (text: string) => Date.parse(text);

describe('the desk', () => {
  test.each([
    ['Friday 8:29 in winter', '2026-11-20T08:29:59-05:00', false],
    ['Friday 8:30 in winter', '2026-11-20T08:30:00-05:00', true],
    ['Friday 17:29', '2026-11-20T17:29:59-05:00', true],
    ['Friday 17:30', '2026-11-20T17:30:00-05:00', false],
    ['Saturday noon', '2026-11-21T12:00:00-05:00', false],
    ['Monday 8:30 in summer', '2026-07-06T08:30:00-04:00', true],
    ['Monday 8:29 in summer', '2026-07-06T08:29:00-04:00', false],
    ['the Monday after the clocks went forward', '2026-03-09T12:30:00Z', true],
    ['the Monday after the clocks went back, an hour before', '2026-11-02T12:30:00Z', false],
    ['the Monday after the clocks went back', '2026-11-02T13:30:00Z', true],
    ['midnight between two working days', '2026-11-19T00:00:00-05:00', false],
  ])('%s: open is %s %s', (_name, moment, open) => {
    expect(isOpen(HOURS, at(moment))).toBe(open);
  });

  test.each([
    ['before opening', '2026-11-20T06:00:00-05:00', '2026-11-20T08:30:00-05:00'],
    ['just then', '2026-11-20T08:30:00-05:00', '2026-11-20T08:30:00-05:00'],
    ['Friday evening', '2026-11-20T18:00:00-05:00', '2026-11-23T08:30:00-05:00'],
    [
      'the weekend on which the clocks go forward',
      '2026-03-07T23:30:00-05:00',
      '2026-03-09T08:30:00-04:00',
    ],
    [
      'the weekend on which the clocks go back',
      '2026-10-31T23:30:00-04:00',
      '2026-11-02T08:30:00-05:00',
    ],
    [
      'a Friday evening in UTC that is afternoon here',
      '2026-11-20T22:31:00Z',
      '2026-11-23T13:30:00Z',
    ],
  ])('opens next, asked %s', (_name, moment, opening) => {
    expect(new Date(nextOpening(HOURS, at(moment))).toISOString()).toBe(
      new Date(opening).toISOString(),
    );
  });

  test('a desk that opens at midnight', () => {
    const early = { ...HOURS, opens: '00:00' };
    expect(isOpen(early, at('2026-11-20T00:00:00-05:00'))).toBe(true);
    expect(isOpen(early, at('2026-11-21T00:00:00-05:00'))).toBe(false);
    expect(nextOpening(early, at('2026-11-20T18:00:00-05:00'))).toBe(
      at('2026-11-23T00:00:00-05:00'),
    );
  });

  test('one day a week is a week away once it is over', () => {
    const mondays = { ...HOURS, days: ['Monday' as const] };
    expect(nextOpening(mondays, at('2026-11-23T09:00:00-05:00'))).toBe(
      at('2026-11-30T08:30:00-05:00'),
    );
  });

  test('the day of which the clocks steal an hour is not skipped', () => {
    const sundays = { ...HOURS, days: ['Sunday' as const] };
    expect(nextOpening(sundays, at('2026-03-07T23:30:00-05:00'))).toBe(
      at('2026-03-08T08:30:00-04:00'),
    );
  });

  test('an opening in the hour that is skipped or repeated', () => {
    const sundays = { ...HOURS, days: ['Sunday' as const], opens: '01:30' };
    expect(nextOpening(sundays, at('2026-10-31T12:00:00-04:00'))).toBe(
      at('2026-11-01T01:30:00-04:00'),
    );
  });
});

describe('whether the desk is open', () => {
  const hours = { ...HOURS, zone: 'ET' };
  test.each([
    ['while open', '2026-11-20T08:30:00-05:00', 'Open now, until 5:30 PM ET'],
    ['in the last minute', '2026-11-20T17:29:59-05:00', 'Open now, until 5:30 PM ET'],
    ['at closing on a Friday', '2026-11-20T17:30:00-05:00', 'Opens Monday 8:30 AM ET'],
    ['on a Sunday', '2026-11-22T23:59:00-05:00', 'Opens Monday 8:30 AM ET'],
    ['early on the day itself', '2026-11-23T00:00:00-05:00', 'Opens today 8:30 AM ET'],
    ['in the evening', '2026-11-23T20:00:00-05:00', 'Opens Tuesday 8:30 AM ET'],
    // In Georgia it is still the evening before.
    ['early in UTC', '2026-11-24T03:00:00Z', 'Opens Tuesday 8:30 AM ET'],
  ])('is said %s', (_name, moment, words) => {
    expect(openNow(hours, at(moment))).toBe(words);
  });

  test('a week ahead it is named by its day, and not as today', () => {
    const mondays = { ...hours, days: ['Monday' as const] };
    expect(openNow(mondays, at('2026-11-23T18:00:00-05:00'))).toBe('Opens Monday 8:30 AM ET');
  });
});
