/** Paged lists. */
import { noSuch } from './errors.ts';
import { int, text } from './schema.ts';

export interface List<T> {
  object: 'list';
  data: T[];
  has_more: boolean;
}

export const paging = { limit: int(1, 100).optional(), starting_after: text().optional() };

interface Paging {
  limit?: number | undefined;
  starting_after?: string | undefined;
}

/** `rows` are oldest first; Stripe lists newest first. */
export const page = <T extends { id: string }>(
  rows: readonly T[],
  { limit = 10, starting_after: after }: Paging = {},
): List<T> => {
  const all = rows.toReversed();
  const before = all.findIndex((row) => row.id === after);
  if (after !== undefined && before < 0) throw noSuch('object', after, 'starting_after', 400);
  const end = before + 1 + limit;
  return { object: 'list', data: all.slice(before + 1, end), has_more: all.length > end };
};
