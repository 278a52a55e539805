const longDate = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/** '2025-05-01' → 'May 1, 2025'. */
export function formatArticleDate(date: string): string {
  return longDate.format(new Date(`${date}T00:00:00Z`));
}
