/** The support desk's hours, whether it is open and when it opens. */
import { DAY_MS, WEEKDAYS } from '../platform/time.ts';
import type { Company } from './company.ts';

type Hours = Company['hours'];

/** Open days, then closed ones: { days: 'Monday through Friday', times: '8:30 AM to …' }, … */
export function hoursLines({ openDays, closedDays, opens, closes, zone }: Hours) {
  const times = `${formatTime(opens)} to ${formatTime(closes)} ${zone}`;
  return [
    { days: openDays, times },
    ...(closedDays ? [{ days: closedDays, times: 'Closed' }] : []),
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

export function keepTimesTogether(text: string): string {
  return text.replace(/ (?=[AP]M)|(?<=[AP]M) (?=[A-Z])/g, '\u00a0');
}

/** '17:30' → '5:30 PM'. */
function formatTime(time: string): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return `${hour % 12 || 12}:${String(minute).padStart(2, '0')} ${hour < 12 ? 'AM' : 'PM'}`;
}

/** The closing time, '5:30 PM ET', while the desk is open. `at` is in milliseconds since 1970. */
export function openUntil(hours: Hours, at: number): string | undefined {
  const today = wallClock(hours.timeZone, at);
  const open = hoursOn(hours, today);
  return open && today.time >= open.opens && today.time < open.closes
    ? `${formatTime(open.closes)} ${hours.zone}`
    : undefined;
}

/** The hours of one day: its closure's, or the usual ones; undefined when the desk is closed. */
function hoursOn(hours: Hours, { date, weekday }: Day) {
  const closure = closureOn(hours, date);
  if (closure) return closure.hours;
  return hours.days.some((day) => day === weekday) ? hours : undefined;
}

function closureOn({ closures }: Hours, date: string) {
  return closures.find((closure) => closure.date === date);
}

/** 'Open now, until 5:30 PM ET' or 'Opens Monday at 8:30 AM ET'. 'today': of the company. */
export function openNow(hours: Hours, at: number): string {
  const until = openUntil(hours, at);
  if (until) return `Open now, until ${until}`;
  const opening = nextOpening(hours, at);
  const closure = closureOn(hours, wallClock(hours.timeZone, at).date);
  if (opening.daysAway === 0) return `Opens today at ${opening.time}`;
  const opens = `${opening.day} at ${opening.time}`;
  return closure ? `Closed for ${closure.name}, opens ${opens}` : `Opens ${opens}`;
}

/** When the desk opens next. From a week on, `day` has its date: 'Monday, January 4,'. */
export function nextOpening(hours: Hours, at: number) {
  const today = wallClock(hours.timeZone, at);
  const midnight = Date.parse(today.date);
  for (let daysAway = 0; ; daysAway += 1) {
    const day = new Date(midnight + daysAway * DAY_MS);
    const date = day.toISOString().slice(0, 'yyyy-mm-dd'.length);
    // Sunday, 0 in UTC, is the last of our days.
    const weekday = WEEKDAYS.at(day.getUTCDay() - 1) ?? '';
    const open = hoursOn(hours, { date, weekday });
    if (!open || (daysAway === 0 && today.time >= open.opens)) continue;
    return {
      daysAway,
      date,
      day: daysAway < 7 ? weekday : `${longDay(date)},`,
      time: `${formatTime(open.opens)} ${hours.zone}`,
    };
  }
}

/** '2027-01-04' → 'Monday, January 4'. */
export function longDay(date: string): string {
  return new Intl.DateTimeFormat('en-US', {
    timeZone: 'UTC',
    weekday: 'long',
    month: 'long',
    day: 'numeric',
  }).format(new Date(date));
}

interface Day {
  /** '2026-03-08' */
  date: string;
  weekday: string;
}

/** By their time zones: to make one takes a phone milliseconds. */
const CLOCKS = new Map<string, Intl.DateTimeFormat>();

/** The local date and time: { date: '2026-03-08', weekday: 'Sunday', time: '08:30' }. */
export function wallClock(timeZone: string, at: number): Day & { time: string } {
  const clock = CLOCKS.get(timeZone) ?? newClock(timeZone);
  CLOCKS.set(timeZone, clock);
  const parts = clock.formatToParts(at);
  const part = (type: string) => parts.find((part) => part.type === type)?.value ?? '';
  return {
    date: `${part('year')}-${part('month')}-${part('day')}`,
    weekday: part('weekday'),
    time: `${part('hour')}:${part('minute')}`,
  };
}

function newClock(timeZone: string) {
  return new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'long',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
}
