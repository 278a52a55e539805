import { useIsFetching, useMutation, useQueryClient } from '@tanstack/react-query';

interface Reload {
  /** Something under the key is being fetched, by hand or by itself. */
  busy: boolean;
  /** Somebody has asked for it. */
  asked: boolean;
  reload: () => void;
}

/** Loads anew whatever under the key is on the screen. */
export function useReload(queryKey: readonly string[]): Reload {
  const queryClient = useQueryClient();
  const busy = useIsFetching({ queryKey }) > 0;
  const asking = useMutation({ mutationFn: () => queryClient.invalidateQueries({ queryKey }) });
  return { busy, asked: asking.isPending, reload: () => asking.mutate() };
}
