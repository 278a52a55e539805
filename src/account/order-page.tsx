/** The page that a receipt's link opens: the order, its plan and payments, or a single receipt. */
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { Letterhead } from '../company/logo.tsx';
import { MAX_EMAIL } from '../limits.ts';
import {
  FETCH_FAILED,
  type OrderHash,
  type OrderPlace,
  readOrderHash,
  writeOrderHash,
} from '../orders/order-api.ts';
import { OrderCard } from '../orders/order-card.tsx';
import type { Provider } from '../payments/payment-api.ts';
import { CallError, fetchCall, reasonOf } from '../platform/fetch-call.ts';
import { cents, formatDollars } from '../platform/money.ts';
import { formatDate } from '../platform/time.ts';
import { PriceChangeSection } from '../price-changes/price-change-section.tsx';
import { Button, ButtonLink, PrintButton, TryAgainButton } from '../ui/button.tsx';
import { CallForm } from '../ui/call-form.tsx';
import { CompanyContacts, CompanyPhone } from '../ui/contact-links.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FailureBoundary } from '../ui/failure-boundary.tsx';
import { Container } from '../ui/layout.tsx';
import { Notice } from '../ui/notice.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { useHash } from '../ui/use-hash.ts';
import { OPEN_ACCESS_LINK, type Payment, SEND_LINK, SEND_LINKS } from './account-api.ts';
import { hasPart, PaymentsSection, Receipt } from './payments-section.tsx';
import { CancelPlan, PlanSection } from './plan-section.tsx';
import { type AccountProps, UNREACHABLE, useAccount, useChange } from './use-account.ts';

interface OrderPageData {
  provider: Provider;
  /** Whether the site can send email. */
  mail: boolean;
}

