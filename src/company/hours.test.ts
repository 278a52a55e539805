import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { companySchema } from './company.ts';
import { dayAfter, endOfDay, localDate, periodInWords, timesOf } from './days.ts';
import { hoursLines, nextOpening, openingHours, openNow } from './hours.ts';

const shipped = JSON.parse(readFileSync('content/company.json', 'utf8'));
const { hours: HOURS } = companySchema().parse(shipped);
const { hours: OREGON } = companySchema().parse(
  JSON.parse(readFileSync('tests/another-company/company.json', 'utf8')),
);
const at = (text: string) => Date.parse(text);

describe('the opening hours', () => {
  test('are a range of days and the closed days, with the time zone', () => {
    expect(hoursLines(HOURS)).toEqual([
      { days: 'Monday through Friday', times: '8:30 AM to 5:30 PM ET' },
      { days: 'Saturday and Sunday', times: 'Closed' },
    ]);
    expect(openingHours(HOURS)).toBe('Monday through Friday, 8:30 AM to 5:30 PM ET');
  });

  test('list days that are not consecutive in the order of the week, and write noon and midnight as 12', () => {
    const days = ['Friday', 'Monday', 'Wednesday'];
    const own = { days, opens: '00:00', closes: '12:05', timeZone: 'America/Chicago' };
    const { hours } = companySchema().parse({ ...shipped, hours: { ...shipped.hours, ...own } });
    const line = { days: 'Monday, Wednesday, and Friday', times: '12:00 AM to 12:05 PM CT' };
    expect(hoursLines(hours)[0]).toEqual(line);
  });

  test('are refused with an unknown time zone', () => {
    const company = { ...shipped, hours: { ...shipped.hours, timeZone: 'America/Nowhere' } };
    expect(companySchema().safeParse(company).error?.issues).toMatchObject([
      { path: ['hours', 'timeZone'], message: 'is no time zone, such as America/New_York' },
    ]);
  });
});

describe('a range of days', () => {
  const company = companySchema().parse(shipped);
  test.each([
    ['2026-11-20', '2026-11-20', '2026-11-20T00:00:00-05:00', '2026-11-21T00:00:00-05:00'],
    // The clocks change on these days.
    ['2026-03-08', '2026-03-08', '2026-03-08T00:00:00-05:00', '2026-03-09T00:00:00-04:00'],
    ['2026-11-01', '2026-11-02', '2026-11-01T00:00:00-04:00', '2026-11-03T00:00:00-05:00'],
  ])('from %s to %s begins and ends at midnight at the company', (from, to, begins, ends) => {
    expect(timesOf(company, { from, to })).toEqual({ from: at(begins), to: at(ends) - 1 });
  });

  test.each([
    ['2026-10-31T23:30:00-04:00', 20, '2026-11-20'],
    ['2026-11-01T00:30:00-04:00', 20, '2026-11-21'],
    ['2026-03-07T23:30:00-05:00', 30, '2026-04-06'],
    ['2028-01-31T09:00:00-05:00', 29, '2028-02-29'],
  ])('ends so many days of the company after %s, whatever the clocks do', (from, days, day) => {
    expect(dayAfter(company, at(from), days)).toBe(day);
    expect(localDate(company, endOfDay(company, day))).toBe(day);
    expect(localDate(company, endOfDay(company, day) + 1)).toBe(
      dayAfter(company, at(from), days + 1),
    );
  });

  test('is the last of a paid month if the next month begins on the day after', () => {
    const [start, end] = [at('2026-11-27T14:00:00-05:00'), at('2026-12-27T14:00:00-05:00')];
    const period = 'November 27 through December 26, 2026';
    expect(periodInWords(company, start, end)).toBe(period);
  });

  test.each(['2026-10-04', '2027-04-04'])('begins and ends at midnight in Sydney on %s', (day) => {
    const sydney = { ...company, hours: { ...company.hours, timeZone: 'Australia/Sydney' } };
    const times = timesOf(sydney, { from: day, to: day });
    expect(localDate(sydney, times?.from ?? 0)).toBe(day);
    expect(localDate(sydney, (times?.from ?? 0) - 1)).not.toBe(day);
    expect(localDate(sydney, times?.to ?? 0)).toBe(day);
    expect(localDate(sydney, (times?.to ?? 0) + 1)).not.toBe(day);
  });

  test('has no limit where none is given', () => {
    expect(timesOf(company, { from: '', to: '' })).toBeUndefined();
    const open = timesOf(company, { from: '2026-11-20', to: '' });
    expect(open?.to).toBeGreaterThan(at('2099-01-01T00:00:00Z'));
  });
});

