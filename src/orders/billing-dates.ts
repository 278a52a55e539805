/** The same time of the day so many months later; where the month is too short, on its last day. In UTC. */
export function monthsLater(start: Date, months: number): Date {
  const later = new Date(start);
  later.setUTCDate(1);
  later.setUTCMonth(later.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(later.getUTCFullYear(), later.getUTCMonth() + 1, 0));
  later.setUTCDate(Math.min(start.getUTCDate(), lastDay.getUTCDate()));
  return later;
}
