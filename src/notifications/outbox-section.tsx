/** Lists undelivered notifications for staff; renders nothing if there are none. */
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { callQuery } from '../platform/browser/query-client.ts';
import { fetchCall } from '../platform/fetch-call.ts';
import { ActionButton } from '../ui/action-button.tsx';
import { Panel } from '../ui/admin-page-layout.tsx';
import { Badge } from '../ui/badge.tsx';
import { LocalTime } from '../ui/local-time.tsx';
import { Notice } from '../ui/notice.tsx';
import { showToast } from '../ui/toast/toast.ts';
import { channelFacts, type Delivery, DISMISS, LIST_OUTBOX, RESEND } from './outbox-api.ts';

export function OutboxSection() {
  const { data, isError } = useQuery(callQuery(LIST_OUTBOX));
  if (!data || data.deliveries.length === 0) return null;
  const { deliveries, waiting, failed } = data;
  // The list has at most 200 entries, so the totals come from the server.
  const counts = [failed > 0 && `${failed} failed`, waiting > 0 && `${waiting} pending`];
  return (
    <Panel
      heading="Other notices"
      aside={<p className="text-sm text-muted">{counts.filter(Boolean).join(', ')}</p>}
      className="in-[:has(>[data-thread])]:hidden"
    >
      {isError && <Notice kind="error">Couldn’t load pending deliveries.</Notice>}
      <ul className="max-h-88 divide-y divide-line overflow-y-auto">
        {deliveries.map((delivery) => (
          <DeliveryItem key={delivery.id} delivery={delivery} />
        ))}
      </ul>
    </Panel>
  );
}

/** Shows the raw name of a channel that this version does not know. */
function receiverOf({ channel }: Delivery): string {
  return channelFacts(channel)?.receiver ?? channel;
}

function DeliveryItem({ delivery }: { delivery: Delivery }) {
  const { id, label, reference, name, path, state, tries, nextTryAt, lastAnswer, createdAt } =
    delivery;
  const params = { id };
  // What concerns the whole channel does not count as a try.
  const tried = ['Held up', 'Tried once, last'][tries] ?? `Tried ${tries} times, last`;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 text-sm">
      <div className="min-w-0 flex-1 basis-64">
        <p id={`delivery-${id}`} className="font-medium text-ink">
          {path ? (
            <Link
              href={path}
              className="underline underline-offset-4"
            >{`${label} ${reference}`}</Link>
          ) : (
            <span>{`${label} ${reference}`}</span>
          )}
          {name && <bdi>{`, ${name}`}</bdi>}
          <span className="font-normal text-muted">{` to ${receiverOf(delivery)}`}</span>
        </p>
        <p className="wrap-anywhere text-muted">
          {lastAnswer === null ? 'Not tried yet' : `${tried}: ${lastAnswer}`}
        </p>
      </div>
      <p className="text-muted">
        <span>from </span>
        <LocalTime at={createdAt} />
        {nextTryAt && (
          <span>
            , next try <LocalTime at={nextTryAt} />
          </span>
        )}
      </p>
      <Badge tone={state === 'failed' ? 'danger' : 'neutral'}>
        {state === 'failed' ? 'Failed' : 'Pending'}
      </Badge>
      <ActionButton
        aria-describedby={`delivery-${id}`}
        act={async () => showChange('Sending again', await fetchCall(RESEND, { params }))}
      >
        Send again
      </ActionButton>
      {state === 'failed' && (
        <ActionButton
          aria-describedby={`delivery-${id}`}
          act={async () => showChange('Dismissed', await fetchCall(DISMISS, { params }))}
        >
          Dismiss
        </ActionButton>
      )}
    </li>
  );
}

function showChange(title: string, delivery: Delivery | null): void {
  const description = delivery ? `${delivery.reference} to ${receiverOf(delivery)}` : '';
  showToast({ title, description });
}
