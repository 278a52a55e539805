/** The checkout of a quote, which is paid as it is, at its own prices. */

import { useEffect } from 'react';
import { payingWords } from '../billing/subscription.ts';
import { PriceBreakdown } from '../catalogue/price-breakdown.tsx';
import { checkoutQuery, hasOwnStart, listedLines } from '../catalogue/pricing.ts';
import type { QuoteView } from '../quotes/quote-api.ts';
import {
  isPayable,
  QuotePlaceholder,
  QuoteSum,
  RenewQuote,
  useQuote,
} from '../quotes/quote-view.tsx';
import { CHECKOUT_PAGES, fillPath } from '../routes.ts';
import { BackLink, ButtonLink } from '../ui/button.tsx';
import { PhoneDisclosure } from '../ui/disclosure.tsx';
import { FailureBoundary } from '../ui/failure-boundary.tsx';
import { Card } from '../ui/layout.tsx';
import { TextLink } from '../ui/rich-text.tsx';
import { DocumentTitle, Questions, Sheet, WithSide } from '../ui/sheet.tsx';
import { type CheckoutData, QUOTE_PARAMETER } from './checkout-data.ts';
import { PaymentFields } from './payment-dialog.tsx';
import { type PaymentReturn, PlacedOrder } from './payment-return.tsx';

const tokenInUrl = () => new URLSearchParams(window.location.search).get(QUOTE_PARAMETER) ?? '';

interface QuotedOrderProps {
  data: CheckoutData;
  returned: PaymentReturn;
}

export function QuotedOrder({ data, returned }: QuotedOrderProps) {
  const query = useQuote(tokenInUrl);
  const quote = query.data;
  const isPaid = returned.order?.status === 'paid';
  const { refetch } = query;
  // Its payment was looked up after the quote: there is nothing left to pay.
  useEffect(() => {
    if (isPaid) void refetch();
  }, [isPaid, refetch]);
  const quotePage = quote && fillPath(CHECKOUT_PAGES.quote.path, tokenInUrl());
  const isByCard = !quote || payingWords(quote.payment).hasCard;
  return (
    <>
      <BackLink href={quotePage}>Back to your quote</BackLink>
      <DocumentTitle>
        <span>{headingOf(query)}</span>
        {/* Its line is there before it is. */}
        <span className="tracking-normal whitespace-nowrap max-sm:block">
          {quote?.reference ?? '\u00a0'}
        </span>
      </DocumentTitle>
      <PlacedOrder returned={returned} provider={data.provider} />
      <QuotePlaceholder query={query} />
      {quote && (
        <FailureBoundary>
          {isPayable(quote) && isByCard ? (
            <Payable quote={quote} data={data} />
          ) : (
            <Card className="mt-8 grid max-w-md gap-5 text-sm">
              <QuoteSum quote={quote} />
              <div className="grid gap-3 empty:hidden">
                <RenewQuote quote={quote} />
              </div>
              {isPayable(quote) && (
                <>
                  <p>This quote is paid by invoice. No card is needed.</p>
                  <ButtonLink href={quotePage}>Accept it on the quote page</ButtonLink>
                </>
              )}
              <Questions />
            </Card>
          )}
        </FailureBoundary>
      )}
    </>
  );
}

/** Before the number, which is not known of a quote that can't be loaded. */
function headingOf({ data, isError }: ReturnType<typeof useQuote>): string {
  if (isError) return 'Your quote';
  return data && !isPayable(data) ? 'Quote ' : 'Pay for quote ';
}

function Payable({ quote, data }: { quote: QuoteView; data: CheckoutData }) {
  const { planId, ms365Option, ms365Users, includeCloudBackup } = quote;
  const { reference, name, company, price, addendum } = quote;
  const items = listedLines(price).length + price.once.length;
  return (
    <WithSide
      label="Price and payment"
      side={
        <>
          <QuoteSum quote={quote} label={hasOwnStart(price) ? undefined : 'Due today'} />
          <PhoneDisclosure
            summary={items === 1 ? '1 item' : `${items} items`}
            className="max-md:not-open:-my-3"
            inline
          >
            <PriceBreakdown price={price} withTotal due="Due today" />
          </PhoneDisclosure>
        </>
      }
    >
      <Sheet className="**:data-dialog-foot:static! **:data-dialog-foot:mt-1 **:data-dialog-foot:gap-4 **:data-dialog-foot:rounded-b-card **:data-dialog-foot:pb-8">
        <h2 className="mb-4 text-lg">Pay by credit card</h2>
        <PaymentFields
          plan={{ id: planId }}
          choice={{ ms365Option, ms365Users, includeCloudBackup }}
          price={price}
          quote={{ token: tokenInUrl(), reference, name, company, addendum }}
          data={data}
        />
      </Sheet>
      <p className="mt-6 text-sm">
        Need something else?{' '}
        <TextLink href={`${CHECKOUT_PAGES.checkout.path}?${checkoutQuery(planId, quote)}`}>
          Choose again at today’s prices
        </TextLink>
      </p>
    </WithSide>
  );
}
