/** /quote/:token: the quote, printable on one page, with the button that accepts it. */
import { useQueryClient } from '@tanstack/react-query';
import { PriceBreakdown } from '../catalogue/price-breakdown.tsx';
import { formatDay } from '../company/hours.ts';
import { Letterhead } from '../company/logo.tsx';
import { fetchCall, reasonOf } from '../platform/fetch-call.ts';
import { useSite } from '../platform/site.ts';
import { formatDate } from '../platform/time.ts';
import { CHECKOUT_PAGES, CONTENT_PATHS } from '../routes.ts';
import { Badge } from '../ui/badge.tsx';
import { Button, ButtonLink, PrintButton } from '../ui/button.tsx';
import { DescriptionList } from '../ui/description-list.tsx';
import { FailureBoundary } from '../ui/failure-boundary.tsx';
import { Container, WithSide } from '../ui/layout.tsx';
import { Notice } from '../ui/notice.tsx';
import { usePress } from '../ui/presses.ts';
import { AcceptQuote, type TermsOfService } from './accept-quote.tsx';
import { paidInWords, QUOTE_LABELS, type QuoteTerms, termsOf } from './quote.ts';
import { type QuoteView, SET_REMINDERS } from './quote-api.ts';
import {
  AddendumLink,
  isPayable,
  PreparedBy,
  QUOTE_KEY,
  QuoteNotice,
  QuotePlaceholder,
  QuoteSum,
  useQuote,
} from './quote-view.tsx';

export interface QuotePageData {
  terms: QuoteTerms;
  termsOfService: TermsOfService;
  tax: boolean;
  /** '' if the browser must read it from the URL. */
  token: string;
  /** The quote as rendered by the server; null if the browser must fetch it. */
  quote: QuoteView | null;
  unknown: boolean;
  mail: boolean;
}

export default function QuotePage({ data }: { data: QuotePageData }) {
  const { token, quote: serverQuote, unknown, mail, terms } = data;
  const readToken = () => token || (window.location.pathname.split('/')[2] ?? '');
  const query = useQuote(readToken, serverQuote);
  const quote = query.data;
  const { company } = useSite();
  return (
    <Container className="pt-28 pb-20 print:pt-0 print:pb-0">
      <Letterhead />
      <h1 className="text-2xl tracking-[-0.03em]">{`Your quote from ${company.name}`}</h1>
      <QuotePlaceholder query={query} unknown={unknown} />
      {quote && (
        <FailureBoundary>
          <WithSide
            label="Price and acceptance"
            side={
              <>
                <QuoteSum quote={quote} />
                <QuoteNotice quote={quote} />
                {quote.dueDays !== null && (
                  <AcceptQuote
                    quote={quote}
                    dueDays={quote.dueDays}
                    token={readToken}
                    data={data}
                  />
                )}
                <div className="grid gap-3">
                  {isPayable(quote) && quote.dueDays === null && (
                    <ButtonLink
                      href={`${CHECKOUT_PAGES.checkout.path}?quote=${readToken()}`}
                      size="large"
                    >
                      Accept and pay
                    </ButtonLink>
                  )}
                  <PrintButton />
                </div>
                {isPayable(quote) && mail && <Reminders quote={quote} token={readToken} />}
                <PreparedBy quote={quote} />
              </>
            }
          >
            <QuoteSheet quote={quote} terms={termsOf(terms, quote)} />
          </WithSide>
        </FailureBoundary>
      )}
    </Container>
  );
}

const TONES = {
  open: 'neutral',
  accepted: 'primary',
  expired: 'amber',
  withdrawn: 'amber',
} as const;

function QuoteSheet({ quote, terms }: { quote: QuoteView; terms: readonly string[] }) {
  const { state, name, company, note, byVisitor, createdAt, expiresAt } = quote;
  const { company: provider } = useSite();
  const day = (time: string) => formatDay(provider, Date.parse(time));
  return (
    <section
      aria-label="The quote"
      className="rounded-card border border-line bg-paper p-6 sm:p-8 print:border-0 print:bg-white print:p-0"
    >
      <p className="text-sm text-muted">{`Quote ${quote.reference}`}</p>
      <div className="mt-1 flex flex-wrap items-center gap-4">
        <h2 className="text-lg">{quote.planName}</h2>
        {state && <Badge tone={TONES[state]}>{QUOTE_LABELS[state]}</Badge>}
      </div>
      <DescriptionList
        items={{
          'Prepared for': !byVisitor && name,
          Company: !byVisitor && company,
          Date: createdAt && day(createdAt),
          'Valid through': expiresAt && day(expiresAt),
          Payment: paidInWords(quote),
          Starts: quote.price.startsOn && formatDate(quote.price.startsOn),
          Addendum: quote.addendum && <AddendumLink />,
        }}
      />
      <div className="mt-5 border-t border-line pt-5">
        <PriceBreakdown price={quote.price} withTotal withDue={isPayable(quote)} />
      </div>
      {(note || byVisitor) && (
        <div className="mt-5 border-t border-line pt-5">
          <h3 className="text-sm font-medium text-ink">{byVisitor ? 'Prepared for' : 'Note'}</h3>
          {byVisitor && name && <p className="mt-1 text-sm wrap-anywhere">{name}</p>}
          {byVisitor && company && <p className="text-sm wrap-anywhere">{company}</p>}
          {note && (
            <p className="mt-1 text-sm wrap-anywhere whitespace-pre-line">
              {byVisitor && <span className="text-muted">Note: </span>}
              <span>{note}</span>
            </p>
          )}
        </div>
      )}
      <div className="mt-5 border-t border-line pt-5 text-sm">
        <h3 className="font-medium text-ink">Terms</h3>
        <ul className="mt-1 grid list-disc gap-1 pl-5 marker:text-primary">
          {terms.map((term, index) => (
            <li key={term}>
              <span>{term}</span>
              {index === terms.length - 1 && (
                <span>
                  {' '}
                  The{' '}
                  <a href={CONTENT_PATHS.termsOfService} className="underline">
                    terms of service
                  </a>{' '}
                  apply.
                </span>
              )}
            </li>
          ))}
        </ul>
        <div className="hidden print:block">
          <PreparedBy quote={quote} />
        </div>
      </div>
    </section>
  );
}

/** Anyone with the link can turn the reminders off and on. */
function Reminders({ quote: { reminders }, token }: { quote: QuoteView; token: () => string }) {
  const queryClient = useQueryClient();
  const toggling = usePress({
    mutationFn: () => fetchCall(SET_REMINDERS, { body: { token: token(), wanted: !reminders } }),
    onSuccess: (quote) => queryClient.setQueryData(QUOTE_KEY, quote),
  });
  return (
    <div className="noscript:hidden">
      <p role="status">
        {reminders
          ? 'We’ll email a reminder 7 days and 1 day before the quote expires.'
          : 'We won’t email reminders about this quote.'}
      </p>
      <Button
        variant="quiet"
        size="small"
        busy={toggling.isPending}
        onClick={() => toggling.mutate()}
        className="mt-2"
      >
        {reminders ? 'Stop reminders' : 'Send reminders'}
      </Button>
      {toggling.error && (
        <Notice kind="error" className="mt-3">
          {reasonOf(toggling.error)}
        </Notice>
      )}
    </div>
  );
}
