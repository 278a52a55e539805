import { useQuery } from '@tanstack/react-query';
import type * as z from 'zod/mini';
import type { Contract } from '../platform/contract.ts';
import { CallError, fetchCall, reasonOf } from '../platform/fetch-call.ts';

export const LOGS = ['logs'];

/** `failure` is shown when the server gives no reason of its own. */
export function useLogs<Answer extends { success: boolean; message: string }>(
  call: Contract<null, z.ZodMiniType<Answer>>,
  failure: string,
) {
  return useQuery({
    queryKey: [...LOGS, call.path],
    queryFn: async ({ signal }) => {
      const answer = await fetchCall(call, { signal }).catch((error: unknown) => {
        // A session that has ended is the frame's matter.
        if (error instanceof CallError && error.status === 401) throw error;
        const answered = error instanceof CallError || error instanceof SyntaxError;
        throw new Error(answered ? reasonOf(error, failure) : 'Error connecting to server');
      });
      if (!answer.success) throw new Error(answer.message || failure);
      return answer;
    },
    refetchOnMount: 'always',
  });
}
