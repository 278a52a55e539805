import { isRunning } from '../billing/order-status.ts';
import { orderReference } from '../billing/reference.ts';
import { IncludedFeatures } from '../catalogue/feature-list.tsx';
import { PriceBreakdown } from '../catalogue/price-breakdown.tsx';
import { type Price, priceInWords, priceOf } from '../catalogue/pricing.ts';
import { formatDay } from '../company/days.ts';
import { callUrl } from '../platform/contract.ts';
import { formatDollars } from '../platform/money.ts';
import { useSite } from '../platform/site.ts';
import { formatDate } from '../platform/time.ts';
import { Badge } from '../ui/badge.tsx';
import { DescriptionList } from '../ui/description-list.tsx';
import { Sheet, SheetTitle } from '../ui/sheet.tsx';
import { type OrderView, READ_TERMS } from './order-api.ts';
import { NOT_STARTED, renewalWords, startsInWords, willNotStart, wordsOf } from './status-words.ts';

interface OrderCardProps {
  order: OrderView;
  /** For a page that itself says what happens next. */
  hideNext?: boolean;
  /** Which itself says who the customer is, except in print, and what was paid. */
  isOwnPage?: boolean;
  /** The bank wants the customer to confirm a payment, which the page offers above. */
  toConfirm?: boolean;
  features?: readonly string[];
}

const TO_CONFIRM = {
  customer: 'Payment to confirm',
  next: 'It is paid once you approve the payment with your bank.',
  tone: 'amber',
} as const;

export function OrderCard(props: OrderCardProps) {
  const { order, hideNext = false, isOwnPage = false, toConfirm = false, features = [] } = props;
  const { company } = useSite();
  const words = toConfirm ? TO_CONFIRM : wordsOf(order);
  const renewal = renewalWords(order);
  const starts = startsInWords(order);
  const isOff = willNotStart(order);
  const running = order.status !== null && isRunning(order.status);
  const paused = running && order.paused;
  const ends = running && order.endsAt ? formatDay(company, Date.parse(order.endsAt)) : null;
  // They replace 'Paid' and "charged every month until you cancel", but no overdue payment.
  const isEndingOrPaused = order.status === 'paid' && (ends !== null || paused);
  const isActive = isOwnPage && order.status === 'paid' && !toConfirm;
  const contact = { Name: order.name, Company: order.company, Email: order.email };
  const price = shownPrice(order);
  const bought = !wordsOf(order)?.unsold;
  return (
    <Sheet aria-label="Your order" className="mt-8 print:mt-4">
      <SheetTitle title={`${order.planName} plan`}>
        {words && !isEndingOrPaused && !(isActive && starts) && (
          <Badge tone={words.tone === 'neutral' ? 'amber' : words.tone}>
            {isActive ? 'Active' : words.customer}
          </Badge>
        )}
        {renewal && <Badge tone={renewal.tone}>{renewal.customer}</Badge>}
        {starts && <Badge tone={isOff ? 'amber' : 'primary'}>{starts}</Badge>}
        {paused && <Badge tone="amber">Billing paused</Badge>}
        {ends && !isOff && <Badge tone="amber">{`Ends ${ends}`}</Badge>}
        {!bought && price && (
          <p className="text-ink tabular-nums sm:ml-auto">
            <span>{formatDollars(price.total)}</span>{' '}
            <span className="text-sm text-muted">per month</span>
          </p>
        )}
      </SheetTitle>
      <p className="mt-1 text-muted">
        <span>{`Order ${orderReference(order.id)}`}</span>
        {order.createdAt && (
          <>
            {' · '}
            <time dateTime={order.createdAt} className="inline-block">
              {`placed ${formatDay(company, Date.parse(order.createdAt))}`}
            </time>
          </>
        )}
      </p>
      <DescriptionList
        items={{
          ...(!isOwnPage && contact),
          Quote: order.quote,
          'Purchase order': order.poNumber,
          Accepted: order.accepted && <Acceptance {...order.accepted} />,
        }}
      />
      {isOwnPage && (
        <div className="hidden print:block">
          <DescriptionList items={contact} />
        </div>
      )}
      {bought && price && (
        <div className="mt-8">
          <PriceBreakdown price={price} withTotal />
          {features.length > 0 && (
            <div className="mt-2 -mb-3 print:hidden">
              <IncludedFeatures features={features} />
            </div>
          )}
        </div>
      )}
      {words && !hideNext && <h3 className="mt-8 text-sm">What happens next</h3>}
      <ul className="mt-4 grid list-disc empty:hidden gap-1 pl-5 text-sm marker:text-primary">
        {words && !hideNext && !isEndingOrPaused && <li>{words.next}</li>}
        {renewal && <li>{renewal.next}</li>}
        {order.refunded > 0 && order.status !== 'refunded' && !isOwnPage && (
          <li>{`${formatDollars(order.refunded)} refunded.`}</li>
        )}
        {order.credit > 0 && (
          <li>{`We owe you a credit of ${formatDollars(order.credit)}, and will contact you about sending it back.`}</li>
        )}
        {/* Staff give it at the payment provider, which may end it. */}
        {running && price?.lines.some(({ kind }) => kind === 'discount') && (
          <li>The discount lasts as long as we agreed.</li>
        )}
        {paused && <li>Billing is paused. You aren’t being charged.</li>}
        {ends && (isOff || !isOwnPage) && (
          <li>{isOff ? NOT_STARTED.next : `Your plan ends on ${ends}.`}</li>
        )}
      </ul>
    </Sheet>
  );
}

/** Who accepted what, with the terms as they read then. A card's owner stands beside it already. */
export function Acceptance(accepted: NonNullable<OrderView['accepted']>) {
  const { name, title, price, termsDate, termsHash } = accepted;
  return (
    <>
      {title && price && <span>{`${name}, ${title}: ${priceInWords(price)} and the `}</span>}
      <a
        href={callUrl(READ_TERMS, { params: { hash: termsHash } })}
        className="underline underline-offset-4"
      >
        {`${title ? 't' : 'T'}erms of ${formatDate(termsDate)}`}
      </a>
    </>
  );
}

/** Where an answer has no more, the amount alone. */
export function shownPrice({ price, amount }: OrderView): Price | null {
  return price ?? (amount === null ? null : { ...priceOf([]), total: amount });
}
