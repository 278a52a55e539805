/** Whether the desk is open at a moment, and when it opens next, on the clock of the company's own time zone. */
import { type Company, WEEKDAYS } from './company.ts';
import { clock } from './hours.ts';

type Hours = Omit<Company['hours'], 'zone'>;

const DAY_MS = 24 * 60 * 60 * 1000;

/** `at` in milliseconds since 1970. The opening minute is inside, the closing minute outside. */
export function isOpen(hours: Hours, at: number): boolean {
  const { weekday, time } = wallClock(hours.timeZone, at);
  return hours.days.some((day) => day === weekday) && time >= hours.opens && time < hours.closes;
}

/** 'Open now, until 5:30 PM ET', or 'Opens Monday 8:30 AM ET'; the day is the company's, 'today' where it is the same. */
export function openNow(hours: Company['hours'], at: number): string {
  const { timeZone, opens, closes, zone } = hours;
  if (isOpen(hours, at)) return `Open now, until ${clock(closes)} ${zone}`;
  const opening = wallClock(timeZone, nextOpening(hours, at));
  const today = opening.date === wallClock(timeZone, at).date;
  return `Opens ${today ? 'today' : opening.weekday} ${clock(opens)} ${zone}`;
}

/** The next moment at which the desk opens, in milliseconds since 1970; `at` itself when it opens just then. */
export function nextOpening(hours: Hours, at: number): number {
  // Days are counted on the calendar: a day on which the clocks change does not have 24 hours.
  const today = Date.parse(`${wallClock(hours.timeZone, at).date}T12:00Z`);
  // Today comes again at the end: its opening may be over for this week.
  for (let ahead = 0; ahead <= WEEKDAYS.length; ahead += 1) {
    const { date, weekday } = wallClock('UTC', today + ahead * DAY_MS);
    if (!hours.days.some((day) => day === weekday)) continue;
    const opening = instant(hours.timeZone, date, hours.opens);
    if (opening >= at) return opening;
  }
  throw new Error('the company is never open');
}

/** What a clock on the wall shows: '2026-03-08', 'Sunday', '08:30'. */
export function wallClock(
  timeZone: string,
  at: number,
): { date: string; weekday: string; time: string } {
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

/** The moment at which the wall clock shows the date and time; of a time that comes twice, the first. */
function instant(timeZone: string, date: string, time: string): number {
  const wanted = Date.parse(`${date}T${time}Z`);
  // The offset before the change and the one after it are both tried: one of them is right.
  const candidates = [wanted - DAY_MS, wanted + DAY_MS].map((near) => {
    const shown = wallClock(timeZone, near);
    return wanted - (Date.parse(`${shown.date}T${shown.time}Z`) - near);
  });
  const right = candidates.filter((each) => wallClock(timeZone, each).time === time);
  return Math.min(...(right.length > 0 ? right : candidates));
}
