import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { companySchema, zoneName } from './company-content.server.ts';
import { hoursLines, openingHours } from './hours.ts';

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
