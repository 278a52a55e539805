/** Query parameters shared by staff's searchable, paged lists. An invalid value counts as missing. */
const MAX_SEARCH = 200;

/** The search text. It may name a person, so the access log drops this parameter. */
export function readSearch(query: URLSearchParams): string {
  return (query.get('find') ?? '')
    .slice(0, MAX_SEARCH)
    .replace(/\p{Cc}+/gu, ' ')
    .toWellFormed()
    .trim();
}

/** The page number, from 1. */
export function readPage(query: URLSearchParams): number {
  const page = query.get('page') ?? '';
  return /^[1-9]\d{0,5}$/.test(page) ? Number(page) : 1;
}

/** The number of rows of the wanted kind, or of all kinds for ''. */
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