export default function OrderPage({ data }: { data: OrderPageData }) {
  // Links to receipts and other orders differ in the fragment only, which loads no new document.
  const hash = useHash();
  const route = readOrderHash(hash ?? '');
  const query = useAccount(route.token);
  const hasNoLink = hash !== null && route.token === '';

  return (
    <Container className="pt-28 pb-20 print:pt-0">
      <div className="max-w-3xl">
        {route.receipt === null && (
          <>
            <Letterhead />
            <div className="flex flex-wrap items-center justify-between gap-4">
              <h1 className="text-2xl tracking-[-0.03em]">
                {hasNoLink ? 'Manage your plan' : 'Your order'}
              </h1>
              {query.data && <PrintButton />}
            </div>
          </>
        )}
        <p className="mt-4 hidden noscript:block">
          This page needs JavaScript to show your order. Please turn it on, or email{' '}
          <CompanyContacts />
        </p>
        {hasNoLink ? (
          <>
            <p className="mt-4">
              {`Open the link ${data.mail ? 'in your receipt' : 'you saved after paying'} to see your payments, change your plan, replace your card, or cancel.`}
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

function AccountView({ provider, mail, route, query }: AccountViewProps) {
  const { data: account, error } = query;
  const { token, receipt } = route;
  const tryAgain = <TryAgainButton onClick={() => query.refetch()} />;
  // Comes first: staff may revoke the link while its order is shown.
  if (error instanceof CallError && error.status < 429)
    return (
      <>
        <Notice kind="warning" className="mt-8">
          This link isn’t valid. Please use the one in your receipt, or call{' '}
          <CompanyPhone className="tabular-nums" />.
        </Notice>
        <LostLink mail={mail} />
      </>
    );
  if (!account && error)
    return (
      <Notice kind="error" className="mt-8">
        <p>{FETCH_FAILED}</p>
        {tryAgain}
      </Notice>
    );
  if (!account) return <Skeleton className="mt-8 h-64 w-full noscript:hidden" />;
  return (
    <>
      <FailureBoundary key={`${token} ${receipt}`}>
        {receipt === null ? (
          <AccountParts
            route={route}
            token={token}
            account={account}
            provider={provider}
            mail={mail}
            tryAgain={tryAgain}
          />
        ) : (
          <PaidReceipt
            token={token}
            account={account}
            receipt={receipt}
            test={provider === 'test'}
          />
        )}
      </FailureBoundary>
      <p className="mt-8 text-sm print:hidden [&_a]:text-primary">
        Questions? Email <CompanyContacts />
      </p>
    </>
  );
}

interface AccountPartsProps extends OrderPageData, AccountProps {
  route: OrderHash;
  tryAgain: ReactNode;
}

function AccountParts({ route, token, account, provider, mail, tryAgain }: AccountPartsProps) {
  const { order, mayChange, running, priceChange } = account;
  const { place } = route;
  const [ending, setEnding] = useState(false);
  const close = () => setEnding(false);
  const onEnd = running && mayChange ? () => setEnding(true) : null;
  // An email's button leads to what it asks for, again with the next email's link.
  useEffect(() => {
    const target = place && document.getElementById(place === 'card' ? 'plan' : place);
    if (mayChange || place === 'pay' || place === 'prices') target?.scrollIntoView();
  }, [place, mayChange]);
  const asking = !mayChange && (
    <AskToChange token={token} route={route} mail={mail} email={order.email} />
  );
  const open = account.payments.findLast(({ payUrl }) => payUrl !== null);
  const toConfirm = account.payments.some(({ state }) => state === 'to_confirm');
  const failed = running && mayChange && order.status === 'past_due';
  return (
    <>
      {open && <OpenInvoice payment={open} />}
      {failed && !toConfirm && order.collection === 'card' && (
        <Notice kind="error" className="mt-8 print:hidden">
          Your last payment didn’t go through. Replace your card to keep your plan.
        </Notice>
      )}
      {(place === 'card' || place === 'plan') && asking}
      <OrderCard order={order} toConfirm={toConfirm} />
      {priceChange && <PriceChangeSection change={priceChange} order={order} onEnd={onEnd} />}
      {place === 'prices' && asking}
      {account.billingUnavailable && (
        <Notice kind="warning" className="mt-6">
          <p>Billing can’t be reached right now, so your plan can’t be changed at the moment.</p>
          {tryAgain}
        </Notice>
      )}
      {running && (
        <PlanSection
          // Starts again once this browser may change the plan.
          key={`${place} ${mayChange}`}
          place={place}
          token={token}
          account={account}
          provider={provider}
          running={running}
        />
      )}
      {running && (
        <Dialog open={ending} onClose={close} title="Cancel your plan?">
          <CancelPlan
            token={token}
            account={account}
            until={running.periodEnd}
            onCanceled={close}
            onClose={close}
          />
        </Dialog>
      )}
      <PaymentsSection token={token} account={account} />
      {(place === null || place === 'pay') && asking}
    </>
  );
}

/** The way to pay an invoice, or to confirm a renewal with the bank (3-D Secure). */
function OpenInvoice({ payment }: { payment: Payment }) {
  const { number, amount, remaining, dueDay, payUrl, state } = payment;
  const confirms = state === 'to_confirm';
  const due = dueDay && `, due on ${formatDate(dueDay)}`;
  const arrived = formatDollars(cents(amount - remaining));
  return (
    <section
      id="pay"
      aria-label="Open invoice"
      className="mt-8 scroll-mt-28 rounded-control border border-amber/30 bg-amber-soft p-4 print:hidden"
    >
      <p className="text-sm text-ink">
        {confirms
          ? `Your bank wants you to confirm this month’s payment of ${formatDollars(amount)}.`
          : `Invoice ${number ?? ''} of ${formatDollars(amount)}${due ?? ''}`}
      </p>
      {hasPart(payment) && (
        <p className="mt-1 text-sm text-ink">
          {`${arrived} has arrived. ${formatDollars(remaining)} is still open.`}
        </p>
      )}
      <ButtonLink href={payUrl ?? undefined} className="mt-3">
        {confirms ? 'Confirm the payment' : 'View and pay the invoice'}
      </ButtonLink>
    </section>
  );
}

interface PaidReceiptProps extends AccountProps {
  receipt: string;
  test: boolean;
}

function PaidReceipt({ token, account, receipt, test }: PaidReceiptProps) {
  const payment = account.payments.find(({ id, amount }) => id === receipt && amount > 0);
  if (payment) return <Receipt token={token} account={account} payment={payment} test={test} />;
  return (
    <div className="mt-8 grid gap-4 text-sm">
      <Notice kind="warning">There’s no such receipt.</Notice>
      <p>
        <a href={writeOrderHash({ token })} className="text-primary underline">
          Back to your order
        </a>
      </p>
    </div>
  );
}

function LostLink({ mail }: { mail: boolean }) {
  return (
    <section
      aria-label="Lost your link?"
      className="mt-8 rounded-card border border-line bg-paper p-6 sm:p-8 print:hidden"
    >
      <h2 className="text-lg">Lost your link?</h2>
      {mail ? (
        <CallForm
          label="Send my links"
          schema={SEND_LINKS.body}
          read={(field) => ({ email: field('email').trim() })}
          save={async ({ email }) => {
            await fetchCall(SEND_LINKS, { body: { email } });
            return email;
          }}
          failed="We couldn’t reach our server. Please try again."
          button="Email my links"
          className="mt-3 max-w-md"
        >
          {(line, sentTo) => (
            <>
              <p className="text-sm">
                Enter the email address of your order, and we’ll email you the link.
              </p>
              {line('Email', 'email', {
                type: 'email',
                autoComplete: 'email',
                maxLength: MAX_EMAIL,
              })}
              {sentTo && (
                <Notice kind="success">
                  {`If we have orders for ${sentTo}, their links will be in your inbox shortly. Each works once, for 30 minutes. We don’t send new ones while the last ones still work.`}
                </Notice>
              )}
            </>
          )}
        </CallForm>
      ) : (
        <p className="mt-3 text-sm">
          Please call <CompanyPhone className="text-primary" />, and we’ll find your order.
        </p>
      )}
    </section>
  );
}

interface AskToChangeProps {
  token: string;
  route: OrderHash;
  mail: boolean;
  /** The order's, to which the link is sent. */
  email: string;
}

const TO_DO: Partial<Record<OrderPlace, string>> = {
  card: 'replace your card',
  prices: 'end your plan',
};

/** A receipt's link only reads. Changes take an access link by email, which comes back here. */
function AskToChange({ token, route: { access, place }, mail, email }: AskToChangeProps) {
  const { isPending, problem, mutate } = useChange(token);
  const toDo = (place && TO_DO[place]) ?? 'change your plan';
  if (access === null || problem)
    return (
      <AskSection>
        {problem && <Notice kind="error">{problem}</Notice>}
        <p className="text-sm">
          {`This page only shows your order, so it’s safe to forward. To ${toDo}, open a link that works once${mail ? `: we’ll email it to ${email}.` : '.'}`}
        </p>
        {mail ? (
          <FreshLink token={token} place={place} />
        ) : (
          <p className="text-sm">
            Please call <CompanyPhone className="text-primary" />, and we’ll send you one.
          </p>
        )}
      </AskSection>
    );

  function open(link: string) {
    const forgetLink = () =>
      window.history.replaceState(null, '', writeOrderHash({ token, place }));
    const body = { token, access: link };
    mutate(() => fetchCall(OPEN_ACCESS_LINK, { body }).finally(forgetLink));
  }
  return (
    <AskSection>
      <p className="text-sm">
        Your link lets you change this plan from this browser. It works once.
      </p>
      <Button busy={isPending} onClick={() => open(access)} className="justify-self-start">
        Continue to my plan
      </Button>
    </AskSection>
  );
}

function AskSection({ children }: { children: ReactNode }) {
  return (
    <section
      aria-label="Change your plan"
      className="mt-8 grid gap-4 rounded-card border border-line bg-paper p-6 sm:p-8 print:hidden"
    >
      <h2 className="text-lg">Change your plan</h2>
      {children}
    </section>
  );
}

function FreshLink({ token, place }: Pick<OrderHash, 'token' | 'place'>) {
  const { isPending, isSuccess, error, mutate } = useMutation({
    mutationFn: () => fetchCall(SEND_LINK, { body: { token, place } }),
  });
  return (
    <>
      {error && <Notice kind="error">{reasonOf(error, UNREACHABLE)}</Notice>}
      {isSuccess ? (
        <Notice kind="success">
          The link will be in your inbox shortly. It works once, for 30 minutes. We don’t send a new
          one while the last one still works.
        </Notice>
      ) : (
        <Button busy={isPending} onClick={() => mutate()} className="justify-self-start">
          Email me the link
        </Button>
      )}
    </>
  );
}
