import { type Cents, cents, formatDollars } from '../platform/money.ts';
import { Badge } from '../ui/badge.tsx';
import { TryAgainButton } from '../ui/button.tsx';
import { DescriptionList } from '../ui/description-list.tsx';
import { formatLocalDay } from '../ui/local-time.tsx';
import { Notice } from '../ui/notice.tsx';
import { orderReference, STATUS_WORDS } from './order.ts';
import type { OrderView } from './order-api.ts';
import { PriceBreakdown } from './price-breakdown.tsx';

interface OrderStateProps {
  order: OrderView | null;
  /** Why it cannot be shown. */
  problem: string | null;
  asking: boolean;
  again: () => void;
}

/** The order that this browser has placed, with its status. */
export function OrderState({ order, problem, asking, again }: OrderStateProps) {
  if (!problem) return order && <OrderCard order={order} />;
  return (
    <Notice kind="error" className="mt-8">
      <p>{problem}</p>
      <TryAgainButton busy={asking} onClick={again} />
    </Notice>
  );
}

interface OrderCardProps {
  order: OrderView;
  /** Leaves out what happens next, for a page that already says so. */
  bare?: boolean;
}

/** What was bought, its status, and what happens next. */
export function OrderCard({ order, bare = false }: OrderCardProps) {
  const words = order.status && STATUS_WORDS[order.status];
  // What has an end is not charged until its customer cancels it.
  const goesOn = !(order.status === 'paid' && order.endsAt);
  const total = monthlyTotal(order);
  const bought = order.status !== 'pending' && order.status !== 'failed';
  return (
    <section
      aria-label="Your order"
      className="mt-8 max-w-3xl rounded-card border border-line bg-paper p-6 sm:p-8 print:mt-4 print:break-inside-avoid print:p-4"
    >
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <h2 className="text-lg">Order {orderReference(order.id)}</h2>
        {words && (
          <Badge tone={words.tone === 'neutral' ? 'amber' : words.tone}>{words.customer}</Badge>
        )}
        {!bought && total !== undefined && (
          <p className="text-ink tabular-nums sm:ml-auto">
            {formatDollars(total)} <span className="text-sm text-muted">per month</span>
          </p>
        )}
      </div>
      <DescriptionList
        items={{
          Placed: order.createdAt && (
            <time dateTime={order.createdAt}>{formatLocalDay(order.createdAt)}</time>
          ),
          Name: order.name,
          Company: order.company,
          Quote: order.quote,
          Email: order.email,
        }}
      />
      {bought && (order.lines.length > 0 || total !== undefined) && (
        <div className={`mt-5 border-t border-line pt-5 ${bare ? '' : 'border-b pb-5'}`}>
          <PriceBreakdown lines={order.lines} tax={order.tax} total={total} />
        </div>
      )}
      {words && !bare && <h3 className="mt-5 text-base">What happens next</h3>}
      <ul className="mt-2 grid list-disc empty:hidden gap-1 pl-5 text-sm marker:text-primary">
        {words && !bare && goesOn && <li>{words.next}</li>}
        {order.refunded > 0 && order.status !== 'refunded' && (
          <li>{formatDollars(order.refunded)} refunded.</li>
        )}
        {order.endsAt && order.status !== 'canceled' && (
          <li>The subscription ends on {formatLocalDay(order.endsAt)}.</li>
        )}
      </ul>
    </section>
  );
}

/** What each month's bill asks for, with the tax. */
export function monthlyTotal({ amount, tax }: OrderView): Cents | undefined {
  return amount === null ? undefined : cents(amount + tax);
}
