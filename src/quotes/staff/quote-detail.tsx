import { Link } from 'wouter';
import { orderReference } from '../../orders/order.ts';
import { personPath, STAFF_PAGES } from '../../staff/staff-pages.ts';
import { Button } from '../../ui/button.tsx';
import { MailLink } from '../../ui/contact-links.tsx';
import { Fact, Facts } from '../../ui/facts.tsx';
import { Moment } from '../../ui/moment.tsx';
import { DetailCard } from '../../ui/records/list-and-detail.tsx';
import { QuotedPrice } from '../quoted-price.tsx';
import type { ToldQuoteRow } from '../read-quote.ts';
import { QuoteActions } from './quote-actions.tsx';
import { QuoteBadge } from './quote-badge.tsx';
import { useQuoteRow } from './use-quotes.ts';

/** One quote with all that has become of it. */
export function QuoteDetail({ id, onClose }: { id: number; onClose: () => void }) {
  const { data: quote, isError } = useQuoteRow(id);
  return (
    <DetailCard
      id={id}
      heading={quote ? `Quote ${quote.reference}` : 'Quote'}
      aside={
        <Button variant="quiet" size="small" onClick={onClose}>
          Close
        </Button>
      }
      failure={isError ? 'This quote could not be loaded.' : null}
    >
      {quote && (
        <>
          <div className="mt-3">
            <QuoteBadge quote={quote} />
          </div>
          <QuoteActions key={quote.id} quote={quote} />
          <Known quote={quote} />
          <div className="mt-5 border-t border-line pt-5">
            <QuotedPrice {...quote} />
          </div>
          {quote.note && (
            <p className="mt-5 border-t border-line pt-5 text-sm break-words whitespace-pre-line">
              <bdi>{quote.note}</bdi>
            </p>
          )}
        </>
      )}
    </DetailCard>
  );
}

function Known({ quote }: { quote: ToldQuoteRow }) {
  const { name, company, email, madeBy, createdAt, expiresAt, opened, lastOpenedAt, orderId } =
    quote;
  return (
    <Facts>
      <Fact term="Name">
        <bdi>{name}</bdi>
      </Fact>
      {company && (
        <Fact term="Company">
          <bdi>{company}</bdi>
        </Fact>
      )}
      <Fact term="Email">
        <MailLink email={email} />
        <Link href={personPath(email)} className="block underline underline-offset-4">
          Everything from this address
        </Link>
      </Fact>
      <Fact term="Made">
        <Moment at={createdAt} /> by {madeBy ?? 'the customer'}
      </Fact>
      <Fact term="Valid through">
        <Moment at={expiresAt} />
      </Fact>
      <Fact term="Viewed">
        {lastOpenedAt ? (
          <>
            {opened === 1 ? 'Once' : `${opened} times`}, last <Moment at={lastOpenedAt} />
          </>
        ) : (
          'Not yet'
        )}
      </Fact>
      {quote.acceptedAt && (
        <Fact term="Accepted">
          <Moment at={quote.acceptedAt} />
        </Fact>
      )}
      {quote.withdrawnAt && (
        <Fact term="Withdrawn">
          <Moment at={quote.withdrawnAt} />
        </Fact>
      )}
      {orderId && (
        <Fact term="Order">
          <Link
            href={`${STAFF_PAGES.orders.path}?open=${orderId}`}
            className="underline underline-offset-4"
          >
            {orderReference(orderId)}
          </Link>
        </Fact>
      )}
    </Facts>
  );
}
