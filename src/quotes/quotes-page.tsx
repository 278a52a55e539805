import { keepPreviousData, useQuery } from '@tanstack/react-query';
import Plus from 'lucide-react/icons/plus';
import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useHistoryState } from 'wouter/use-browser-location';
import { orderReference } from '../billing/reference.ts';
import { PriceBreakdown } from '../catalogue/price-breakdown.tsx';
import { formatDay } from '../company/days.ts';
import { callQuery } from '../platform/browser/query-client.ts';
import { callUrl } from '../platform/contract.ts';
import { fetchCall, reasonOf } from '../platform/fetch-call.ts';
import { useSite } from '../platform/site.ts';
import { formatDate } from '../platform/time.ts';
import { recordPath } from '../routes.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { DescriptionList } from '../ui/description-list.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { LinkToCopy } from '../ui/link-to-copy.tsx';
import { LocalTime } from '../ui/local-time.tsx';
import { Notice } from '../ui/notice.tsx';
import { usePress } from '../ui/presses.ts';
import { DetailCard, useListParams } from '../ui/records/list-and-detail.tsx';
import { PersonLinks } from '../ui/records/person-links.tsx';
import { BuyerLine, MonthlySum, SaleHeading } from '../ui/records/sale-head.tsx';
import { SalesPage } from '../ui/records/sales-page.tsx';
import { paidInWords, QUOTE_LABELS, QUOTE_STATES } from './quote.ts';
import {
  DOWNLOAD_QUOTES,
  GET_QUOTE,
  LINK_QUOTE,
  LIST_QUOTES,
  QUOTE_FILTER,
  type QuoteRow,
  WITHDRAW_QUOTE,
} from './quote-api.ts';
import { AddendumLink } from './quote-view.tsx';
import { type QuotedPerson, StaffQuoteDialog } from './staff-quote-form.tsx';

export default function QuotesPage() {
  const listParams = useListParams(QUOTE_FILTER.read, QUOTE_FILTER.write);
  const { params, query, setParams } = listParams;
  const { data, isError } = useQuery({
    ...callQuery(LIST_QUOTES, { query }),
    placeholderData: keepPreviousData,
  });
  const [, navigate] = useLocation();
  /** Whom a thread has led here for. */
  const person = useHistoryState<{ newQuote?: QuotedPerson } | null>()?.newQuote;
  const [making, setMaking] = useState<'for-person' | 'new' | null>(person ? 'for-person' : null);
  const all = { query: QUOTE_FILTER.write({ ...params, page: 1 }) };
  return (
    <>
      <SalesPage
        noun="quote"
        listParams={listParams}
        statuses={QUOTE_STATES}
        labelOf={(state) => QUOTE_LABELS[state]}
        isError={isError}
        sales={data?.quotes.map(toSalesRow)}
        total={data?.total}
        counts={data?.counts}
        termsHeading="Valid through"
        downloads={[['Export CSV', callUrl(DOWNLOAD_QUOTES, all)]]}
        tools={
          <Button size="small" onClick={() => setMaking('new')} className="lg:order-last">
            <Plus className="size-4" />
            New quote
          </Button>
        }
        empty="No quotes yet. When a visitor saves one, or you make one, it appears here."
        detail={(id, onClose) => <QuoteDetail id={id} onClose={onClose} />}
      />
      <StaffQuoteDialog
        open={making !== null}
        quote={null}
        person={making === 'for-person' ? person : undefined}
        onClose={() => {
          setMaking(null);
          // Coming back to the list does not open it again.
          if (person)
            navigate(`${window.location.pathname}${window.location.search}`, { replace: true });
        }}
        onMade={({ id }) => setParams({ open: id })}
      />
    </>
  );
}

function toSalesRow(quote: QuoteRow) {
  return {
    id: quote.id,
    reference: quote.reference,
    at: quote.createdAt,
    name: quote.name,
    contact: quote.company ?? quote.email,
    amount: quote.amount,
    status: <QuoteBadge quote={quote} />,
    plan: quote.planName,
    terms: (
      <>
        <span className="lg:hidden">Valid through </span>
        <LocalTime at={quote.expiresAt} inList />
      </>
    ),
  };
}

function QuoteBadge({ quote: { state, opened } }: { quote: QuoteRow }) {
  return (
    <span className="inline-flex flex-wrap items-center gap-1.5">
      {state && (
        <Badge tone={state === 'accepted' ? 'primary' : 'neutral'}>{QUOTE_LABELS[state]}</Badge>
      )}
      {state === 'open' && opened > 0 && <Badge>Viewed</Badge>}
    </span>
  );
}

