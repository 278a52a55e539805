import { noSuch, refused } from './errors.ts';
import type { List } from './objects-subscription.ts';
import { int, maybe, object, type Parsed, text } from './schema.ts';

export const paging = {
  limit: maybe(int(1, 100)),
  starting_after: maybe(text()),
  ending_before: maybe(text()),
};

export const createdRange = object({
  gt: maybe(int()),
  gte: maybe(int()),
  lt: maybe(int()),
  lte: maybe(int()),
});

export const inRange = (
  created: number,
  range:
    | Parsed<{
        gt: typeof paging.limit;
        gte: typeof paging.limit;
        lt: typeof paging.limit;
        lte: typeof paging.limit;
      }>
    | undefined,
): boolean =>
  range === undefined ||
  ((range.gt === undefined || created > range.gt) &&
    (range.gte === undefined || created >= range.gte) &&
    (range.lt === undefined || created < range.lt) &&
    (range.lte === undefined || created <= range.lte));

/** Rows come in the order of their making; Stripe answers newest first. */
export const page = <T extends { id: string; object: string }>(
  url: string,
  rows: Iterable<T>,
  params: Parsed<typeof paging>,
): List<T> => {
  const all = Array.from(rows).reverse();
  const limit = params.limit ?? 10;
  const { starting_after: after, ending_before: before } = params;
  if (after !== undefined && before !== undefined) {
    throw refused('You may only specify one of these parameters: starting_after, ending_before.');
  }
  const at = (id: string, param: string): number => {
    const index = all.findIndex((row) => row.id === id);
    if (index < 0) throw noSuch(all[0]?.object ?? 'object', id, param, 400);
    return index;
  };
  if (before !== undefined) {
    const end = at(before, 'ending_before');
    const start = Math.max(0, end - limit);
    return { object: 'list', data: all.slice(start, end), has_more: start > 0, url };
  }
  const start = after === undefined ? 0 : at(after, 'starting_after') + 1;
  return {
    object: 'list',
    data: all.slice(start, start + limit),
    has_more: all.length > start + limit,
    url,
  };
};
