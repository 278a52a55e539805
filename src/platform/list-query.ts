/** The query parameters that every searched and paged list of staff has; what makes no sense counts as not given. */
const LONGEST_SEARCH = 200;

/** What is searched for; the access log does not keep it. */
export function readSearch(query: URLSearchParams): string {
  return (query.get('find') ?? '')
    .slice(0, LONGEST_SEARCH)
    .replace(/\p{Cc}+/gu, ' ')
    .toWellFormed()
    .trim();
}

/** Counts from 1. */
export function readPage(query: URLSearchParams): number {
  const page = query.get('page') ?? '';
  return /^[1-9]\d{0,5}$/.test(page) ? Number(page) : 1;
}

/** How many rows there are of the wanted kind; of all kinds where none is named. */
export function totalOf<Kind extends string>(
  counts: Partial<Record<Kind, number>>,
  wanted: Kind | '',
): number {
  if (wanted) return counts[wanted] ?? 0;
  return Object.values<number | undefined>(counts).reduce<number>(
    (sum, count = 0) => sum + count,
    0,
  );
}
