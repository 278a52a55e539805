export const WEEKDAYS = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const;

export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** The start of its day (UTC), in milliseconds. */
export function startOfUtcDay(at: number): number {
  return at - (at % DAY_MS);
}

/** A time in milliseconds, as JSON has it. */
export function isoTime(time: number): string {
  return new Date(time).toISOString();
}

export function isoTimeOrNull(time: number | null): string | null {
  return time === null ? null : isoTime(time);
}

/** Made when first used, and once: a page has many dates. */
let longDate: Intl.DateTimeFormat | undefined;

/** '2025-05-01' → 'May 1, 2025'. */
export function formatDate(date: string): string {
  longDate ??= new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });
  return longDate.format(new Date(date));
}

/** The same time of day `months` later in UTC, on the last day of the month if it is too short. */
export function monthsLater(start: Date, months: number): Date {
  const later = new Date(start);
  later.setUTCDate(1);
  later.setUTCMonth(later.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(later.getUTCFullYear(), later.getUTCMonth() + 1, 0));
  later.setUTCDate(Math.min(start.getUTCDate(), lastDay.getUTCDate()));
  return later;
}
