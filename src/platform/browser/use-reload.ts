import { useMutation, useQueryClient } from '@tanstack/react-query';

/** Reloads everything on the screen. `busy`: a reload that was asked for has not finished yet. */
export function useReload() {
  const queryClient = useQueryClient();
  const asking = useMutation({ mutationFn: () => queryClient.invalidateQueries() });
  return { busy: asking.isPending, reload: () => asking.mutate() };
}
