/** Days and times at the company, in its time zone. */
import type { DayRange } from '../platform/list-query.ts';
import { DAY_MS, formatDate, isoTime } from '../platform/time.ts';
import type { Company } from './company.ts';
import { wallClock } from './hours.ts';

/** The day at the company, which is the day in every mail, file and filter: '2026-11-20'. */
export function localDate({ hours }: Company, at: number): string {
  return wallClock(hours.timeZone, at).date;
}

/** Today at the company, for what every request asks: formatted once a minute. */
export function todayOf(company: Company): () => string {
  let minute = 0;
  let day = '';
  return () => {
    const now = Math.floor(Date.now() / 60_000);
    if (now !== minute) day = localDate(company, Date.now());
    minute = now;
    return day;
  };
}

/** From the first day's first millisecond to the last day's last; undefined without limits. */
export function timesOf(company: Company, { from, to }: DayRange): Times | undefined {
  if (!from && !to) return undefined;
  const startOf = (day: number) => {
    const startAsAt = (time: number) => {
      const offset = localIsoTime(company)(time).slice('yyyy-mm-ddThh:mm:ss'.length);
      return Date.parse(`${isoTime(day).slice(0, 'yyyy-mm-dd'.length)}T00:00:00${offset}`);
    };
    // East of Greenwich, the clocks may have changed by midnight UTC.
    return startAsAt(startAsAt(day));
  };
  return {
    from: from ? startOf(Date.parse(from)) : 0,
    to: to ? startOf(Date.parse(to) + DAY_MS) - 1 : Number.MAX_SAFE_INTEGER,
  };
}

/** The day at the company so many days after this moment: a day need not have 24 hours. */
export function dayAfter(company: Company, at: number, days: number): string {
  const later = Date.parse(localDate(company, at)) + days * DAY_MS;
  return isoTime(later).slice(0, 'yyyy-mm-dd'.length);
}

/** The first millisecond of a day at the company. */
export function startOfDay(company: Company, day: string): number {
  return timesOf(company, { from: day, to: day })?.from ?? 0;
}

/** What months are counted from, in UTC: from midnight, they would begin a day early in winter. */
export function noonOf(company: Company, day: string): number {
  return startOfDay(company, day) + DAY_MS / 2;
}

/** The last millisecond of a day at the company. */
export function endOfDay(company: Company, day: string): number {
  return timesOf(company, { from: day, to: day })?.to ?? 0;
}

export interface Times {
  from: number;
  to: number;
}
export const ALL_TIMES: Times = { from: 0, to: Number.MAX_SAFE_INTEGER };

/** Formats times as '2026-11-20T00:05:00-05:00', with the company's day and clock. */
export function localIsoTime({ hours: { timeZone } }: Company): (at: number) => string {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  return (at) => {
    const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value;
    const offset = name?.slice('GMT'.length) || '+00:00';
    const local = 2 * at - Date.parse(`${isoTime(at).slice(0, -1)}${offset}`);
    return `${isoTime(local).slice(0, 'yyyy-mm-ddThh:mm:ss'.length)}${offset}`;
  };
}

/** 'Friday, November 20, 2026 at 12:05 AM EST'. */
export function formatDateTime({ hours }: Company, at: number): string {
  return new Intl.DateTimeFormat('en-US', {
    timeZone: hours.timeZone,
    weekday: 'long',
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(at);
}

/** 'November 20, 2026'. */
export function formatDay({ hours }: Company, at: number): string {
  return new Intl.DateTimeFormat('en-US', {
    timeZone: hours.timeZone,
    dateStyle: 'long',
  }).format(at);
}

/** 'November 20'. */
export function dayOfYear(company: Company, at: number): string {
  return formatDay(company, at).replace(/, \d{4}$/, '');
}

/** 'November 27 through December 26, 2026': the next month begins on the day after. */
export function periodInWords(company: Company, start: number, end: number): string {
  const lastDay = dayAfter(company, Math.max(end, start + DAY_MS), -1);
  const last = formatDate(lastDay);
  const year = last.slice(-6);
  return `${formatDay(company, start).replace(year, '')} through ${last}`;
}
