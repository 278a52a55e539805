/** Query parameters of staff's lists. An invalid value counts as missing. */
import { MAX_SEARCH } from '../limits.ts';
import { visibleLine } from './fields.ts';

/** The search text. It may name a person, so the access log drops this parameter. */
export function readSearch(query: URLSearchParams): string {
  return searchText(query.get('find') ?? '');
}

export function searchText(typed: string): string {
  return visibleLine(typed.slice(0, MAX_SEARCH))
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .toWellFormed()
    .trim();
}

/** Days at the company, such as '2026-11-20', both included; '' for no limit. */
export interface DayRange {
  from: string;
  to: string;
}

/** Whether it is a day of this century. */
export function isDay(text: string): boolean {
  return /^20\d\d-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
}

export interface ListFilter<Status extends string> extends DayRange {
  search: string;
  /** '' for any. */
  status: Status | '';
  /** From 1. */
  page: number;
}

/** The filter of a list, in URLs. `parameter`: the status's name there. */
export function listFilter<Status extends string>(parameter: string, statuses: readonly Status[]) {
  return {
    read(query: URLSearchParams): ListFilter<Status> {
      const day = (name: string) => {
        const text = query.get(name) ?? '';
        return isDay(text) ? text : '';
      };
      return {
        search: readSearch(query),
        status: statuses.find((option) => option === query.get(parameter)) ?? '',
        from: day('from'),
        to: day('to'),
        page: Number(/^[1-9]\d{0,5}$/.exec(query.get('page') ?? '')?.[0] ?? 1),
      };
    },
    write({ search, status, page, from, to }: ListFilter<Status>): URLSearchParams {
      const query = new URLSearchParams();
      if (search) query.set('find', search);
      if (status) query.set(parameter, status);
      if (from) query.set('from', from);
      if (to) query.set('to', to);
      if (page > 1) query.set('page', String(page));
      return query;
    },
  };
}

/** The number of rows of the kind in `filter`, or of all kinds for ''. */
export function countOf<Kind extends string>(
  counts: Partial<Record<Kind, number>>,
  filter: Kind | '',
): number {
  if (filter) return counts[filter] ?? 0;
  return Object.values<number | undefined>(counts).reduce<number>(
    (sum, count = 0) => sum + count,
    0,
  );
}
