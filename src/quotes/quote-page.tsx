/** /quote/:token: the quote, printable on one page, with the button that accepts it. */
import { useQueryClient } from '@tanstack/react-query';
import { FeatureList } from '../catalogue/feature-list.tsx';
import { PriceBreakdown } from '../catalogue/price-breakdown.tsx';
import { priceInWords } from '../catalogue/pricing.ts';
import { formatDay } from '../company/days.ts';
import { Paper } from '../company/paper.tsx';
import { fetchCall, reasonOf } from '../platform/fetch-call.ts';
import { useSite } from '../platform/site.ts';
import { formatDate } from '../platform/time.ts';
import { CHECKOUT_PAGES, CONTENT_PATHS } from '../routes.ts';
import { Badge } from '../ui/badge.tsx';
import { Button, ButtonLink, PrintButton } from '../ui/button.tsx';
import { CompanyPhone } from '../ui/contact-links.tsx';
import { FailureBoundary } from '../ui/failure-boundary.tsx';
import { Container } from '../ui/layout.tsx';
import { Notice } from '../ui/notice.tsx';
import { usePress } from '../ui/presses.ts';
import { DocumentTitle, WithSide } from '../ui/sheet.tsx';
import { AcceptQuote } from './accept-quote.tsx';
import { paidInWords, QUOTE_LABELS, type QuoteTerms, termsOf } from './quote.ts';
import { type QuoteView, SET_REMINDERS } from './quote-api.ts';
import {
  AddendumLink,
  dueInWords,
  isPayable,
  isVoid,
  QUOTE_KEY,
  QuotePlaceholder,
  QuoteSum,
  RenewQuote,
  stateInWords,
  useQuote,
} from './quote-view.tsx';

export interface QuotePageData {
  terms: QuoteTerms;
  tax: boolean;
  /** '' if the browser must read it from the URL. */
  token: string;
  /** The quote as rendered by the server; null if the browser must fetch it. */
  quote: QuoteView | null;
  unknown: boolean;
}

export default function QuotePage({ data }: { data: QuotePageData }) {
  const { token, quote: serverQuote, unknown, terms } = data;
  const readToken = () => token || (window.location.pathname.split('/')[2] ?? '');
  const query = useQuote(readToken, serverQuote);
  const quote = query.data;
  const { company, mail } = useSite();
  return (
    <Container className="pt-28 pb-20 print:pt-0 print:pb-0">
      <DocumentTitle className="print:hidden">
        {quote?.state === 'expired' ? 'This quote has expired' : `Your quote from ${company.name}`}
      </DocumentTitle>
      <QuotePlaceholder query={query} unknown={unknown} />
      {quote && (
        <FailureBoundary>
          <WithSide
            label="Price and acceptance"
            side={
              <>
                <QuoteSum quote={quote} />
                {quote.dueDays !== null && (
                  <AcceptQuote
                    quote={quote}
                    dueDays={quote.dueDays}
                    token={readToken()}
                    tax={data.tax}
                  />
                )}
                <div className="grid gap-3">
                  {isPayable(quote) && quote.dueDays === null && (
                    <>
                      <p>{`By paying, you accept the ${quote.planName} plan at ${priceInWords(quote.price)}. Sales tax, where it applies, is added.`}</p>
                      <AcceptAndPay token={readToken()} />
                    </>
                  )}
                  <RenewQuote quote={quote} />
                  <PrintButton variant={isVoid(quote) ? 'link' : 'quiet'} />
                </div>
                {quote.preparedBy && (
                  // On a wide screen, the quote says so beside this.
                  <p className="lg:hidden">
                    <span>{`Prepared by ${quote.preparedBy} at ${company.name}, `}</span>
                    <CompanyPhone className="text-primary tabular-nums" />
                  </p>
                )}
                {isPayable(quote) && mail && quote.reminders !== null && (
                  <Reminders wanted={quote.reminders} token={readToken()} />
                )}
              </>
            }
          >
            <QuoteSheet quote={quote} terms={termsOf(terms, quote)} />
            {isPayable(quote) && quote.dueDays === null && (
              // On a phone, the first is far above.
              <div className="mt-6 grid lg:hidden print:hidden">
                <AcceptAndPay token={readToken()} />
              </div>
            )}
          </WithSide>
        </FailureBoundary>
      )}
    </Container>
  );
}

function AcceptAndPay({ token }: { token: string }) {
  return (
    <ButtonLink href={`${CHECKOUT_PAGES.checkout.path}?quote=${token}`} size="large">
      Accept and pay
    </ButtonLink>
  );
}

function QuoteSheet({ quote, terms }: { quote: QuoteView; terms: readonly string[] }) {
  const { reference, name, company, note, byVisitor, createdAt, price, preparedBy } = quote;
  const { company: provider } = useSite();
  const [state, day] = stateInWords(quote, provider);
  return (
    <Paper
      label="The quote"
      title={`Quote ${reference}`}
      badge={quote.state && quote.state !== 'open' && <Badge>{QUOTE_LABELS[quote.state]}</Badge>}
      to="Prepared for"
      party={[company, name]}
      facts={{
        Date: createdAt && formatDay(provider, Date.parse(createdAt)),
        [state]: day || 'This quote can’t be accepted anymore',
        Payment: paidInWords(quote),
        Starts: price.startsOn && formatDate(price.startsOn),
        Addendum: quote.addendum && <AddendumLink />,
        'Prepared by': preparedBy,
      }}
    >
      <div className={isVoid(quote) ? '[&_*]:text-muted' : ''}>
        <PriceBreakdown price={price} withTotal due={dueInWords(quote)} />
      </div>
      {quote.features.length > 0 && (
        <>
          <h3 className="mt-8 text-sm">{`The ${quote.planName} plan includes`}</h3>
          <FeatureList
            features={quote.features}
            className="mt-2 grid gap-x-6 gap-y-1 sm:grid-cols-2"
          />
        </>
      )}
      {note && (
        <>
          <h3 className="mt-8 text-sm">{byVisitor ? 'Customer’s note' : 'Note'}</h3>
          <p className="mt-2 wrap-anywhere whitespace-pre-line">{note}</p>
        </>
      )}
      {!isVoid(quote) && <Terms terms={terms} />}
    </Paper>
  );
}

function Terms({ terms }: { terms: readonly string[] }) {
  return (
    <>
      <h3 className="mt-8 border-t border-line pt-6 text-sm">Terms</h3>
      <ul className="mt-2 grid list-disc gap-1 pl-5 text-[0.875rem] text-muted marker:text-primary">
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
    </>
  );
}

/** Anyone with the link can turn the reminders off and on. */
function Reminders({ wanted, token }: { wanted: boolean; token: string }) {
  const queryClient = useQueryClient();
  const toggling = usePress({
    mutationFn: () => fetchCall(SET_REMINDERS, { body: { token, wanted: !wanted } }),
    onSuccess: (quote) => queryClient.setQueryData(QUOTE_KEY, quote),
  });
  return (
    <div className="noscript:hidden">
      <p role="status">
        {wanted
          ? 'We’ll email reminders before the quote expires.'
          : 'We won’t email reminders about this quote.'}
      </p>
      <Button
        variant="quiet"
        size="small"
        busy={toggling.isPending}
        onClick={() => toggling.mutate()}
        className="mt-2"
      >
        {wanted ? 'Stop reminders' : 'Send reminders'}
      </Button>
      {toggling.error && (
        <Notice kind="error" className="mt-3">
          {reasonOf(toggling.error)}
        </Notice>
      )}
    </div>
  );
}
