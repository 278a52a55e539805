import Check from 'lucide-react/icons/check';
import { type Cents, cents, formatDollars } from '../platform/money.ts';
import { Badge } from '../ui/badge.tsx';
import { Fact, Facts } from '../ui/facts.tsx';
import { Notice } from '../ui/notice.tsx';
import { TryAgain } from '../ui/try-again.tsx';
import type { OrderStatus } from './order.ts';
import { orderReference } from './order-reference.ts';
import { PriceBreakdown } from './price-breakdown.tsx';
import type { ToldOrder } from './read-order.ts';

type Tone = 'primary' | 'amber' | 'danger';

interface Words {
  label: string;
  next: readonly string[];
  /** What else is said right after buying. */
  first?: readonly string[];
  tone: Tone;
}

/** What a status means to the customer, and what happens next. */
const WORDS: Record<OrderStatus, Words> = {
  pending: { label: 'Not paid yet', next: ['No card has been charged.'], tone: 'amber' },
  processing: {
    label: 'Payment in progress',
    next: [
      'Your bank is still deciding. If it has asked you to approve the payment, please do so, or pay once more.',
    ],
    tone: 'amber',
  },
  paid: {
    label: 'Paid',
    first: ['We call or write within one business day to set you up.'],
    next: ['The same amount is charged every month until you cancel.'],
    tone: 'primary',
  },
  failed: {
    label: 'Payment failed',
    next: ['No card has been charged. You can try again with the same or another card.'],
    tone: 'danger',
  },
  canceled: { label: 'Canceled', next: ['Nothing more will be charged.'], tone: 'amber' },
  past_due: {
    label: 'Payment overdue',
    next: ['This month could not be charged. Please check your card, or contact us.'],
    tone: 'danger',
  },
  refunded: {
    label: 'Refunded',
    next: ['The amount is on its way back to your card.'],
    tone: 'amber',
  },
};

const RECEIPT =
  'Your receipt is on its way by e-mail. Its link leads back to this order at any time.';

interface OrderStateProps {
  order: ToldOrder | null;
  /** Why it cannot be shown. */
  problem: string | null;
  asking: boolean;
  again: () => void;
  /** Whether customers get receipts by e-mail. */
  receipts: boolean;
}

/** The order that this browser has placed, and where it stands. */
export function OrderState({ order, problem, asking, again, receipts }: OrderStateProps) {
  return (
    <div>
      {problem ? (
        <div className="mt-8">
          <Notice kind="error">
            <p>{problem}</p>
            <TryAgain busy={asking} onClick={again} />
          </Notice>
        </div>
      ) : (
        order && <OrderCard order={order} justBought receipt={receipts} />
      )}
    </div>
  );
}

interface OrderCardProps {
  order: ToldOrder;
  justBought?: boolean;
  /** A receipt goes to the customer by e-mail. */
  receipt?: boolean;
}

/** What was bought, where it stands and what happens next. */
export function OrderCard({ order, justBought = false, receipt = false }: OrderCardProps) {
  const words = order.status && WORDS[order.status];
  const { first = [], next = [] } = words ?? {};
  const sentences = [
    ...(justBought && receipt && order.status === 'paid' ? [RECEIPT] : []),
    ...(justBought ? first : []),
    // What has an end is not charged until somebody cancels it.
    ...(order.status === 'paid' && order.endsAt ? [] : next),
  ];
  const total = monthlyTotal(order);
  const celebrated = justBought && order.status === 'paid';
  const bought = order.status !== 'pending' && order.status !== 'failed';
  return (
    <section
      aria-label="Your order"
      className={`mt-8 max-w-3xl rounded-card border p-6 sm:p-8 ${
        celebrated ? 'border-primary/30 bg-primary-soft' : 'border-line bg-paper'
      }`}
    >
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        {celebrated && (
          <span className="grid size-11 place-items-center rounded-full bg-primary text-white transition-transform duration-200 motion-safe:starting:scale-50">
            <Check className="size-6" strokeWidth={2.5} />
          </span>
        )}
        <h2 className="text-lg">Order {orderReference(order.id)}</h2>
        {words && <Badge tone={words.tone}>{words.label}</Badge>}
        {!bought && total !== undefined && (
          <p className="text-ink tabular-nums sm:ml-auto">
            {formatDollars(total)} <span className="text-sm text-muted">per month</span>
          </p>
        )}
      </div>
      <Facts>
        {order.createdAt && (
          <Fact term="Placed">
            <time dateTime={order.createdAt}>{longDay.format(new Date(order.createdAt))}</time>
          </Fact>
        )}
        {order.name && <Fact term="Name">{order.name}</Fact>}
        {order.email && <Fact term="E-mail">{order.email}</Fact>}
      </Facts>
      {bought && (order.lines.length > 0 || total !== undefined) && (
        <div className="mt-5 border-y border-ink/10 py-5">
          <PriceBreakdown lines={order.lines} tax={order.tax} total={total} />
        </div>
      )}
      {words && <h3 className="mt-5 text-base">What happens next</h3>}
      <ul className="mt-2 grid list-disc gap-1 pl-5 text-sm marker:text-primary">
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
        {order.refunded > 0 && order.status !== 'refunded' && (
          <li>{formatDollars(order.refunded)} have been given back.</li>
        )}
        {order.endsAt && order.status !== 'canceled' && (
          <li>The subscription ends on {longDay.format(new Date(order.endsAt))}.</li>
        )}
      </ul>
    </section>
  );
}

const longDay = new Intl.DateTimeFormat('en-US', { dateStyle: 'long' });

/** What each month's bill asks for, with the tax. */
export function monthlyTotal({ amount, tax }: ToldOrder): Cents | undefined {
  return amount === null ? undefined : cents(amount + tax);
}
