/** The checkout of a quote, which is paid as it is, at its own prices. */

import { useState } from 'react';
import { payingWords } from '../billing/subscription.ts';
import { PriceBreakdown } from '../catalogue/price-breakdown.tsx';
import { checkoutQuery } from '../catalogue/pricing.ts';
import { PlacedOrder } from '../orders/order-card.tsx';
import type { QuoteView } from '../quotes/quote-api.ts';
import {
  isPayable,
  PreparedBy,
  QuoteNotice,
  QuotePlaceholder,
  QuoteSum,
  useQuote,
} from '../quotes/quote-view.tsx';
import { CHECKOUT_PAGES, fillPath } from '../routes.ts';
import { Button } from '../ui/button.tsx';
import { DescriptionList } from '../ui/description-list.tsx';
import { FailureBoundary } from '../ui/failure-boundary.tsx';
import { WithSide } from '../ui/layout.tsx';
import { TextLink } from '../ui/rich-text.tsx';
import { type CheckoutData, QUOTE_PARAMETER } from './checkout-data.ts';
import { ContinuePayment } from './continue-payment.tsx';
import { PaymentDialog, useDialogEntry } from './payment-dialog.tsx';
import type { PaymentReturn } from './payment-return.tsx';

const tokenInUrl = () => new URLSearchParams(window.location.search).get(QUOTE_PARAMETER) ?? '';

interface QuotedOrderProps {
  data: CheckoutData;
  returned: PaymentReturn;
}

export function QuotedOrder({ data, returned }: QuotedOrderProps) {
  const query = useQuote(tokenInUrl);
  const quote = query.data;
  return (
    <div>
      <h1 className="text-2xl tracking-[-0.03em]">Almost There!</h1>
      <p className="mt-2 text-lg lg:text-base">
        {quote && isPayable(quote) && payingWords(quote.payment).hasCard
          ? `Quote ${quote.reference}: check the total, then pay by card.`
          : quote
            ? `Quote ${quote.reference}`
            : 'Your quote'}
      </p>
      <FailureBoundary>
        <ContinuePayment order={returned.order} provider={data.provider} />
        <PlacedOrder {...returned} />
      </FailureBoundary>
      <QuotePlaceholder query={query} />
      {quote && (
        <FailureBoundary>
          {isPayable(quote) && payingWords(quote.payment).hasCard ? (
            <Payable quote={quote} data={data} />
          ) : (
            <div className="mt-6 grid max-w-md gap-5 text-sm">
              <QuoteNotice quote={quote} />
              {isPayable(quote) && (
                <p>
                  This quote is paid by invoice.{' '}
                  <a href={fillPath(CHECKOUT_PAGES.quote.path, tokenInUrl())} className="underline">
                    Accept it on the quote page
                  </a>
                </p>
              )}
              <PreparedBy quote={quote} />
            </div>
          )}
        </FailureBoundary>
      )}
    </div>
  );
}

function Payable({ quote, data }: { quote: QuoteView; data: CheckoutData }) {
  const payment = useDialogEntry();
  const [busy, setBusy] = useState(false);
  const { planId, planName, ms365Option, ms365Users, includeCloudBackup } = quote;
  const { company, byVisitor, price, addendum } = quote;
  const plan = { id: planId, name: planName };
  return (
    <>
      <WithSide
        label="Price and payment"
        side={
          <>
            <QuoteSum quote={quote} />
            <Button size="large" busy={busy} onClick={payment.show}>
              {busy ? 'Processing...' : 'Proceed to Checkout'}
            </Button>
            <p>
              <TextLink href={`${CHECKOUT_PAGES.checkout.path}?${checkoutQuery(planId, quote)}`}>
                Change it and pay today’s prices
              </TextLink>
            </p>
            <PreparedBy quote={quote} />
          </>
        }
      >
        <div className="rounded-card border border-line bg-paper p-6 sm:p-8">
          <h2 className="text-xl tracking-tight">Order Summary</h2>
          <DescriptionList items={{ Plan: planName, Company: !byVisitor && company }} />
          <div className="mt-5 border-t border-line pt-5">
            <PriceBreakdown price={quote.price} withTotal withDue />
          </div>
        </div>
      </WithSide>
      <PaymentDialog
        open={payment.open}
        plan={plan}
        choice={{ ms365Option, ms365Users, includeCloudBackup }}
        price={price}
        quote={{ token: tokenInUrl(), company, addendum }}
        data={data}
        onClose={payment.hide}
        onBusy={setBusy}
      />
    </>
  );
}
