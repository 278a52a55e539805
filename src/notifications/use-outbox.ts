/** The outbox's calls, as the screen uses them. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { reasonOf } from '../platform/fetch-call.ts';
import { fetchCall } from '../platform/old/fetch-call.ts';
import { or } from '../platform/old/read.ts';
import { showToast } from '../ui/toast/toast.ts';
import { RECEIVERS } from './delivery.ts';
import { type DISMISS, LIST_OUTBOX, type RESEND } from './outbox-contracts.ts';
import { readDelivery, readOutbox } from './read-outbox.ts';

const OUTBOX = ['outbox'];

export function useOutbox() {
  return useQuery({
    queryKey: OUTBOX,
    queryFn: ({ signal }) => fetchCall(LIST_OUTBOX, readOutbox, { signal }),
    refetchOnMount: 'always',
  });
}

export type Asking = ReturnType<typeof useAsking>;

/** What staff ask for one delivery. */
export function useAsking(contract: typeof RESEND | typeof DISMISS, done: string, failure: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => fetchCall(contract, or(readDelivery, null), { params: { id } }),
    onSuccess: (delivery) =>
      showToast({
        title: done,
        ...(delivery && {
          description: `${delivery.reference} to ${inWords(RECEIVERS, delivery.channel)}`,
        }),
      }),
    onError: (error) =>
      showToast({
        title: 'Error',
        description: reasonOf(error, failure),
        variant: 'destructive',
      }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: OUTBOX }),
  });
}

/** A channel or kind that this version does not know stands as it is. */
export function inWords(words: Readonly<Record<string, string>>, name: string): string {
  return words[name] ?? name;
}