describe('the support desk', () => {
  const OPEN = 'Open now, until 5:30 PM ET';
  test.each([
    ['a minute before it opens', '2026-11-20T08:29:59-05:00', 'Opens today at 8:30 AM ET'],
    ['when it opens', '2026-11-20T08:30:00-05:00', OPEN],
    ['in its last minute', '2026-11-20T17:29:59-05:00', OPEN],
    ['when it closes on a Friday', '2026-11-20T17:30:00-05:00', 'Opens Monday at 8:30 AM ET'],
    ['on a Saturday', '2026-11-21T12:00:00-05:00', 'Opens Monday at 8:30 AM ET'],
    ['after the clocks went forward', '2026-03-09T12:30:00Z', OPEN],
    ['after the clocks went back', '2026-11-02T12:30:00Z', 'Opens today at 8:30 AM ET'],
    ['the night they go forward', '2026-03-07T23:30:00-05:00', 'Opens Monday at 8:30 AM ET'],
    ['the night they go back', '2026-10-31T23:30:00-04:00', 'Opens Monday at 8:30 AM ET'],
    // In Georgia it is still the evening before.
    ['early in UTC', '2026-11-24T03:00:00Z', 'Opens Tuesday at 8:30 AM ET'],
  ])('says whether it is open %s', (_name, moment, words) => {
    expect(openNow(HOURS, at(moment))).toBe(words);
  });

  test('that opens on Mondays only opens on the next one', () => {
    const mondays = { ...HOURS, days: ['Monday' as const] };
    const monday = 'Opens Monday, November 30, at 8:30 AM ET';
    expect(openNow(mondays, at('2026-11-23T18:00:00-05:00'))).toBe(monday);
  });

  test.each([
    ['the evening before', '2026-11-25T17:30:00-05:00', 'Opens Friday at 8:30 AM ET'],
    // In UTC it is Thanksgiving already.
    ['the afternoon before', '2026-11-25T17:29:00-05:00', OPEN],
    [
      'in its morning',
      '2026-11-26T06:00:00-05:00',
      'Closed for Thanksgiving Day, opens Friday at 8:30 AM ET',
    ],
    [
      'until its last minute',
      '2026-11-27T04:59:59Z',
      'Closed for Thanksgiving Day, opens Friday at 8:30 AM ET',
    ],
    ['in the night after', '2026-11-27T05:00:00Z', 'Opens today at 8:30 AM ET'],
    ['the day after', '2026-11-27T12:00:00-05:00', OPEN],
    ['before one on a Friday', '2026-12-24T18:00:00-05:00', 'Opens Monday at 8:30 AM ET'],
    ['before one on a Monday', '2027-01-15T18:00:00-05:00', 'Opens Tuesday at 8:30 AM ET'],
    ['at the end of the year', '2026-12-31T18:00:00-05:00', 'Opens Monday at 8:30 AM ET'],
    [
      'on its first day',
      '2027-01-01T10:00:00-05:00',
      'Closed for New Year’s Day, opens Monday at 8:30 AM ET',
    ],
  ])('follows a closure: %s', (_name, moment, words) => {
    expect(openNow(HOURS, at(moment))).toBe(words);
  });

  test.each([
    ['before it', '2026-12-24T08:59:00-08:00', 'Opens today at 9:00 AM PT'],
    ['within it', '2026-12-24T11:59:00-08:00', 'Open now, until 12:00 PM PT'],
    [
      'after it',
      '2026-12-24T12:00:00-08:00',
      'Closed for Christmas Eve, opens Friday at 9:00 AM PT',
    ],
    // In Georgia it is afternoon, in UTC evening.
    ['in the zone of Oregon', '2026-12-24T19:30:00Z', 'Open now, until 12:00 PM PT'],
  ])('is open half a day, %s', (_name, moment, words) => {
    expect(openNow(OREGON, at(moment))).toBe(words);
  });

  test('opens on a Saturday that has hours of its own', () => {
    const closures = [
      { date: '2026-11-28', name: 'Moving day', hours: { opens: '10:00', closes: '14:00' } },
    ];
    const hours = { ...HOURS, closures };
    const friday = '2026-11-27T18:00:00-05:00';
    expect(openNow(hours, at(friday))).toBe('Opens Saturday at 10:00 AM ET');
    expect(openNow(hours, at('2026-11-28T11:00:00-05:00'))).toBe('Open now, until 2:00 PM ET');
  });

  test('that is closed for more than a week names the date on which it opens', () => {
    const days = ['2026-12-28', '2026-12-29', '2026-12-30', '2026-12-31'];
    const closures = [...HOURS.closures, ...days.map((date) => ({ date, name: 'Winter break' }))];
    const opening = nextOpening({ ...HOURS, closures }, at('2026-12-24T18:00:00-05:00'));
    expect(opening).toMatchObject({ date: '2027-01-04', day: 'Monday, January 4,' });
  });
});
