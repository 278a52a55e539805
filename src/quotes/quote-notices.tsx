/** What is said in the place of a quote: while it is awaited, when there is none, and when it cannot be accepted. */
import { checkoutQuery } from '../catalogue/pricing.ts';
import { useSite } from '../platform/site.ts';
import { longDay } from '../ui/long-day.ts';
import { Notice } from '../ui/notice.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { TryAgain } from '../ui/try-again.tsx';
import type { ToldQuote } from './read-quote.ts';
import type { QuoteFound } from './use-quote.ts';

/** While it is awaited, and when there is none. */
export function QuoteMissing({ found, again }: { found: QuoteFound; again: () => void }) {
  const { phone } = useSite().company;
  switch (found.name) {
    case 'loading':
      return (
        <div role="status" data-awaited className="mt-8">
          <span className="sr-only">Loading your quote</span>
          <Skeleton className="h-72 w-full" />
        </div>
      );
    case 'unknown':
      return (
        <div className="mt-8">
          <Notice kind="warning">
            This link isn’t valid. Please check that it is complete, or call{' '}
            <a href={`tel:${phone.tel}`} className="whitespace-nowrap underline tabular-nums">
              {phone.display}
            </a>
            .
          </Notice>
        </div>
      );
    case 'failed':
      return (
        <div className="mt-8">
          <Notice kind="error">
            <p>Your quote could not be loaded.</p>
            <TryAgain onClick={again} />
          </Notice>
        </div>
      );
    case 'loaded':
      return null;
  }
}

/** What keeps it from being accepted, and what can be done instead. */
export function QuoteNotice({ quote }: { quote: ToldQuote }) {
  const { state, planId, acceptedAt } = quote;
  if (state === 'open' || state === null) return null;
  if (state === 'accepted') {
    return (
      <div className="mt-6">
        <Notice kind="info">
          This quote was accepted
          {acceptedAt && ` on ${longDay(acceptedAt)}`}: the first month is paid.
        </Notice>
      </div>
    );
  }
  return (
    <div className="mt-6">
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
    </div>
  );
}
