import { useCallback, useEffect, useState } from 'react';
import { fetchJson } from '../platform/fetch-json.ts';
import type { Reader } from '../platform/read.ts';

export type ListState<Row> =
  | { status: 'loading' }
  | { status: 'failed' }
  | { status: 'loaded'; rows: readonly Row[] };

/**
 * A list of the catalogue, fetched on every mount and never by itself again. `rows` are those the server put
 * into the page: with them nothing is awaited on screen, yet a failed reload takes the list's place.
 */
export function useList<Row>(
  url: string,
  read: Reader<readonly Row[]>,
  rows: readonly Row[] | null | undefined,
): ListState<Row> & { reload: () => void } {
  const [state, setState] = useState<ListState<Row>>(
    rows?.length ? { status: 'loaded', rows } : { status: 'loading' },
  );
  const [reloads, setReloads] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `reloads` is what fetches again.
  useEffect(() => {
    const leaving = new AbortController();
    fetchJson(url, read, { signal: leaving.signal }).then(
      (fetched) => setState({ status: 'loaded', rows: fetched }),
      () => leaving.signal.aborted || setState({ status: 'failed' }),
    );
    return () => leaving.abort();
  }, [url, read, reloads]);

  const reload = useCallback(() => {
    // What failed is awaited anew; a list that stands stays until its successor is there.
    setState((current) => (current.status === 'failed' ? { status: 'loading' } : current));
    setReloads((count) => count + 1);
  }, []);
  return { ...state, reload };
}
