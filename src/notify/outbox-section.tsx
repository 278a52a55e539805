/** What has not reached its receiver yet, for staff; nothing at all while everything has. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { fetchCall } from '../platform/fetch-call.ts';
import { or } from '../platform/read.ts';
import { reasonOf } from '../platform/reason-of.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { leaveFocus } from '../ui/focus/pass-focus-on.ts';
import { Moment } from '../ui/moment.tsx';
import { Notice } from '../ui/notice.tsx';
import { Panel } from '../ui/panel.tsx';
import { UnknownHeight } from '../ui/skeleton.tsx';
import { showToast } from '../ui/toast/toast.ts';
import { RECEIVERS } from './delivery.ts';
import { DISMISS, LIST_OUTBOX, RESEND } from './outbox-contracts.ts';
import { type ReadDelivery, readDelivery, readOutbox } from './read-outbox.ts';

const OUTBOX = ['outbox'];

/** `words`: what a notification is about, by its kind. */
export function OutboxSection({ words }: { words: Readonly<Record<string, string>> }) {
  const { data, isPending, isError } = useQuery({
    queryKey: OUTBOX,
    queryFn: ({ signal }) => fetchCall(LIST_OUTBOX, readOutbox, { signal }),
    refetchOnMount: 'always',
  });
  const resending = useAsking(RESEND, 'Sending again', 'Couldn’t resend it. Please try again.');
  const dismissing = useAsking(DISMISS, 'Dismissed', 'Couldn’t dismiss it. Please try again.');
  if (isPending) return <UnknownHeight />;
  const failure = isError && <Notice kind="error">Couldn’t load pending deliveries.</Notice>;
  if (!data || data.deliveries.length === 0) return failure || null;
  const { deliveries, waiting, setAside } = data;
  return (
    <Panel
      heading="Not delivered yet"
      aside={<p className="text-sm text-muted">{countsInWords(waiting, setAside)}</p>}
    >
      {failure}
      <ul className="divide-y divide-line panes:in-[:has(>[data-panes])]:hidden">
        {deliveries.map((delivery) => (
          <Delivery
            key={delivery.id}
            delivery={delivery}
            about={inWords(words, delivery.kind)}
            resending={resending}
            dismissing={dismissing}
          />
        ))}
      </ul>
    </Panel>
  );
}

interface DeliveryProps {
  delivery: ReadDelivery;
  about: string;
  resending: Asking;
  dismissing: Asking;
}

function Delivery({ delivery, about, resending, dismissing }: DeliveryProps) {
  const { id, channel, reference, state, tries, nextTryAt, lastAnswer, createdAt } = delivery;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 text-sm">
      <div className="min-w-0 flex-1 basis-64">
        <p id={`delivery-${id}`} className="font-medium text-ink">
          {about} {reference}{' '}
          <span className="font-normal text-muted">to {inWords(RECEIVERS, channel)}</span>
        </p>
        <p className="wrap-anywhere text-muted">
          {lastAnswer === null ? 'Not tried yet' : `${triesInWords(tries)}, last: ${lastAnswer}`}
        </p>
      </div>
      <p className="text-muted">
        from <Moment at={createdAt} />
        {nextTryAt && (
          <>
            , next try <Moment at={nextTryAt} />
          </>
        )}
      </p>
      <Badge tone={state === 'set aside' ? 'danger' : 'neutral'}>
        {state === 'set aside' ? 'Failed' : 'Pending'}
      </Badge>
      <AskButton id={id} asking={resending}>
        Send again
      </AskButton>
      {state === 'set aside' && (
        <AskButton id={id} asking={dismissing}>
          Dismiss
        </AskButton>
      )}
    </li>
  );
}

function AskButton({ id, asking, children }: { id: number; asking: Asking; children: string }) {
  return (
    <Button
      ref={leaveFocus}
      variant="quiet"
      size="small"
      busy={asking.isPending && asking.variables === id}
      onClick={() => asking.mutate(id)}
      aria-describedby={`delivery-${id}`}
    >
      {children}
    </Button>
  );
}

type Asking = ReturnType<typeof useAsking>;

/** What staff ask for one delivery. */
function useAsking(contract: typeof RESEND | typeof DISMISS, done: string, failure: string) {
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
function inWords(words: Readonly<Record<string, string>>, name: string): string {
  return words[name] ?? name;
}

function triesInWords(tries: number): string {
  return tries === 1 ? 'Tried once' : `Tried ${tries} times`;
}

/** '2 failed, 1 pending'; the list itself ends after the first 200. */
function countsInWords(waiting: number, setAside: number): string {
  const counts = [setAside > 0 && `${setAside} failed`, waiting > 0 && `${waiting} pending`];
  return counts.filter(Boolean).join(', ');
}
