import { useQuery } from '@tanstack/react-query';
import ExternalLink from 'lucide-react/icons/external-link';
import { Link } from 'wouter';
import { fetchCall } from '../platform/fetch-call.ts';
import { formatDollars } from '../platform/money.ts';
import { personPath } from '../staff/staff-pages.ts';
import { Button } from '../ui/button.tsx';
import { MailLink, PhoneLink } from '../ui/contact-links.tsx';
import { Badge, Fact, Facts, Moment } from '../ui/facts.tsx';
import { DetailCard } from '../ui/records/list-and-detail.tsx';
import { isErased, type OrderStatus, orderReference } from './order.ts';
import { OrderActions } from './order-actions.tsx';
import { GET_ORDER, ORDERS_KEY, type OrderRow, type StaffOrder } from './order-api.ts';
import { monthlyTotal } from './order-state.tsx';
import { PriceBreakdown } from './price-breakdown.tsx';

/** One order with all that has happened to it. */
export function OrderDetail({ id, onClose }: { id: number; onClose: () => void }) {
  const { data: order, isError } = useOrder(id);
  return (
    <DetailCard
      id={id}
      heading={`Order ${orderReference(id)}`}
      aside={
        <Button variant="quiet" size="small" onClick={onClose}>
          Close
        </Button>
      }
      failure={isError ? 'This order could not be loaded.' : null}
    >
      {order && (
        <>
          <div className="mt-3">
            <OrderBadge order={order} />
          </div>
          <OrderActions order={order} />
          <Buyer order={order} />
          <div className="mt-5 border-t border-line pt-5">
            <PriceBreakdown lines={order.lines} tax={order.tax} total={monthlyTotal(order)} />
          </div>
          <History order={order} />
        </>
      )}
    </DetailCard>
  );
}

function useOrder(id: number) {
  return useQuery({
    queryKey: [...ORDERS_KEY, id],
    queryFn: ({ signal }) => fetchCall(GET_ORDER, { params: { id }, signal }),
    refetchOnMount: 'always',
  });
}

function Buyer({ order }: { order: StaffOrder }) {
  return (
    <Facts>
      <Fact term="Name">
        <bdi>{order.name}</bdi>
      </Fact>
      {order.company && (
        <Fact term="Company">
          <bdi>{order.company}</bdi>
        </Fact>
      )}
      {!isErased(order) && (
        <>
          <Fact term="Email">
            <MailLink email={order.email} />
            <Link href={personPath(order.email)} className="block underline underline-offset-4">
              Everything from this address
            </Link>
          </Fact>
          <Fact term="Phone">
            <PhoneLink phone={order.phone} />
          </Fact>
        </>
      )}
      {order.quote && <Fact term="Quote">{order.quote}</Fact>}
      <Fact term="Placed">
        <Moment at={order.createdAt} />
      </Fact>
      {order.endsAt && (
        <Fact term="Ends">
          <Moment at={order.endsAt} />
        </Fact>
      )}
      {order.providerPage && (
        <Fact term="At Stripe">
          <a
            href={order.providerPage}
            target="_blank"
            rel="noopener"
            className="inline-flex items-center gap-1.5 underline underline-offset-4"
          >
            Open the subscription
            <ExternalLink className="size-4" />
          </a>
        </Fact>
      )}
    </Facts>
  );
}

/** Changes of the status and notes in the order in which they happened. */
function History({ order }: { order: StaffOrder }) {
  const happened = [
    ...order.history.map(({ status, at, cause }) => ({
      at,
      what: status && STATUS_LABELS[status],
      why: cause,
    })),
    ...order.notes.map(({ at, note }) => ({ at, what: null, why: note })),
  ].sort((a, b) => a.at.localeCompare(b.at));
  return (
    <section aria-label="History" className="mt-5 border-t border-line pt-5">
      <h3 className="text-sm font-medium text-ink">History</h3>
      <ol className="mt-3 grid gap-3 text-sm">
        {happened.map(({ at, what, why }) => (
          <li key={`${at} ${what} ${why}`} className="border-l-2 border-line pl-3">
            <p className="text-xs text-muted">
              <Moment at={at} />
            </p>
            <p className="break-words">
              {what && <strong className="font-medium text-ink">{what}: </strong>}
              {why}
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}

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

/** The status, with what it does not show: a dispute, a partial refund, or a scheduled end. */
export function OrderBadge({ order }: { order: OrderRow }) {
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
