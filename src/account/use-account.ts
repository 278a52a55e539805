/** What is known of the customer's plan, and the calls that change it. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CallError, fetchCall, reasonOf } from '../platform/fetch-call.ts';
import { type Account, GET_ACCOUNT } from './account-api.ts';

/** What each part of the page is given. */
export interface AccountPart {
  token: string;
  account: Account;
}

export const NOT_DONE = 'We couldn’t reach our server, so nothing has changed. Please try again.';

const keyOf = (token: string) => ['order-page', token, 'account'];

/** While the provider is away, what it said last stays, with what has been typed beside it. */
function keepRunning(before: Account | undefined, now: Account): Account {
  return now.away && before ? { ...now, running: before.running } : now;
}

export function useAccount(token: string) {
  const queryClient = useQueryClient();
  const queryKey = keyOf(token);
  return useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const account = await fetchCall(GET_ACCOUNT, { body: { token }, signal });
      return keepRunning(queryClient.getQueryData(queryKey), account);
    },
  });
}

/** Shows what holds now beside the reason of a refusal. */
export function useRefresh(token: string) {
  const queryClient = useQueryClient();
  return async (error: Error) => {
    if (error instanceof CallError) await queryClient.refetchQueries({ queryKey: keyOf(token) });
  };
}

export function useChange(token: string) {
  const queryClient = useQueryClient();
  const { isPending, error, mutateAsync, reset } = useMutation({
    mutationFn: (call: () => Promise<Account>) => call(),
    onSuccess: (account) =>
      queryClient.setQueryData<Account>(keyOf(token), (before) => keepRunning(before, account)),
    onError: useRefresh(token),
  });
  return {
    busy: isPending,
    problem: error ? reasonOf(error, NOT_DONE) : null,
    reset,
    /** `call` gives the account as it is after the change. Gives why it could not be made, or null. */
    async change(call: () => Promise<Account>): Promise<string | null> {
      try {
        await mutateAsync(call);
        return null;
      } catch (failure) {
        return reasonOf(failure, NOT_DONE);
      }
    },
  };
}
