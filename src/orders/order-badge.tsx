import { formatDollars } from '../platform/money.ts';
import { Badge } from '../ui/badge.tsx';
import { useTimeFormats } from '../ui/local-time.tsx';
import type { OrderRow } from './order-api.ts';
import { renewalWords, startsInWords, willNotStart, wordsOf } from './status-words.ts';

/** The status, and badges for a dispute, a partial refund, a pause and a scheduled end. */
export function OrderBadge({ order }: { order: OrderRow }) {
  const { status, dispute, refunded, endsAt, paused } = order;
  const words = wordsOf(order);
  const renewal = renewalWords(order);
  const starts = startsInWords(order);
  // The bank's word for it is a lost dispute.
  const isReturned = order.payment.state === 'debit_returned';
  const { dayOfYear } = useTimeFormats();
  return (
    <span className="inline-flex flex-wrap items-center gap-1.5 max-lg:in-[td]:justify-end">
      {words && <Badge tone={words.tone}>{words.staff}</Badge>}
      {renewal && <Badge tone={renewal.tone}>{renewal.staff}</Badge>}
      {starts && <Badge tone={willNotStart(order) ? 'amber' : 'primary'}>{starts}</Badge>}
      {dispute && !isReturned && (
        <Badge tone={dispute === 'won' ? 'neutral' : 'danger'}>{`Dispute ${dispute}`}</Badge>
      )}
      {refunded > 0 && status !== 'refunded' && (
        <Badge>{`${formatDollars(refunded)} refunded`}</Badge>
      )}
      {paused && status === 'paid' && <Badge tone="amber">Billing paused</Badge>}
      {endsAt && status === 'paid' && !willNotStart(order) && (
        <Badge tone="amber">{`Ends ${dayOfYear.format(new Date(endsAt))}`}</Badge>
      )}
    </span>
  );
}
