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
import type { Payment } from './account-api.ts';
import { AssessmentSection } from './assessment-section.tsx';
import { ConfirmEmail, DetailsSection } from './details-section.tsx';
import { hasPart, PaymentsSection } from './payments-section.tsx';
import { NoPlan, PlanCard, PlanForm, usePlan } from './plan-section.tsx';
import { PaidReceipt } from './receipt.tsx';
import { type AccountProps, useAccount } from './use-account.ts';

const VendorFilePage = lazyWithRetry(
  async () => (await import('./vendor-file-page.tsx')).VendorFilePage,
);

interface OrderPageData {
  provider: Provider;
  mail: boolean;
  vendorFile: VendorFile;
}

export default function OrderPage({ data }: { data: OrderPageData }) {
  // Links to receipts and other orders differ in the fragment only, which loads no new document.
  const hash = useHash();
  const route = readOrderHash(hash ?? '');
  const query = useAccount(route.token);
  const hasNoLink = hash !== null && route.token === '';

  return (
    <Container className="pt-28 pb-20 print:pt-0">
      <div>
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
              {`Open the link ${whereLinkIs(data.mail)} to see your payments, change your plan, replace your card, or cancel.`}
            </p>
            <LostLink mail={data.mail} />
          </>
        ) : (
          <AccountView {...data} route={route} query={query} />
        )}
      </div>
    </Container>
  );
}

interface AccountViewProps extends OrderPageData {
  route: OrderHash;
  query: ReturnType<typeof useAccount>;
}

function AccountView({ provider, mail, vendorFile, route, query }: AccountViewProps) {
  const { data: account, error } = query;
  const { token, receipt, place } = route;
  const tryAgain = <TryAgainButton onClick={() => query.refetch()} />;
  // Comes first: staff may revoke the link while its order is shown.
  if (error instanceof CallError && error.status < 429) return <LostLink mail={mail} isInvalid />;
  if (!account && error)
    return (
      <Notice kind="error" className="mt-8">
        <p>{FETCH_FAILED}</p>
        {tryAgain}
      </Notice>
    );
  if (!account) return <Skeleton className="mt-8 h-64 w-full noscript:hidden" />;
  return (
    <FailureBoundary key={`${token} ${receipt} ${route.file}`}>
      {route.file ? (
        <Suspense fallback={<Skeleton className="mt-8 h-64 w-full" />}>
          <VendorFilePage token={token} account={account} file={vendorFile} />
        </Suspense>
      ) : receipt === null ? (
        <AccountParts
          // Starts again once this browser may change the plan.
          key={`${place} ${account.mayChange}`}
          route={route}
          token={token}
          account={account}
          provider={provider}
          mail={mail}
          tryAgain={tryAgain}
        />
      ) : (
        <PaidReceipt token={token} account={account} receipt={receipt} />
      )}
    </FailureBoundary>
  );
}

interface AccountPartsProps extends Omit<OrderPageData, 'vendorFile'>, AccountProps {
  route: OrderHash;
  tryAgain: ReactNode;
}

function AccountParts({ route, token, account, provider, mail, tryAgain }: AccountPartsProps) {
  const { order, mayChange, running, priceChange } = account;
  const { place } = route;
  const plan = usePlan(
    place === 'card' && mayChange && payingWords(order.payment).hasCard ? 'card' : null,
  );
  // An email's button leads to what it asks for, again with the next email's link.
  useEffect(() => {
    const target = place && document.getElementById(place === 'card' ? 'plan' : place);
    if (mayChange || place === 'pay' || place === 'prices') target?.scrollIntoView();
  }, [place, mayChange]);
  const asking = !mayChange && <AskToChange route={route} mail={mail} email={order.email} />;
  const unpaid = account.payments.findLast(({ payUrl }) => payUrl !== null);
  const toConfirm = account.payments.some(({ state }) => state === 'to_confirm');
  const isOwing = order.status === 'past_due' || order.status === 'failed';
  const planProps = running && { token, account, running, plan };
  const parts = (
    <div className="grid gap-6 *:mt-0">
      <ConfirmEmail {...route} />
      {(place === 'card' || place === 'plan') && asking}
      {planProps && <PlanForm {...planProps} provider={provider} />}
      <OrderCard
        order={order}
        hideNext={order.status === 'paid' || (running !== null && isOwing)}
        isOwnPage
        toConfirm={toConfirm}
        features={account.features}
      />
      {priceChange && (
        <PriceChangeSection
          change={priceChange}
          order={order}
          onEnd={running && mayChange ? () => plan.show('end') : null}
        />
      )}
      {place === 'prices' && asking}
      {account.billingUnavailable && (
        <Notice kind="warning" className="mt-6">
          <p>
            We can’t reach our billing system right now, so your plan can’t be changed. Please try
            again in a few minutes.
          </p>
          {tryAgain}
        </Notice>
      )}
      <PaymentsSection token={token} account={account} />
      <DetailsSection token={token} account={account} mail={mail} />
      <AssessmentSection token={token} account={account} />
      {(place === null || place === 'pay') && asking}
    </div>
  );
  return (
    <WithSide
      label="Plan and billing"
      side={
        <>
          {unpaid && <OpenInvoice payment={unpaid} />}
          {planProps ? (
            <PlanCard {...planProps} isToPay={unpaid !== undefined} />
          ) : (
            <NoPlan account={account} />
          )}
        </>
      }
    >
      {parts}
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
          ? `Your bank needs your approval for this month’s payment of ${formatDollars(amount)}.`
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
