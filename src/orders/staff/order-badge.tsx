import { formatDollars } from '../../platform/money.ts';
import { Badge } from '../../ui/badge.tsx';
import type { OrderStatus } from '../order.ts';
import type { ToldOrderRow } from '../read-order.ts';

/** A status in the words of staff. */
export const STATUS_LABELS: Record<OrderStatus, string> = {
  pending: 'Pending',
  processing: 'Processing',
  paid: 'Paid',
  failed: 'Failed',
  canceled: 'Canceled',
  past_due: 'Past due',
  refunded: 'Refunded',
};

const TONES = {
  pending: 'neutral',
  processing: 'amber',
  paid: 'primary',
  failed: 'danger',
  canceled: 'neutral',
  past_due: 'danger',
  refunded: 'neutral',
} as const;

/** The status, and beside it what it does not tell: a dispute, money given back, an end that has been decided. */
export function OrderBadge({ order }: { order: ToldOrderRow }) {
  const { status, dispute, refunded, endsAt } = order;
  return (
    <span className="inline-flex flex-wrap items-center gap-1.5">
      {status && <Badge tone={TONES[status]}>{STATUS_LABELS[status]}</Badge>}
      {dispute && <Badge tone={dispute === 'won' ? 'neutral' : 'danger'}>Dispute {dispute}</Badge>}
      {refunded > 0 && status !== 'refunded' && <Badge>{formatDollars(refunded)} refunded</Badge>}
      {endsAt && status === 'paid' && (
        <Badge tone="amber">Ends {shortDay.format(new Date(endsAt))}</Badge>
      )}
    </span>
  );
}

const shortDay = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric' });
