const inWords = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/** '2025-05-01' → 'May 1, 2025'. */
export function longDate(date: string): string {
  return inWords.format(new Date(`${date}T00:00:00Z`));
}
