import { useMutation, useQueryClient } from '@tanstack/react-query';

/** Loads anew whatever is on the screen. `busy`: somebody has asked for it, and it has not come yet. */
export function useReload() {
  const queryClient = useQueryClient();
  const asking = useMutation({ mutationFn: () => queryClient.invalidateQueries() });
  return { busy: asking.isPending, reload: () => asking.mutate() };
}
