/** One order as staff see it: money first, then who pays, then what happened. */
import { useQuery } from '@tanstack/react-query';
import ExternalLink from 'lucide-react/icons/external-link';
import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import { isOver, isRunning } from '../billing/order-status.ts';
import { orderReference } from '../billing/reference.ts';
import { payingWords } from '../billing/subscription.ts';
import { PriceBreakdown } from '../catalogue/price-breakdown.tsx';
import { isErased, whyItEnds } from '../orders/order.ts';
import { GET_ORDER, type StaffOrder } from '../orders/order-api.ts';
import { OrderBadge } from '../orders/order-badge.tsx';
import { Acceptance, shownPrice } from '../orders/order-card.tsx';
import { BY_AGREEMENT, STATUS_WORDS } from '../orders/status-words.ts';
import { GET_OWN_PAGE_FOR_STAFF, type Payment } from '../own-page/own-page-api.ts';
import { MonthState } from '../own-page/payments-section.tsx';
import { TestPanel } from '../payments/test-gateway/test-panel.tsx';
import { callQuery } from '../platform/browser/query-client.ts';
import { cents, formatDollars, sumOf } from '../platform/money.ts';
import { StaffQuoteDialog } from '../quotes/staff-quote-form.tsx';
import { recordPath } from '../routes.ts';
import { Button, TryAgainButton } from '../ui/button.tsx';
import { DescriptionList } from '../ui/description-list.tsx';
import { LocalTime, useTimeFormats } from '../ui/local-time.tsx';
import { Notice } from '../ui/notice.tsx';
import { DetailCard } from '../ui/records/list-and-detail.tsx';
import { PersonLinks, PhoneLink } from '../ui/records/person-links.tsx';
import { BuyerLine, MonthlySum, SaleHeading } from '../ui/records/sale-head.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import type { ActionProps } from './change-order.tsx';
import {
  canRefund,
  type OpenAction,
  OrderActions,
  OrderDialog,
  receivedOf,
  refundableOf,
} from './order-actions.tsx';

interface OrderDetailProps {
  id: number;
  onClose: () => void;
}

export function OrderDetail({ id, onClose }: OrderDetailProps) {
  const { data: order, isError } = useQuery(callQuery(GET_ORDER, { params: { id } }));
  const price = order && shownPrice(order);
  return (
    <DetailCard
      id={id}
      heading={
        <SaleHeading
          name={`Order ${orderReference(id)}`}
          sum={
            price ? (
              <MonthlySum total={price.total} className={endOf(order) ? 'text-muted' : ''} />
            ) : (
              order?.byAgreement && <span>{BY_AGREEMENT.staff}</span>
            )
          }
        >
          {order && <OrderBadge order={order} />}
        </SaleHeading>
      }
      onClose={onClose}
      failure={isError ? 'We couldn’t load this order.' : null}
    >
      {order && <Loaded order={order} />}
    </DetailCard>
  );
}

function Loaded({ order }: { order: StaffOrder }) {
  const { id } = order;
  const payments = useQuery(callQuery(GET_OWN_PAGE_FOR_STAFF, { params: { id } }));
  const { data: page, isError } = payments;
  const [open, setOpen] = useState<OpenAction | null>(null);
  const [quoting, setQuoting] = useState(false);
  const [, navigate] = useLocation();
  return (
    <>
      <BuyerLine {...order} reference={orderReference(id)} />
      <Cells order={order} page={page} failed={isError} />
      <OrderActions order={order} page={page} onOpen={setOpen} onQuote={() => setQuoting(true)} />
      {isError ? (
        <Notice kind="error" className="mt-5">
          <p>We couldn’t load the payments.</p>
          <TryAgainButton onClick={() => payments.refetch()} />
        </Notice>
      ) : (
        <Payments order={order} page={page} onOpen={setOpen} />
      )}
      <OrderPrice order={order} />
      <Part heading="Customer">
        <Buyer order={order} page={page} />
      </Part>
      {order.inTestMode && <TestPanel order={order} />}
      <Accepted order={order} />
      <History order={order} />
      <OrderDialog order={order} page={page} open={open} onClose={() => setOpen(null)} />
      <StaffQuoteDialog
        open={quoting}
        quote={null}
        person={order}
        onClose={() => setQuoting(false)}
        onMade={({ id }) => navigate(recordPath('quotes', id))}
      />
    </>
  );
}

