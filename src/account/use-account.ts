import { useQuery, useQueryClient } from '@tanstack/react-query';
import { fetchCall, mayHaveChanged, reasonOf } from '../platform/fetch-call.ts';
import { usePress } from '../ui/presses.ts';
import { type Account, GET_ACCOUNT } from './account-api.ts';

export interface AccountProps {
  token: string;
  account: Account;
}

export interface ChangeProps extends AccountProps {
  /** `outcome` is the success message, or null when nothing changed. */
  onClose: (outcome: string | null) => void;
}

const accountKey = (token: string) => ['order-page', token];

export function useAccount(token: string) {
  return useQuery({
    queryKey: accountKey(token),
    queryFn: ({ signal }) => fetchCall(GET_ACCOUNT, { body: { token }, signal }),
    enabled: token !== '',
  });
}

/** Shows the reason beside what holds now, and returns that. */
export function useRefetchIfChanged(token: string) {
  const queryClient = useQueryClient();
  return async (error: Error) => {
    if (mayHaveChanged(error)) await queryClient.refetchQueries({ queryKey: accountKey(token) });
    return queryClient.getQueryData<Account>(accountKey(token));
  };
}

export function useChange(token: string) {
  const queryClient = useQueryClient();
  const { isPending, error, mutate, mutateAsync, reset } = usePress({
    mutationFn: (call: () => Promise<Account>) => call(),
    onSuccess: (account) => queryClient.setQueryData(accountKey(token), account),
    onError: useRefetchIfChanged(token),
  });
  return { isPending, problem: error && reasonOf(error), mutate, mutateAsync, reset };
}
