/** What is known of the customer's plan, and the calls that change it. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CallError, fetchCall, reasonOf } from '../platform/fetch-call.ts';
import { type Account, GET_ACCOUNT } from './account-api.ts';

/** The props of each part of the page. */
export interface AccountPart {
  token: string;
  account: Account;
}

export interface ChangeProps extends AccountPart {
  /** `outcome`: the result in words, or null. */
  onClose: (outcome: string | null) => void;
}

export const NOT_DONE = 'We couldn’t reach our server, so nothing has changed. Please try again.';

const keyOf = (token: string) => ['order-page', token];

export function useAccount(token: string) {
  return useQuery({
    queryKey: keyOf(token),
    queryFn: ({ signal }) => fetchCall(GET_ACCOUNT, { body: { token }, signal }),
    enabled: token !== '',
  });
}

/** Shows what holds now beside the reason of a refusal. */
export function useRefresh(token: string) {
  const queryClient = useQueryClient();
  return async (error: Error) => {
    const refused = error instanceof CallError && error.status === 409;
    if (refused) await queryClient.refetchQueries({ queryKey: keyOf(token) });
  };
}

/** Makes a call that gives the account as it is after the change. */
export function useChange(token: string) {
  const queryClient = useQueryClient();
  const { isPending, error, mutate, mutateAsync, reset } = useMutation({
    mutationFn: (call: () => Promise<Account>) => call(),
    onSuccess: (account) => queryClient.setQueryData(keyOf(token), account),
    onError: useRefresh(token),
  });
  return { isPending, problem: error && reasonOf(error, NOT_DONE), mutate, mutateAsync, reset };
}
