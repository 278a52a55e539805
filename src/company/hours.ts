/** The support desk's hours: as text, whether it is open, when it opens next. Also formats times in the company's zone. */
import type { DayRange } from '../platform/list-query.ts';
import { DAY_MS, isoTime } from '../platform/time.ts';
import { type Company, WEEKDAYS } from './company.ts';

type Hours = Company['hours'];

/** The open days and then the closed ones: { days: 'Monday through Friday', times: '8:30 AM to 5:30 PM ET' }, … */
export function hoursLines({
  days,
  opens,
  closes,
  zone,
}: Hours): { days: string; times: string }[] {
  const closed = WEEKDAYS.filter((day) => !days.includes(day));
  const open = WEEKDAYS.filter((day) => days.includes(day));
  const times = `${formatTime(opens)} to ${formatTime(closes)} ${zone}`;
  return [
    { days: dayRange(open), times },
    ...(closed.length > 0 ? [{ days: dayRange(closed), times: 'Closed' }] : []),
  ];
}

/** 'Monday through Friday, 8:30 AM to 5:30 PM ET'. */
export function openingHours(hours: Hours): string {
  const [open] = hoursLines(hours);
  return open ? `${open.days}, ${open.times}` : '';
}

/** For a page, where a line must not break inside a time. */
export function unbrokenHours(hours: Hours): string {
  return keepTimesTogether(openingHours(hours));
}

/** Puts no-break spaces around AM and PM. */
export function keepTimesTogether(text: string): string {
  return text.replace(/ (?=[AP]M)|(?<=[AP]M) (?=[A-Z])/g, '\u00a0');
}

/** Three or more days in a row are a range; anything else is a list. */
function dayRange(days: Hours['days']): string {
  const [first] = days;
  const last = days.at(-1);
  if (!first || !last) return '';
  const consecutive = WEEKDAYS.indexOf(last) - WEEKDAYS.indexOf(first) === days.length - 1;
  if (consecutive && days.length > 2) return `${first} through ${last}`;
  return new Intl.ListFormat('en-US', { type: 'conjunction' }).format(days);
}

/** '17:30' → '5:30 PM'. */
export function formatTime(time: string): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return `${hour % 12 || 12}:${String(minute).padStart(2, '0')} ${hour < 12 ? 'AM' : 'PM'}`;
}

/** `at` is in milliseconds since 1970. Open at the opening minute, closed at the closing minute. */
export function isOpen(hours: Hours, at: number): boolean {
  const { weekday, time } = wallClock(hours.timeZone, at);
  return hours.days.some((day) => day === weekday) && time >= hours.opens && time < hours.closes;
}

/** 'Open now, until 5:30 PM ET' or 'Opens Monday 8:30 AM ET'. 'today' is a day in the company's time zone. */
export function openNow(hours: Hours, at: number): string {
  const { opens, closes, zone } = hours;
  if (isOpen(hours, at)) return `Open now, until ${formatTime(closes)} ${zone}`;
  const { daysAway, weekday } = nextOpening(hours, at);
  return `Opens ${daysAway === 0 ? 'today' : weekday} ${formatTime(opens)} ${zone}`;
}

/** The next day on which the desk opens, in the company's time zone: { daysAway: 3, date: '2026-11-23', weekday: 'Monday' }. */
export function nextOpening({ days, opens, timeZone }: Hours, at: number) {
  const today = wallClock(timeZone, at);
  // Count from noon UTC of the date: in the company's zone, a day on which the clocks change does not have 24 hours.
  const noon = Date.parse(`${today.date}T12:00Z`);
  let daysAway = today.time < opens ? 0 : 1;
  for (;;) {
    const { date, weekday } = wallClock('UTC', noon + daysAway * DAY_MS);
    if (days.some((day) => day === weekday)) return { daysAway, date, weekday };
    daysAway += 1;
  }
}

/** The local date and time: { date: '2026-03-08', weekday: 'Sunday', time: '08:30' }. */
function wallClock(timeZone: string, at: number): { date: string; weekday: string; time: string } {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'long',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(at);
  const part = (type: string) => parts.find((part) => part.type === type)?.value ?? '';
  return {
    date: `${part('year')}-${part('month')}-${part('day')}`,
    weekday: part('weekday'),
    time: `${part('hour')}:${part('minute')}`,
  };
}

/** The day at the company, which is the day in every mail, file and filter: '2026-11-20'. */
export function localDate({ hours }: Company, at: number): string {
  return wallClock(hours.timeZone, at).date;
}

/** From the first millisecond of the first day at the company to the last one of the last day; undefined without limits. */
export function timesOf(company: Company, { from, to }: DayRange): Times | undefined {
  if (!from && !to) return undefined;
  const startOf = (day: number) => {
    const offset = localIsoTime(company)(day).slice('yyyy-mm-ddThh:mm:ss'.length);
    return Date.parse(`${isoTime(day).slice(0, 'yyyy-mm-dd'.length)}T00:00:00${offset}`);
  };
  return {
    from: from ? startOf(Date.parse(from)) : 0,
    to: to ? startOf(Date.parse(to) + DAY_MS) - 1 : Number.MAX_SAFE_INTEGER,
  };
}

export interface Times {
  from: number;
  to: number;
}

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
