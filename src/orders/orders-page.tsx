/** /admin/orders: staff's list of orders and the details of one. */

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import ExternalLink from 'lucide-react/icons/external-link';
import type { ComponentType, ReactNode } from 'react';
import { ORDER_STATUSES } from '../billing/order-status.ts';
import { orderReference } from '../billing/reference.ts';
import { PriceBreakdown } from '../catalogue/price-breakdown.tsx';
import { callQuery } from '../platform/browser/query-client.ts';
import { callUrl } from '../platform/contract.ts';
import { formatDollars, withCommas } from '../platform/money.ts';
import { Badge } from '../ui/badge.tsx';
import { DescriptionList } from '../ui/description-list.tsx';
import { LocalTime, useTimeFormats } from '../ui/local-time.tsx';
import { DetailCard, useListParams } from '../ui/records/list-and-detail.tsx';
import { PersonLinks, PhoneLink } from '../ui/records/person-links.tsx';
import { SalesPage } from '../ui/records/sales-page.tsx';
import { isErased, owedInWords, renewalWords, STATUS_WORDS, wordsOf } from './order.ts';
import { OrderActions } from './order-actions.tsx';
import {
  DOWNLOAD_ORDERS,
  DOWNLOAD_PAYMENTS,
  GET_ORDER,
  LIST_ORDERS,
  ORDER_FILTER,
  type OrderRow,
  type StaffOrder,
} from './order-api.ts';
import { Acceptance, shownPrice } from './order-card.tsx';

interface OrdersPageProps {
  /** What the payment provider adds to an order. */
  PaymentPanel: ComponentType<{ order: StaffOrder }>;
}

export function OrdersPage({ PaymentPanel }: OrdersPageProps) {
  const listParams = useListParams(ORDER_FILTER.read, ORDER_FILTER.write);
  const { params, query } = listParams;
  const { data, isError } = useQuery({
    ...callQuery(LIST_ORDERS, { query }),
    placeholderData: keepPreviousData,
  });
  const all = { query: ORDER_FILTER.write({ ...params, page: 1 }) };
  return (
    <SalesPage
      noun="order"
      listParams={listParams}
      statuses={ORDER_STATUSES}
      labelOf={(status) => STATUS_WORDS[status].staff}
      isError={isError}
      sales={data?.orders.map(tableRow)}
      total={data?.total}
      counts={data?.counts}
      termsHeading="Options"
      downloads={[
        ['Export CSV', callUrl(DOWNLOAD_ORDERS, all)],
        ['Export payments', callUrl(DOWNLOAD_PAYMENTS, all)],
      ]}
      empty="No orders yet. When a customer buys a plan, the order appears here."
      detail={(id, onClose) => (
        <OrderDetail id={id} PaymentPanel={PaymentPanel} onClose={onClose} />
      )}
    />
  );
}

function tableRow(order: OrderRow) {
  return {
    id: order.id,
    reference: orderReference(order.id),
    at: order.createdAt,
    name: order.name,
    contact: order.email,
    amount: order.amount,
    status: <OrderBadge order={order} />,
    plan: order.planName,
    terms: options(order),
  };
}

/** 'Microsoft 365 Business Standard × 20, Cloud Backup × 20'. */
function options({ price }: OrderRow): string {
  const added = price?.lines.filter(({ kind }) => kind !== 'plan');
  return (
    added?.map(({ label, quantity }) => `${label} × ${withCommas(quantity)}`).join(', ') || '—'
  );
}

interface OrderDetailProps extends Pick<OrdersPageProps, 'PaymentPanel'> {
  id: number;
  onClose: () => void;
}

