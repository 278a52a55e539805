import { useQuery } from '@tanstack/react-query';
import { fetchJson } from '../platform/fetch-json.ts';

export type ListState<Row> =
  | { status: 'loading' }
  | { status: 'failed'; retry: () => void }
  | { status: 'loaded'; rows: readonly Row[] };

/**
 * A list of the catalogue, refetched on every mount. `rows` are those the server put into the page:
 * with them nothing is awaited on screen, yet a failed reload takes the list's place.
 */
export function useList<Row>(url: string, rows: readonly Row[] | undefined): ListState<Row> {
  const query = useQuery<readonly Row[]>({
    queryKey: [url],
    queryFn: ({ signal }) => fetchJson(url, { signal }),
    initialData: rows,
    refetchOnMount: 'always',
    gcTime: 0,
  });
  if (query.isError && !query.isFetching) {
    return { status: 'failed', retry: () => void query.refetch() };
  }
  return query.data && !query.isError
    ? { status: 'loaded', rows: query.data }
    : { status: 'loading' };
}
