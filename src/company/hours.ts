/** When the support desk answers, in the words of the page. */
import { type Company, WEEKDAYS } from './company.ts';

type Hours = Omit<Company['hours'], 'timeZone'>;

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
