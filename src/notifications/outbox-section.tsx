/** What has not reached its receiver yet, for staff; nothing at all while everything has. */
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { leaveFocus } from '../ui/focus/pass-focus-on.ts';
import { Moment } from '../ui/moment.tsx';
import { Notice } from '../ui/notice.tsx';
import { Panel } from '../ui/panel.tsx';
import { UnknownHeight } from '../ui/skeleton.tsx';
import { RECEIVERS } from './delivery.ts';
import { DISMISS, RESEND } from './outbox-contracts.ts';
import type { ReadDelivery } from './read-outbox.ts';
import { type Asking, inWords, useAsking, useOutbox } from './use-outbox.ts';

/** `words`: what a notification is about, by its kind. */
export function OutboxSection({ words }: { words: Readonly<Record<string, string>> }) {
  const { data, isPending, isError } = useOutbox();
  const resending = useAsking(RESEND, 'Sending again', 'Couldn’t resend it. Please try again.');
  const dismissing = useAsking(DISMISS, 'Dismissed', 'Couldn’t dismiss it. Please try again.');
  if (isPending) return <UnknownHeight />;
  if (!data || data.deliveries.length === 0) return null;
  const { deliveries, waiting, setAside } = data;
  return (
    <Panel
      heading="Not delivered yet"
      aside={<p className="text-sm text-muted">{countsInWords(waiting, setAside)}</p>}
    >
      {isError && <Notice kind="error">Couldn’t load pending deliveries.</Notice>}
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

function triesInWords(tries: number): string {
  return tries === 1 ? 'Tried once' : `Tried ${tries} times`;
}

/** '2 failed, 1 pending'; the list itself ends after the first 200. */
function countsInWords(waiting: number, setAside: number): string {
  const counts = [setAside > 0 && `${setAside} failed`, waiting > 0 && `${waiting} pending`];
  return counts.filter(Boolean).join(', ');
}
