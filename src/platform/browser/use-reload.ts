import { useMutation, useQueryClient } from '@tanstack/react-query';

interface Reload {
  /** Somebody has asked for it, and it has not come yet. */
  busy: boolean;
  reload: () => void;
}

/** Loads anew whatever is on the screen. */
export function useReload(): Reload {
  const queryClient = useQueryClient();
  const asking = useMutation({ mutationFn: () => queryClient.invalidateQueries() });
  return { busy: asking.isPending, reload: () => asking.mutate() };
}
