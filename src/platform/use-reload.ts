import { useIsFetching, useQueryClient } from '@tanstack/react-query';

/** Loads anew whatever under the key is on the screen. */
export function useReload(queryKey: readonly string[]): { busy: boolean; reload: () => void } {
  const queryClient = useQueryClient();
  const busy = useIsFetching({ queryKey }) > 0;
  return { busy, reload: () => queryClient.invalidateQueries({ queryKey }) };
}
