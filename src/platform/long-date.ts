const MONTHS =
  'January February March April May June July August September October November December'.split(
    ' ',
  );

/** '2025-05-01' → 'May 1, 2025'; what is no such date stands as it is. */
export function longDate(date: string): string {
  const day = new Date(`${date}T00:00:00Z`);
  const month = MONTHS[day.getUTCMonth()];
  return month ? `${month} ${day.getUTCDate()}, ${day.getUTCFullYear()}` : date;
}
