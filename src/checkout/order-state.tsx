import { formatDollars, fromDollars } from '../platform/money.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import type { OrderJson, OrderStatus } from './order.ts';

const WORDS: Record<
  OrderStatus,
  { label: string; next: string; tone: 'primary' | 'amber' | 'danger' }
> = {
  pending: { label: 'Not paid yet', next: 'No card has been charged.', tone: 'amber' },
  processing: {
    label: 'Payment in progress',
    next: 'Your bank is still deciding; nothing more is needed from you.',
    tone: 'amber',
  },
  paid: {
    label: 'Paid',
    next: 'We call or write within one business day to set you up.',
    tone: 'primary',
  },
  failed: {
    label: 'Payment failed',
    next: 'No card has been charged. You can try again with the same or another card.',
    tone: 'danger',
  },
  canceled: { label: 'Canceled', next: 'Nothing more will be charged.', tone: 'amber' },
  past_due: {
    label: 'Payment overdue',
    next: 'Please contact us about the open invoice.',
    tone: 'danger',
  },
  refunded: {
    label: 'Refunded',
    next: 'The amount is on its way back to your card.',
    tone: 'amber',
  },
};

interface OrderStateProps {
  order: OrderJson | null;
  failed: boolean;
  again: () => void;
}

/** The order that this browser has placed, and where it stands. */
export function OrderState({ order, failed, again }: OrderStateProps) {
  if (failed) {
    return (
      <div className="mt-8">
        <Notice kind="error">
          <p>Failed to fetch order status</p>
          <Button variant="quiet" size="small" className="mt-3" onClick={again}>
            Try again
          </Button>
        </Notice>
      </div>
    );
  }
  if (!order) return null;
  const { label, next, tone } = WORDS[order.status];
  return (
    <section aria-label="Your order" className="mt-8 rounded-card border border-line bg-paper p-6">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h2 className="text-lg">Order {order.id}</h2>
        <Badge tone={tone}>{label}</Badge>
        <p className="text-ink tabular-nums sm:ml-auto">
          {formatDollars(fromDollars(order.amount))}{' '}
          <span className="text-sm text-muted">per month</span>
        </p>
      </div>
      <p className="mt-2 text-sm">{next}</p>
    </section>
  );
}
