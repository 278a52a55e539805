/** The page that a receipt's link opens: the order, its plan and payments, or a single receipt. */

import { type ReactNode, Suspense, useEffect } from 'react';
import { payingWords } from '../billing/subscription.ts';
import { Letterhead } from '../company/logo.tsx';
import type { VendorFile } from '../company/vendor-file.ts';
import { FETCH_FAILED, type OrderHash, readOrderHash } from '../orders/order-api.ts';
import { OrderCard } from '../orders/order-card.tsx';
import type { Provider } from '../payments/payment-api.ts';
import { CallError } from '../platform/fetch-call.ts';
import { cents, formatDollars } from '../platform/money.ts';
import { useSite } from '../platform/site.ts';
import { formatDate } from '../platform/time.ts';
import { PriceChangeSection } from '../price-changes/price-change-section.tsx';
import { ButtonLink, TryAgainButton } from '../ui/button.tsx';
import { CompanyContacts } from '../ui/contact-links.tsx';
import { FailureBoundary, lazyWithRetry } from '../ui/failure-boundary.tsx';
import { Container } from '../ui/layout.tsx';
import { Notice } from '../ui/notice.tsx';
import { DocumentTitle, WithSide } from '../ui/sheet.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { useHash } from '../ui/use-hash.ts';
import { AskToChange, LostLink, whereLinkIs } from './access-links.tsx';
import { AssessmentSection } from './assessment-section.tsx';
import { ConfirmEmail, DetailsSection } from './details-section.tsx';
import type { Payment } from './own-page-api.ts';
import { hasPart, PaymentsSection } from './payments-section.tsx';
import { NoPlan, PlanCard, PlanForm, usePlan } from './plan-section.tsx';
import { PaidReceipt } from './receipt.tsx';
import { type OwnPageProps, useOwnPage } from './use-own-page.ts';

const VendorFilePage = lazyWithRetry(
  async () => (await import('./vendor-file-page.tsx')).VendorFilePage,
);

interface OrderPageData {
  provider: Provider;
  vendorFile: VendorFile;
}

export default function OrderPage({ data }: { data: OrderPageData }) {
  const { mail } = useSite();
  // Links to receipts and other orders differ in the fragment only, which loads no new document.
  const hash = useHash();
  const route = readOrderHash(hash ?? '');
  const query = useOwnPage(route.token);
  const hasNoLink = hash !== null && route.token === '';

  return (
    <Container className="pt-28 pb-20 print:pt-0">
      {route.receipt === null && !route.file && (
        <>
          <Letterhead />
          <DocumentTitle>Manage your plan</DocumentTitle>
        </>
      )}
      <p className="mt-4 hidden noscript:block">
        This page needs JavaScript to show your order. Please turn it on, or email{' '}
        <CompanyContacts />
      </p>
      {hasNoLink ? (
        <>
          <p className="mt-4 max-w-2xl">
            {`Open the link ${whereLinkIs(mail)} to see your payments, change your plan, replace your card, or cancel.`}
          </p>
          <LostLink />
        </>
      ) : (
        <OwnPageView {...data} route={route} query={query} />
      )}
    </Container>
  );
}

interface OwnPageViewProps extends OrderPageData {
  route: OrderHash;
  query: ReturnType<typeof useOwnPage>;
}

function OwnPageView({ provider, vendorFile, route, query }: OwnPageViewProps) {
  const { data: page, error } = query;
  const { token, receipt, place } = route;
  const tryAgain = <TryAgainButton onClick={() => query.refetch()} />;
  // Comes first: staff may revoke the link while its order is shown.
  if (error instanceof CallError && error.status < 429) return <LostLink isInvalid />;
  if (!page && error)
    return (
      <Notice kind="error" className="mt-8">
        <p>{FETCH_FAILED}</p>
        {tryAgain}
      </Notice>
    );
  if (!page) return <Skeleton className="mt-8 h-64 w-full noscript:hidden" />;
  return (
    <FailureBoundary key={`${token} ${receipt} ${route.file}`}>
      {route.file ? (
        <Suspense fallback={<Skeleton className="mt-8 h-64 w-full" />}>
          <VendorFilePage token={token} page={page} file={vendorFile} />
        </Suspense>
      ) : receipt === null ? (
        <OwnPageParts
          // Starts again once this browser may change the plan.
          key={`${place} ${page.mayChange}`}
          route={route}
          token={token}
          page={page}
          provider={provider}
          tryAgain={tryAgain}
        />
      ) : (
        <PaidReceipt token={token} page={page} receipt={receipt} />
      )}
    </FailureBoundary>
  );
}

