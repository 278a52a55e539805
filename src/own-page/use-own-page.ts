import { useQuery, useQueryClient } from '@tanstack/react-query';
import { fetchCall, mayHaveChanged, reasonOf } from '../platform/fetch-call.ts';
import { moveFocusTo } from '../ui/focus.tsx';
import { usePress } from '../ui/presses.ts';
import { GET_OWN_PAGE, type OwnPage } from './own-page-api.ts';

export interface OwnPageProps {
  token: string;
  page: OwnPage;
}

export interface ChangeProps extends OwnPageProps {
  /** `outcome` is the success message, or null when nothing changed. */
  onClose: (outcome: string | null) => void;
}

/** The `ref` of the heading of a part that a link in the same document opens. */
export function startHere(heading: HTMLElement | null): void {
  moveFocusTo(heading);
  if (heading) window.scrollTo(0, 0);
}

const ownPageKey = (token: string) => ['order-page', token];

export function useOwnPage(token: string) {
  return useQuery({
    queryKey: ownPageKey(token),
    queryFn: ({ signal }) => fetchCall(GET_OWN_PAGE, { body: { token }, signal }),
    enabled: token !== '',
  });
}

/** Shows the reason beside what holds now, and returns that. */
export function useRefetchIfChanged(token: string) {
  const queryClient = useQueryClient();
  return async (error: Error) => {
    if (mayHaveChanged(error)) await queryClient.refetchQueries({ queryKey: ownPageKey(token) });
    return queryClient.getQueryData<OwnPage>(ownPageKey(token));
  };
}

export function useChange(token: string) {
  const queryClient = useQueryClient();
  const { isPending, error, mutate, mutateAsync, reset } = usePress({
    mutationFn: (call: () => Promise<OwnPage>) => call(),
    onSuccess: (page) => queryClient.setQueryData(ownPageKey(token), page),
    onError: useRefetchIfChanged(token),
  });
  return { isPending, problem: error && reasonOf(error), mutate, mutateAsync, reset };
}
