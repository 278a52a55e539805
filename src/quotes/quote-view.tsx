/** Fetches and shows the quote of a link, on its own page and in the checkout. */
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type ComponentProps, useEffect } from 'react';
import { checkoutQuery, dueToday, hasOwnStart, monthInWords } from '../catalogue/pricing.ts';
import type { Company } from '../company/company.ts';
import { formatDay } from '../company/days.ts';
import { CallError, fetchCall } from '../platform/fetch-call.ts';
import { formatDollars } from '../platform/money.ts';
import { useSite } from '../platform/site.ts';
import { CHECKOUT_PAGES } from '../routes.ts';
import { ButtonLink, TryAgainButton } from '../ui/button.tsx';
import { CompanyPhone } from '../ui/contact-links.tsx';
import { Notice } from '../ui/notice.tsx';
import { LargeAmount } from '../ui/sheet.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { acceptanceWords } from './quote.ts';
import { OPEN_QUOTE, type QuoteView } from './quote-api.ts';

/** The query key; a document shows only one quote. */
export const QUOTE_KEY = ['quote'];

/** `token` is called in the browser alone. `serverQuote` is fetched again: it may be cached. */
export function useQuote(token: () => string, serverQuote: QuoteView | null = null) {
  const query = useQuery({
    queryKey: QUOTE_KEY,
    queryFn: ({ signal }) => fetchCall(OPEN_QUOTE, { body: { token: token() }, signal }),
    initialData: serverQuote ?? undefined,
  });
  useCountedView(query.isSuccess, token);
  return query;
}

/** What programs that load every link of a mail do not do. */
const INPUTS = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'touchstart'];

function useCountedView(isShown: boolean, token: () => string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a document has one token
  useEffect(() => {
    if (!isShown) return;
    const waiting = new AbortController();
    const { signal } = waiting;
    const count = () => {
      waiting.abort();
      const body = { token: token(), viewed: true };
      // It will be counted the next time.
      fetchCall(OPEN_QUOTE, { body }).catch(() => undefined);
    };
    for (const input of INPUTS) document.addEventListener(input, count, { signal, passive: true });
    return () => waiting.abort();
  }, [isShown]);
}

/** If this version does not know the state, the server decides. */
export function isPayable({ state }: QuoteView): boolean {
  return state === 'open' || state === null;
}

interface QuotePlaceholderProps {
  query: UseQueryResult<QuoteView>;
  unknown?: boolean;
}

export function QuotePlaceholder({ query, unknown = false }: QuotePlaceholderProps) {
  const { data, error, isFetching, refetch } = query;
  if (data) return null;
  const isLoading = !error || isFetching;
  const isUnknown = isLoading ? unknown : error instanceof CallError && error.status < 429;
  if (isUnknown)
    return (
      <Notice kind="warning" className="mt-8">
        This link isn’t valid. Please check that it is complete, or call{' '}
        <CompanyPhone className="tabular-nums" />.
      </Notice>
    );
  if (isLoading)
    return (
      <div className="mt-8">
        <div role="status" className="noscript:hidden">
          <span className="sr-only">Loading your quote</span>
          <Skeleton className="h-72 w-full" />
        </div>
        <p className="hidden noscript:block">
          This page needs JavaScript to show your quote. Please turn it on, or call{' '}
          <CompanyPhone className="tabular-nums" />.
        </p>
      </div>
    );
  return (
    <Notice kind="error" className="mt-8">
      <p>We couldn’t load your quote.</p>
      <TryAgainButton onClick={() => refetch()} />
    </Notice>
  );
}

export function AddendumLink(link: ComponentProps<'a'>) {
  return (
    <a href="/safeguards-addendum" className="underline" {...link}>
      Safeguards addendum
    </a>
  );
}

/** 'Valid through', 'April 9, 2026', or what became of it. */
export function stateInWords(quote: QuoteView, company: Company): [state: string, day: string] {
  const { state, expiresAt, acceptedAt } = quote;
  const day = (time: string | null) => (time ? formatDay(company, Date.parse(time)) : '');
  if (state === 'withdrawn') return ['Withdrawn', ''];
  if (state === 'accepted') return ['Accepted', day(acceptedAt) + acceptanceWords(quote).accepted];
  return [state === 'expired' ? 'Expired' : 'Valid through', day(expiresAt)];
}

export function isVoid({ state }: QuoteView): boolean {
  return state === 'expired' || state === 'withdrawn';
}

/** What is paid on acceptance is due then, by invoice later; none where nothing is invoiced. */
export function dueInWords(quote: QuoteView): string | undefined {
  if (!isPayable(quote)) return undefined;
  if (quote.dueDays === null) return 'Due today';
  return dueToday(quote.price) > 0 ? 'First invoice' : undefined;
}

interface QuoteSumProps {
  quote: QuoteView;
  /** What the month is called, where it is paid. */
  label?: string;
}

/** What it costs, and how long it can be accepted. */
export function QuoteSum({ quote, label = monthInWords(quote.price) }: QuoteSumProps) {
  const { price } = quote;
  const { company } = useSite();
  const due = dueInWords(quote);
  return (
    <div className={isVoid(quote) ? '*:text-muted!' : ''}>
      <p className="text-muted">{label}</p>
      <LargeAmount
        amount={price.total}
        className={isVoid(quote) ? 'text-xl! font-medium! line-through' : undefined}
      />
      {due && hasOwnStart(price) && (
        <p className="mt-2 font-medium text-ink tabular-nums">
          {`${due}: ${formatDollars(dueToday(price))}`}
        </p>
      )}
      <p className="mt-1">{stateInWords(quote, company).join(' ')}</p>
    </div>
  );
}

/** What can be done once it is over. */
export function RenewQuote({ quote }: { quote: QuoteView }) {
  const { state, planId, reference } = quote;
  const { email } = useSite().company;
  const subject = encodeURIComponent(`Please renew quote ${reference}`);
  return (
    isVoid(quote) && (
      <>
        <ButtonLink href={`${CHECKOUT_PAGES.checkout.path}?${checkoutQuery(planId, quote)}`}>
          See today’s prices
        </ButtonLink>
        {state === 'expired' && (
          <ButtonLink href={`mailto:${email}?subject=${subject}`} variant="quiet">
            Ask us to renew it
          </ButtonLink>
        )}
      </>
    )
  );
}