function OrderDetail({ id, PaymentPanel, onClose }: OrderDetailProps) {
  const { data: order, isError } = useQuery(callQuery(GET_ORDER, { params: { id } }));
  return (
    <DetailCard
      id={id}
      heading={`Order ${orderReference(id)}`}
      onClose={onClose}
      failure={isError ? 'We couldn’t load this order.' : null}
    >
      {order && (
        <>
          <div className="mt-3">
            <OrderBadge order={order} />
          </div>
          <OrderActions order={order} />
          <Buyer order={order} />
          <div className="mt-5 border-t border-line pt-5">
            <OrderPrice order={order} />
          </div>
          {order.inTestMode && <PaymentPanel order={order} />}
          <History order={order} />
        </>
      )}
    </DetailCard>
  );
}

function OrderPrice({ order }: { order: StaffOrder }) {
  const price = shownPrice(order);
  return price && <PriceBreakdown price={price} withTotal />;
}

function Buyer({ order }: { order: StaffOrder }) {
  const isKnown = !isErased(order);
  const customer = order.providerCustomer;
  const facts: Record<string, ReactNode> = {
    Owed: order.owed.length > 0 && (
      <ul>
        {order.owed.map((invoice) => (
          <li key={invoice.number}>{owedInWords(invoice)}</li>
        ))}
      </ul>
    ),
    Name: <bdi>{order.name}</bdi>,
    Company: order.company && <bdi>{order.company}</bdi>,
    Email: isKnown && <PersonLinks email={order.email} />,
    Phone: isKnown && <PhoneLink phone={order.phone} />,
    Quote: order.quote,
    'Purchase order': order.poNumber,
    Accepted: order.accepted && (
      <>
        <Acceptance {...order.accepted} />
        <span className="block text-xs text-muted">{`SHA-256 ${order.accepted.termsHash}`}</span>
      </>
    ),
    Source: order.source && <bdi translate="no">{order.source}</bdi>,
    Placed: <LocalTime at={order.createdAt} />,
    Ends: order.endsAt && <LocalTime at={order.endsAt} />,
    [`At ${customer?.provider}`]: customer?.url && (
      <a
        href={customer.url}
        target="_blank"
        rel="noopener"
        className="inline-flex items-center gap-1.5 underline underline-offset-4"
      >
        Open the customer
        <ExternalLink className="size-4" />
      </a>
    ),
  };
  return <DescriptionList items={facts} />;
}

function History({ order }: { order: StaffOrder }) {
  return (
    <section aria-label="History" className="mt-5 border-t border-line pt-5">
      <h3 className="text-sm font-medium text-ink">History</h3>
      <ol className="mt-3 grid gap-3 text-sm">
        {order.changes.map(({ at, status, text }) => (
          <li key={`${at} ${status} ${text}`} className="border-l-2 border-line pl-3">
            <p className="text-xs text-muted">
              <LocalTime at={at} />
            </p>
            <p className="wrap-anywhere">
              {status && (
                <strong className="font-medium text-ink">{`${STATUS_WORDS[status].staff}: `}</strong>
              )}
              <span>{text}</span>
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The status, and badges for a dispute, a partial refund, a pause and a scheduled end. */
function OrderBadge({ order }: { order: OrderRow }) {
  const { status, dispute, refunded, endsAt, paused } = order;
  const words = wordsOf(order);
  const renewal = renewalWords(order);
  // The bank's word for it is a lost dispute.
  const isReturned = order.payment.state === 'debit_returned';
  const { dayOfYear } = useTimeFormats();
  return (
    <span className="inline-flex flex-wrap items-center gap-1.5">
      {words && <Badge tone={words.tone}>{words.staff}</Badge>}
      {renewal && <Badge tone={renewal.tone}>{renewal.staff}</Badge>}
      {dispute && !isReturned && (
        <Badge tone={dispute === 'won' ? 'neutral' : 'danger'}>{`Dispute ${dispute}`}</Badge>
      )}
      {refunded > 0 && status !== 'refunded' && (
        <Badge>{`${formatDollars(refunded)} refunded`}</Badge>
      )}
      {paused && status === 'paid' && <Badge tone="amber">Billing paused</Badge>}
      {endsAt && status === 'paid' && (
        <Badge tone="amber">{`Ends ${dayOfYear.format(new Date(endsAt))}`}</Badge>
      )}
    </span>
  );
}