interface OwnPagePartsProps extends Omit<OrderPageData, 'vendorFile'>, OwnPageProps {
  route: OrderHash;
  tryAgain: ReactNode;
}

function OwnPageParts({ route, token, page, provider, tryAgain }: OwnPagePartsProps) {
  const { order, mayChange, running, priceChange } = page;
  const { place, access } = route;
  const plan = usePlan(
    place === 'card' && mayChange && payingWords(order.payment).hasCard ? 'card' : null,
  );
  // An email's button leads to what it asks for, again with the next email's link.
  useEffect(() => {
    const target = place && document.getElementById(place === 'card' ? 'plan' : place);
    if (mayChange || place === 'pay' || place === 'prices') target?.scrollIntoView();
  }, [place, mayChange]);
  const asking = !mayChange && <AskToChange route={route} email={order.email} />;
  const asksFirst = place === 'card' || place === 'plan' || (access !== null && place !== 'prices');
  const unpaid = page.payments.findLast(({ payUrl }) => payUrl !== null);
  const toConfirm = page.payments.some(({ state }) => state === 'to_confirm');
  const isOwing = order.status === 'past_due' || order.status === 'failed';
  const planProps = running && { token, page, running, plan };
  return (
    <WithSide
      label="Plan and billing"
      side={
        <>
          {unpaid && <OpenInvoice payment={unpaid} />}
          {planProps ? (
            <PlanCard {...planProps} isToPay={unpaid !== undefined} />
          ) : (
            <NoPlan page={page} />
          )}
        </>
      }
    >
      <div className="grid gap-6 *:mt-0">
        <ConfirmEmail {...route} />
        {asksFirst && asking}
        {planProps && <PlanForm {...planProps} provider={provider} />}
        <OrderCard
          order={order}
          hideNext={order.status === 'paid' || (running !== null && isOwing)}
          isOwnPage
          toConfirm={toConfirm}
          features={page.features}
        />
        {priceChange && (
          <PriceChangeSection
            change={priceChange}
            order={order}
            onEnd={running && mayChange ? () => plan.show('end') : null}
          />
        )}
        {place === 'prices' && asking}
        {page.billingUnavailable && (
          <Notice kind="warning" className="mt-6">
            <p>
              We can’t reach our billing system right now, so your plan can’t be changed. Please try
              again in a few minutes.
            </p>
            {tryAgain}
          </Notice>
        )}
        <PaymentsSection token={token} page={page} />
        <DetailsSection token={token} page={page} />
        <AssessmentSection token={token} page={page} />
        {!asksFirst && place !== 'prices' && asking}
      </div>
    </WithSide>
  );
}

/** The way to pay an invoice, or to confirm a renewal with the bank (3-D Secure). */
function OpenInvoice({ payment }: { payment: Payment }) {
  const { number, amount, remaining, payUrl, state } = payment;
  const { dueDay } = payment.payment;
  const confirms = state === 'to_confirm';
  const due = dueDay && `, due on ${formatDate(dueDay)}`;
  const arrived = formatDollars(cents(amount - remaining));
  return (
    <section
      id="pay"
      aria-label="Open invoice"
      className="grid scroll-mt-28 gap-3 border-b border-line pb-5 text-ink"
    >
      <p>
        {confirms
          ? `Your bank needs your approval for a payment of ${formatDollars(amount)}.`
          : `Invoice ${number ?? ''} of ${formatDollars(amount)}${due ?? ''}`}
      </p>
      {hasPart(payment) && (
        <p>{`${arrived} has arrived. ${formatDollars(remaining)} is still open.`}</p>
      )}
      <ButtonLink href={payUrl ?? undefined}>
        {confirms ? 'Approve the payment' : 'View and pay the invoice'}
      </ButtonLink>
    </section>
  );
}
