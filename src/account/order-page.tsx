/** The page that the link in a receipt opens: the order, what runs, what was paid; or one receipt. */

import Printer from 'lucide-react/icons/printer';
import { type ReactNode, useSyncExternalStore } from 'react';
import { Letterhead } from '../company/letterhead.tsx';
import type { Provider } from '../orders/order.ts';
import { FETCH_FAILED, hashOf, readRoute } from '../orders/order-api.ts';
import { OrderCard } from '../orders/order-state.tsx';
import { CallError } from '../platform/fetch-call.ts';
import { useSite } from '../platform/site.ts';
import { Button, TryAgain } from '../ui/button.tsx';
import { FailureBoundary } from '../ui/failure-boundary.tsx';
import { Container } from '../ui/layout.tsx';
import { Notice } from '../ui/notice.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import type { Account } from './account-api.ts';
import { AskToChange, LostLink } from './lost-link.tsx';
import { PaymentsSection } from './payments-section.tsx';
import { PlanSection } from './plan-section.tsx';
import { Receipt } from './receipt.tsx';
import { useAccount } from './use-account.ts';

interface OrderPageProps {
  provider: Provider;
  /** Emails can be sent to customers. */
  mail: boolean;
}

export function OrderPage({ provider, mail }: OrderPageProps) {
  const { email, phone } = useSite().company;
  const hash = useSyncExternalStore(
    onHashChange,
    () => window.location.hash,
    () => null,
  );
  const { token, receipt, access } = readRoute(hash ?? '');
  const { data: account, error, isFetching, refetch } = useAccount(token);
  const isInvalid = error instanceof CallError && error.status < 429;
  const isLinkless = hash !== null && token === '';
  const tryAgain = <TryAgain onClick={() => refetch()} />;
  const call = (
    <a href={`tel:${phone.tel}`} className="whitespace-nowrap underline tabular-nums">
      {phone.display}
    </a>
  );

  return (
    <Container className="pt-28 pb-20 print:pt-0">
      <div className="max-w-3xl">
        {receipt === null && <Letterhead />}
        <div
          className={`flex flex-wrap items-center justify-between gap-4 ${receipt === null ? '' : 'hidden'}`}
        >
          <h1 className="text-2xl tracking-[-0.03em]">Your order</h1>
          {account && (
            <Button variant="quiet" onClick={() => window.print()}>
              <Printer className="size-4" />
              Print
            </Button>
          )}
        </div>
        {/* The link's token is in the address's fragment, which no server sees. */}
        <p className="mt-4 hidden noscript:block">
          This page needs JavaScript to show your order. Please turn it on, or email{' '}
          <a href={`mailto:${email}`} className="underline">
            {email}
          </a>{' '}
          or call {call}.
        </p>
        {isLinkless ? (
          <p className="mt-4">Please open the link in your receipt to see your order.</p>
        ) : !account && (isFetching || !error) ? (
          <Skeleton className="mt-8 h-64 w-full noscript:hidden" />
        ) : (
          error &&
          (isInvalid || !account) && (
            <div className="mt-8">
              <Notice kind={isInvalid ? 'warning' : 'error'}>
                {isInvalid ? (
                  <>This link isn’t valid. Please use the one in your receipt, or call {call}.</>
                ) : (
                  <>
                    <p>{FETCH_FAILED}</p>
                    {tryAgain}
                  </>
                )}
              </Notice>
            </div>
          )
        )}
        {(isLinkless || (isInvalid && !isFetching)) && <LostLink mail={mail} />}
        {account && (
          <FailureBoundary key={`${token} ${receipt}`}>
            {receipt === null ? (
              <AccountParts {...{ token, access, account, provider, mail, tryAgain }} />
            ) : (
              <PaidReceipt {...{ token, account, receipt }} test={provider === 'test'} />
            )}
          </FailureBoundary>
        )}
        {account && (
          <p className="mt-8 text-sm *:text-primary print:hidden">
            Questions? Email{' '}
            <a href={`mailto:${email}`} className="underline">
              {email}
            </a>{' '}
            or call {call}.
          </p>
        )}
      </div>
    </Container>
  );
}

interface AccountPartsProps extends OrderPageProps {
  token: string;
  access: string | null;
  account: Account;
  tryAgain: ReactNode;
}

function AccountParts({ token, access, account, provider, mail, tryAgain }: AccountPartsProps) {
  return (
    <>
      {account.running && account.mayChange && account.order.status === 'past_due' && (
        <div className="mt-8 print:hidden">
          <Notice kind="error">
            Your last payment didn’t go through. Replace your card to keep your plan.
          </Notice>
        </div>
      )}
      <OrderCard order={account.order} />
      {account.away && (
        <div className="mt-6">
          <Notice kind="warning">
            <p>Billing can’t be reached right now, so your plan can’t be changed at the moment.</p>
            {tryAgain}
          </Notice>
        </div>
      )}
      {account.running && (
        <PlanSection {...{ token, account, provider }} running={account.running} />
      )}
      <PaymentsSection {...{ token, account }} />
      {!account.mayChange && <AskToChange {...{ token, access, mail }} />}
    </>
  );
}

interface PaidReceiptProps {
  token: string;
  account: Account;
  /** The payment's id. */
  receipt: string;
  test: boolean;
}

function PaidReceipt({ token, account, receipt, test }: PaidReceiptProps) {
  const payment = account.payments.find(({ id }) => id === receipt);
  if (payment) return <Receipt {...{ token, account, payment, test }} />;
  return (
    <div className="mt-8 grid gap-4 text-sm">
      <Notice kind="warning">There’s no such receipt.</Notice>
      <p>
        <a href={hashOf({ token })} className="text-primary underline">
          Back to your order
        </a>
      </p>
    </div>
  );
}

/** Another order's link, opened in this tab, differs in its fragment alone and loads no document; so does a receipt. */
function onHashChange(changed: () => void): () => void {
  window.addEventListener('hashchange', changed);
  return () => window.removeEventListener('hashchange', changed);
}
