import { useCallback, useEffect, useState } from 'react';
import type * as z from 'zod/mini';
import type { Contract } from '../platform/contract.ts';
import { fetchCall, type ReaderOf } from '../platform/fetch-call.ts';

export type ListState<Row> =
  | { status: 'loading' }
  | { status: 'failed' }
  | { status: 'loaded'; rows: readonly Row[] };

/**
 * A list of the catalogue, fetched on every mount and never by itself again. `rows` are those the server put
 * into the page: with them nothing is awaited on screen, yet a failed reload takes the list's place.
 */
export function useList<Answer extends z.ZodMiniType, Row>(
  contract: Contract<null, Answer>,
  read: ReaderOf<Answer, readonly Row[]>,
  rows: readonly Row[] | undefined,
): ListState<Row> & { reload: () => void } {
  const [state, setState] = useState<ListState<Row>>(
    rows?.length ? { status: 'loaded', rows } : { status: 'loading' },
  );
  const [reloads, setReloads] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `reloads` is what fetches again.
  useEffect(() => {
    const leaving = new AbortController();
    fetchCall(contract, read, { signal: leaving.signal }).then(
      (fetched) => setState({ status: 'loaded', rows: fetched }),
      () => leaving.signal.aborted || setState({ status: 'failed' }),
    );
    return () => leaving.abort();
  }, [contract, read, reloads]);

  const reload = useCallback(() => {
    // What failed is awaited anew; a list that stands stays until its successor is there.
    setState((current) => (current.status === 'failed' ? { status: 'loading' } : current));
    setReloads((count) => count + 1);
  }, []);
  return { ...state, reload };
}