function Part({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <section aria-label={heading} className="mt-5 border-t border-line pt-5">
      <h3 className="text-sm font-medium text-ink">{heading}</h3>
      <div className="mt-3 *:first:mt-0">{children}</div>
    </section>
  );
}

/** When it became what it stays. */
function endOf({ status, history }: StaffOrder) {
  return status !== null && isOver(status)
    ? history.findLast((past) => past.status === status)
    : undefined;
}

interface CellsProps extends Pick<ActionProps, 'order' | 'page'> {
  failed: boolean;
}

function Cells({ order, page, failed }: CellsProps) {
  const formats = useTimeFormats();
  const day = (at: string) => formats.dayOfYear.format(new Date(at));
  const words = payingWords(order.payment);
  const { running = null, payments = [] } = page ?? {};
  const isLoading = !page && !failed;
  const received = sumOf(payments.map(receivedOf));
  const runs = order.status !== null && isRunning(order.status);
  const next = running?.next;
  const ended = endOf(order);
  const cells: { term: string; value: string; note?: string | false | null | undefined }[] = [
    ...(ended
      ? [{ term: 'Ended', value: day(ended.at) }]
      : [
          {
            term: `Next ${words.charge}`,
            value: next
              ? formatDollars(next.total)
              : runs && !page?.running
                ? 'Unknown now'
                : 'None',
            note: next && day(running.periodEnd),
          },
          {
            term: 'Pays with',
            value: running?.card?.brand ?? (words.hasCard ? '—' : 'Invoice'),
            note: running?.card?.last4 && `•• ${running.card.last4}`,
          },
        ]),
    {
      term: 'Paid so far',
      value: failed ? '—' : formatDollars(received),
      note: order.refunded > 0 && formatDollars(cents(-order.refunded)),
    },
  ];
  return (
    <dl className="mt-4 grid grid-cols-1 divide-line rounded-control border border-line text-sm max-sm:divide-y sm:auto-cols-fr sm:grid-flow-col sm:divide-x">
      {cells.map(({ term, value, note }) => (
        <div key={term} className="px-3 py-2 max-sm:flex max-sm:justify-between max-sm:gap-4">
          <dt className="text-muted sm:text-xs">{term}</dt>
          <dd className="text-ink tabular-nums max-sm:text-right">
            {isLoading ? (
              <Skeleton className="h-4 w-20 max-w-full" />
            ) : (
              <>
                <span className="font-medium">{value}</span>{' '}
                {note && <span className="whitespace-nowrap text-muted sm:block">{note}</span>}
              </>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface PaymentsProps extends Pick<ActionProps, 'order' | 'page'> {
  onOpen: (open: OpenAction) => void;
}

function Payments({ order, page, onOpen }: PaymentsProps) {
  return (
    <Part heading="Payments">
      {!page && <Skeleton className="h-12 w-full" />}
      {page?.payments.length === 0 && <p className="text-sm">No payments yet.</p>}
      {page && page.payments.length > 0 && (
        <table className="w-full text-left text-sm tabular-nums max-[22rem]:text-xs">
          <thead className="sr-only">
            <tr>
              {['Date', 'Amount', 'Status', 'Action'].map((heading) => (
                <th key={heading} scope="col">
                  {heading}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {page.payments.map((payment) => (
              <PaymentRow key={payment.id} order={order} payment={payment} onOpen={onOpen} />
            ))}
          </tbody>
        </table>
      )}
    </Part>
  );
}

interface PaymentRowProps extends Pick<PaymentsProps, 'order' | 'onOpen'> {
  payment: Payment;
}

function PaymentRow({ order, payment, onOpen }: PaymentRowProps) {
  const { id, at, amount, brand, last4, refunded, reference, state } = payment;
  const received = receivedOf(payment);
  const formats = useTimeFormats();
  const paidWith = brand ? [brand, last4].filter(Boolean).join(' ••\u00a0') : reference;
  const dayId = `payment-${id}`;
  const date = new Date(at);
  const isThisYear = formats.year.format(date) === formats.year.format(new Date());
  return (
    <tr className="*:py-2 *:pr-2 *:align-top *:last:pr-0 sm:*:pr-3">
      <td className="whitespace-nowrap">
        <time id={dayId} dateTime={at} title={formats.full.format(date)}>
          {(isThisYear ? formats.dayOfYear : formats.date).format(date)}
        </time>
      </td>
      <td className="text-right whitespace-nowrap text-ink">
        <span>{formatDollars(amount)}</span>
        {refunded > 0 && (
          <span className="block text-xs text-muted">{formatDollars(cents(-refunded))}</span>
        )}
      </td>
      <td className="w-full">
        <MonthState payment={payment} />
        {state === 'paid' && received < amount && (
          <span className="block text-xs">{`${formatDollars(received)} received`}</span>
        )}
        {paidWith && <bdi className="block text-xs text-muted">{paidWith}</bdi>}
      </td>
      <td className="text-right">
        {canRefund(order) && refundableOf(payment) > 0 && (
          <Button
            variant="quiet"
            size="row"
            className="max-sm:px-3"
            aria-describedby={dayId}
            onClick={() => onOpen({ action: 'refund', payment })}
          >
            Refund…
          </Button>
        )}
      </td>
    </tr>
  );
}

function OrderPrice({ order }: { order: StaffOrder }) {
  const price = shownPrice(order);
  return (
    price && (
      <Part heading="Each month">
        <PriceBreakdown price={price} withTotal />
      </Part>
    )
  );
}

function Buyer({ order, page }: Pick<CellsProps, 'order' | 'page'>) {
  const { billingAddress: address = null, billsTo = null } = page ?? {};
  const isKnown = !isErased(order);
  const customer = order.providerCustomer;
  const facts: Record<string, ReactNode> = {
    Name: <bdi>{order.name}</bdi>,
    Company: order.company && <bdi>{order.company}</bdi>,
    Email: isKnown && <PersonLinks email={order.email} />,
    Phone: isKnown && <PhoneLink phone={order.phone} />,
    Address: address && <bdi className="whitespace-pre-line">{address}</bdi>,
    'Copies to': billsTo,
    Credit: order.credit > 0 && `${formatDollars(order.credit)} is owed to the customer`,
    Quote: order.quote,
    'Purchase order': order.poNumber,
    Source: order.source && <bdi translate="no">{order.source}</bdi>,
    Placed: <LocalTime at={order.createdAt} />,
    Ends: order.endsAt && <LocalTime at={order.endsAt} />,
    'Why it ends': whyItEnds(order) && <bdi>{whyItEnds(order)}</bdi>,
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

/** What was agreed to, for who must prove it; folded, since nobody reads a hash. */
function Accepted({ order: { accepted } }: { order: StaffOrder }) {
  if (!accepted) return null;
  return (
    <details className="mt-5 border-t border-line pt-4 text-sm">
      <summary className="min-h-8 cursor-pointer font-medium text-ink">Acceptance</summary>
      <p className="mt-2">
        <LocalTime at={accepted.at} />
      </p>
      <p className="mt-1">
        <Acceptance {...accepted} />
      </p>
      <p className="mt-1 text-xs text-muted wrap-anywhere">{`SHA-256 ${accepted.termsHash}`}</p>
    </details>
  );
}

function History({ order }: { order: StaffOrder }) {
  return (
    <Part heading="History">
      <ol className="grid gap-3 text-sm">
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
    </Part>
  );
}
