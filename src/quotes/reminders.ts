/** When a customer is reminded of a quote: seven days before it ends, and one day before. */
const DAY_MS = 24 * 60 * 60 * 1000;

/** Days before the end, in the order in which they come. */
export const REMINDERS = [7, 1] as const;

/** How many reminders are due by now; `endsAt` and `now` in milliseconds. */
export function remindersDue(endsAt: number, now: number): number {
  return REMINDERS.filter((days) => endsAt - now <= days * DAY_MS).length;
}

/** Those that make no sense for a quote that is made now: it ends as soon as they would come, or a day later. */
export function remindersPast(endsAt: number, now: number): number {
  return remindersDue(endsAt, now + DAY_MS);
}
