import { useQuery, useQueryClient } from '@tanstack/react-query';
import { CallError, fetchCall, reasonOf } from '../platform/fetch-call.ts';
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

export const UNREACHABLE =
  'We couldn’t reach our server, so nothing has changed. Please try again.';

const accountKey = (token: string) => ['order-page', token];

export function useAccount(token: string) {
  return useQuery({
    queryKey: accountKey(token),
    queryFn: ({ signal }) => fetchCall(GET_ACCOUNT, { body: { token }, signal }),
    enabled: token !== '',
  });
}

/** Reloads the account after a 409, so that the reason is shown beside the current state. */
export function useRefetchOnConflict(token: string) {
  const queryClient = useQueryClient();
  return async (error: Error) => {
    const isConflict = error instanceof CallError && error.status === 409;
    if (isConflict) await queryClient.refetchQueries({ queryKey: accountKey(token) });
  };
}

export function useChange(token: string) {
  const queryClient = useQueryClient();
  const { isPending, error, mutate, mutateAsync, reset } = usePress({
    mutationFn: (call: () => Promise<Account>) => call(),
    onSuccess: (account) => queryClient.setQueryData(accountKey(token), account),
    onError: useRefetchOnConflict(token),
  });
  return { isPending, problem: error && reasonOf(error, UNREACHABLE), mutate, mutateAsync, reset };
}