function QuoteDetail({ id, onClose }: { id: number; onClose: () => void }) {
  const { data: quote, isError } = useQuery(callQuery(GET_QUOTE, { params: { id } }));
  return (
    <DetailCard
      id={id}
      heading={
        <SaleHeading
          name={`Quote ${quote?.reference ?? ''}`}
          sum={quote && <MonthlySum total={quote.price.total} />}
        >
          {quote && <QuoteBadge quote={quote} />}
        </SaleHeading>
      }
      onClose={onClose}
      failure={isError ? 'We couldn’t load this quote.' : null}
    >
      {quote && (
        <>
          <BuyerLine {...quote} />
          <QuoteActions key={quote.id} quote={quote} />
          <QuoteState quote={quote} />
          <div className="mt-5 border-t border-line pt-5">
            <PriceBreakdown price={quote.price} withTotal />
          </div>
          {quote.note && (
            <p className="mt-5 border-t border-line pt-5 text-sm wrap-anywhere whitespace-pre-line">
              <bdi>{quote.note}</bdi>
            </p>
          )}
          <div className="mt-5 border-t border-line">
            <DescriptionList items={originOf(quote)} />
          </div>
        </>
      )}
    </DetailCard>
  );
}

/** What became of it, and what it asks for. */
function QuoteState({ quote }: { quote: QuoteRow }) {
  const { expiresAt, acceptedAt, withdrawnAt, opened, lastOpenedAt, orderId, acceptedBy } = quote;
  const { company } = useSite();
  const facts: Record<string, ReactNode> = {
    Order: orderId && (
      <Link href={recordPath('orders', orderId)} className="underline underline-offset-4">
        {orderReference(orderId)}
      </Link>
    ),
    Accepted: acceptedAt && (
      <>
        <LocalTime at={acceptedAt} />
        {acceptedBy && <bdi className="block">{acceptedBy}</bdi>}
      </>
    ),
    Withdrawn: withdrawnAt && <LocalTime at={withdrawnAt} />,
    'Valid through': expiresAt && formatDay(company, Date.parse(expiresAt)),
    Viewed: lastOpenedAt ? (
      <>
        <span>{`${opened === 1 ? 'Once' : `${opened} times`}, last `}</span>
        <LocalTime at={lastOpenedAt} />
      </>
    ) : (
      'Not yet'
    ),
    Payment: paidInWords(quote),
    Starts: quote.price.startsOn && formatDate(quote.price.startsOn),
    Addendum: quote.addendum && <AddendumLink />,
  };
  return <DescriptionList items={facts} />;
}

function originOf({ email, createdAt, madeBy, source }: QuoteRow): Record<string, ReactNode> {
  return {
    Email: <PersonLinks email={email} />,
    Made: (
      <>
        <LocalTime at={createdAt} /> <span>{`by ${madeBy ?? 'the customer'}`}</span>
      </>
    ),
    Source: source && <bdi translate="no">{source}</bdi>,
  };
}

function QuoteActions({ quote }: { quote: QuoteRow }) {
  const [dialog, setDialog] = useState<'change' | 'withdraw' | null>(null);
  const params = { id: quote.id };
  const linking = usePress({ mutationFn: () => fetchCall(LINK_QUOTE, { params }) });
  const close = () => setDialog(null);
  const changeable = quote.state === 'open' || quote.state === 'expired';
  return (
    <div className="mt-4 grid gap-4">
      <div className="flex flex-wrap gap-2">
        <Button
          variant="quiet"
          size="small"
          busy={linking.isPending}
          onClick={() => linking.mutate()}
        >
          Get a link
        </Button>
        {changeable && (
          <>
            <Button variant="quiet" size="small" onClick={() => setDialog('change')}>
              Change…
            </Button>
            <Button variant="quiet" size="small" onClick={() => setDialog('withdraw')}>
              Withdraw…
            </Button>
          </>
        )}
      </div>
      {linking.error && <Notice kind="error">{reasonOf(linking.error)}</Notice>}
      {linking.data && <LinkToCopy label="Link to the quote" url={linking.data.url} />}
      <StaffQuoteDialog open={dialog === 'change'} quote={quote} onClose={close} />
      <Dialog
        open={dialog === 'withdraw'}
        onClose={close}
        title="Withdraw the quote"
        subtitle={`${quote.reference}, ${quote.name}`}
      >
        <Confirm
          verb="Withdraw"
          act={() => fetchCall(WITHDRAW_QUOTE, { params })}
          reloads
          onClose={close}
        >
          <p>
            It can’t be accepted anymore, and its link says that it was withdrawn. No email is sent.
          </p>
        </Confirm>
      </Dialog>
    </div>
  );
}
