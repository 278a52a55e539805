/** The quote behind a link, as its page and the checkout fetch and show it. */
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { checkoutQuery } from '../catalogue/pricing.ts';
import { dayIn } from '../company/hours.ts';
import { PriceBreakdown } from '../orders/price-breakdown.tsx';
import { CallError, fetchCall } from '../platform/fetch-call.ts';
import { cents } from '../platform/money.ts';
import { useSite } from '../platform/site.ts';
import { TryAgainButton } from '../ui/button.tsx';
import { CompanyPhone } from '../ui/contact-links.tsx';
import { Notice } from '../ui/notice.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { OPEN_QUOTE, type QuoteView } from './quote-api.ts';

/** One document shows one quote. */
export const QUOTE = ['quote'];

/**
 * `token` is called in the browser alone. `drawn` is what the server has put into the document; the browser asks all the
 * same, which counts as an opening.
 */
export function useQuote(token: () => string, drawn: QuoteView | null = null) {
  return useQuery({
    queryKey: QUOTE,
    queryFn: ({ signal }) => fetchCall(OPEN_QUOTE, { body: { token: token() }, signal }),
    initialData: drawn ?? undefined,
    refetchOnMount: 'always',
  });
}

/** Of a state that this version does not know the server decides. */
export function isPayable({ state }: QuoteView): boolean {
  return state === 'open' || state === null;
}

interface QuotePlaceholderProps {
  query: UseQueryResult<QuoteView>;
  /** The server knows no quote of this link. */
  unknown?: boolean;
}

/** In the place of a quote: while it is loading, and when there is none. */
export function QuotePlaceholder({ query, unknown = false }: QuotePlaceholderProps) {
  const { data, error, isFetching, refetch } = query;
  if (data) return null;
  const isAwaited = !error || isFetching;
  const isUnknown = isAwaited ? unknown : error instanceof CallError && error.status < 429;
  if (isUnknown)
    return (
      <Notice kind="warning" className="mt-8">
        This link isn’t valid. Please check that it is complete, or call{' '}
        <CompanyPhone className="tabular-nums" />.
      </Notice>
    );
  if (isAwaited)
    return (
      <div role="status" className="mt-8">
        <span className="sr-only">Loading your quote</span>
        <Skeleton className="h-72 w-full" />
      </div>
    );
  return (
    <Notice kind="error" className="mt-8">
      <p>Your quote could not be loaded.</p>
      <TryAgainButton onClick={() => refetch()} />
    </Notice>
  );
}

export function QuoteNotice({ quote }: { quote: QuoteView }) {
  const { state, planId, acceptedAt } = quote;
  const { company } = useSite();
  if (isPayable(quote)) return null;
  return (
    <div className="mt-6">
      {state === 'accepted' ? (
        <Notice kind="info">
          This quote was accepted
          {acceptedAt && ` on ${dayIn(company, Date.parse(acceptedAt))}`}: the first month is paid.
        </Notice>
      ) : (
        <Notice kind="warning">
          <p>
            {state === 'expired'
              ? 'This quote has expired. Today’s prices may be different.'
              : 'This quote was withdrawn and can’t be accepted anymore.'}
          </p>
          <p className="mt-2">
            <a href={`/checkout?${checkoutQuery(planId, quote)}`} className="font-medium underline">
              See the same choice at today’s prices
            </a>
          </p>
        </Notice>
      )}
    </div>
  );
}

/** The lines of a quote, with what the plan costs otherwise and what comes off it. */
export function QuotedPrice({
  lines,
  amount,
  discount,
}: Pick<QuoteView, 'lines' | 'amount' | 'discount'>) {
  const listed = discount
    ? lines.map((line) =>
        line.kind === 'plan' ? { ...line, amount: cents(line.amount + discount.amount) } : line,
      )
    : lines;
  return (
    <PriceBreakdown
      lines={listed}
      total={amount}
      off={
        discount && {
          label: `${discount.percent ? `${discount.percent}% off the plan` : 'Discount on the plan'}: ${discount.reason}`,
          amount: discount.amount,
        }
      }
    />
  );
}
