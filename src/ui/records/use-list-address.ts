/** What a list shows stands in its address: a reload, the back button and a link to a colleague show the same. */
import { useMemo } from 'react';
import { useLocation, useSearch } from 'wouter';
import { readOpen } from '../../platform/list-query.ts';

interface Open {
  /** The id of the record that is read; null when none is. */
  open: number | null;
}

/** `read` and `write` turn the address's query into what is shown, and back; both stay the same functions. */
export function useListAddress<Shown extends object>(
  read: (query: URLSearchParams) => Shown,
  write: (shown: Shown) => URLSearchParams,
) {
  const search = useSearch();
  const [path, navigate] = useLocation();
  const address: Shown & Open = useMemo(() => {
    const query = new URLSearchParams(search);
    return { ...read(query), open: readOpen(query) };
  }, [read, search]);
  return {
    address,
    /** `replace`: the way back leads past what is shown now. */
    go(change: Partial<Shown & Open>, options: { replace?: boolean } = {}) {
      const next = { ...address, ...change };
      const query = write(next);
      if (next.open !== null) query.set('open', String(next.open));
      navigate(query.size > 0 ? `${path}?${query}` : path, options);
    },
  };
}
