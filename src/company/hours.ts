/** When the support desk answers: in words, at a moment, and next; and times on the company's clock, as mails write them. */
import { DAY_MS } from '../platform/time.ts';
import { type Company, WEEKDAYS } from './company.ts';

type Hours = Company['hours'];

/** The open days with their times, then the days without: 'Monday through Friday' and '8:30 AM to 5:30 PM ET', … */
export function hoursLines({
  days,
  opens,
  closes,
  zone,
}: Hours): { days: string; times: string }[] {
  const closed = WEEKDAYS.filter((day) => !days.includes(day));
  const open = WEEKDAYS.filter((day) => days.includes(day));
  const times = `${clock(opens)} to ${clock(closes)} ${zone}`;
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

/** The same for a line of a page, which must not break between a time and its AM or PM. */
export function unbrokenHours(hours: Hours): string {
  return unbroken(openingHours(hours));
}

export function unbroken(words: string): string {
  return words.replace(/ (?=[AP]M)|(?<=[AP]M) (?=[A-Z])/g, '\u00a0');
}

type Weekday = (typeof WEEKDAYS)[number];

/** Three days or more in a row are a range; anything else is listed. */
function dayRange(days: readonly Weekday[]): string {
  const [first] = days;
  const last = days.at(-1);
  if (!first || !last) return '';
  const unbroken = WEEKDAYS.indexOf(last) - WEEKDAYS.indexOf(first) === days.length - 1;
  if (unbroken && days.length > 2) return `${first} through ${last}`;
  return new Intl.ListFormat('en-US', { type: 'conjunction' }).format(days);
}

/** '17:30' → '5:30 PM'. */
export function clock(time: string): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return `${hour % 12 || 12}:${String(minute).padStart(2, '0')} ${hour < 12 ? 'AM' : 'PM'}`;
}

/** `at` in milliseconds since 1970. The opening minute is inside, the closing minute outside. */
export function isOpen(hours: Hours, at: number): boolean {
  const { weekday, time } = wallClock(hours.timeZone, at);
  return hours.days.some((day) => day === weekday) && time >= hours.opens && time < hours.closes;
}

/** 'Open now, until 5:30 PM ET', or 'Opens Monday 8:30 AM ET'; the day is the company's, 'today' where it is the same. */
export function openNow(hours: Hours, at: number): string {
  const { opens, closes, zone } = hours;
  if (isOpen(hours, at)) return `Open now, until ${clock(closes)} ${zone}`;
  const { daysAway, weekday } = nextOpening(hours, at);
  return `Opens ${daysAway === 0 ? 'today' : weekday} ${clock(opens)} ${zone}`;
}

/** The day on which the desk opens next, on the company's calendar: how many days away, such as '2026-11-23', 'Monday'. */
export function nextOpening({ days, opens, timeZone }: Hours, at: number) {
  const today = wallClock(timeZone, at);
  // Days are counted on the calendar: a day on which the clocks change does not have 24 hours.
  const noon = Date.parse(`${today.date}T12:00Z`);
  let daysAway = today.time < opens ? 0 : 1;
  for (;;) {
    const { date, weekday } = wallClock('UTC', noon + daysAway * DAY_MS);
    if (days.some((day) => day === weekday)) return { daysAway, date, weekday };
    daysAway += 1;
  }
}

/** What a clock on the wall shows: '2026-03-08', 'Sunday', '08:30'. */
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
  const part = (type: string) => parts.find((each) => each.type === type)?.value ?? '';
  return {
    date: `${part('year')}-${part('month')}-${part('day')}`,
    weekday: part('weekday'),
    time: `${part('hour')}:${part('minute')}`,
  };
}

/** 'Friday, November 20, 2026 at 12:05 AM EST'. */
export function momentIn({ hours }: Company, at: number): string {
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
export function dayIn({ hours }: Company, at: number): string {
  return new Intl.DateTimeFormat('en-US', {
    timeZone: hours.timeZone,
    dateStyle: 'long',
  }).format(at);
}
