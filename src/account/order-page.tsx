/** The page that the link in a receipt opens. */
import { useQuery } from '@tanstack/react-query';
import Printer from 'lucide-react/icons/printer';
import { type ComponentType, Suspense, useSyncExternalStore } from 'react';
import { Letterhead } from '../company/letterhead.tsx';
import { FETCH_FAILED } from '../orders/order-api.ts';
import { readRoute } from '../orders/order-route.ts';
import { OrderCard } from '../orders/order-state.tsx';
import type { Provider } from '../orders/payment.ts';
import type { CardFormProps } from '../payments/replace-card-form.tsx';
import { CallError, fetchCall } from '../platform/fetch-call.ts';
import { useSite } from '../platform/site.ts';
import { Button, TryAgain } from '../ui/button.tsx';
import { FailureBoundary, lazyPart } from '../ui/failure-boundary.tsx';
import { Container } from '../ui/layout.tsx';
import { Notice } from '../ui/notice.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { GET_LINKED_ORDER } from './account-api.ts';

/** Modules of their own: the checkout, whose document this is, does without them. */
const AccountView = lazyPart(async () => (await import('./account-view.tsx')).AccountView);
const LostLink = lazyPart(async () => (await import('./lost-link.tsx')).LostLink);

interface OrderPageProps {
  provider: Provider;
  /** Emails can be sent to customers. */
  mail: boolean;
  /** In which a card is entered in place of another. */
  CardForm: ComponentType<CardFormProps>;
}

export function OrderPage({ provider, mail, CardForm }: OrderPageProps) {
  const { email, phone } = useSite().company;
  const hash = useSyncExternalStore(
    onHashChange,
    () => window.location.hash,
    () => null,
  );
  const { token, receipt, access } = readRoute(hash ?? '');
  const {
    data: order,
    error,
    isFetching,
    refetch,
  } = useQuery({
    queryKey: ['order-page', token],
    queryFn: ({ signal }) => fetchCall(GET_LINKED_ORDER, { body: { token }, signal }),
    enabled: token !== '',
  });
  const isInvalid = error instanceof CallError && error.status < 429;
  const isLinkless = hash !== null && token === '';
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
          {order && (
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
        {!isLinkless && !order && (isFetching || !error) && (
          <Skeleton className="mt-8 h-64 w-full noscript:hidden" />
        )}
        {isInvalid && !isFetching && (
          <div className="mt-8">
            <Notice kind="warning">
              This link isn’t valid. Please use the one in your receipt, or call {call}.
            </Notice>
          </div>
        )}
        {isLinkless && (
          <p className="mt-4">Please open the link in your receipt to see your order.</p>
        )}
        {(isLinkless || (isInvalid && !isFetching)) && (
          <FailureBoundary>
            <Suspense>
              <LostLink mail={mail} />
            </Suspense>
          </FailureBoundary>
        )}
        {error && !isInvalid && !isFetching && (
          <div className="mt-8">
            <Notice kind="error">
              <p>{FETCH_FAILED}</p>
              <TryAgain onClick={() => refetch()} />
            </Notice>
          </div>
        )}
        {order && (
          <>
            <FailureBoundary
              fallback={
                <>
                  <FailureBoundary>
                    <OrderCard order={order} />
                  </FailureBoundary>
                  <div className="mt-6">
                    <Notice kind="error">
                      <p>Your plan and payments couldn’t be loaded. Please reload this page.</p>
                      <TryAgain onClick={() => window.location.reload()} />
                    </Notice>
                  </div>
                </>
              }
            >
              <Suspense fallback={<OrderCard order={order} />}>
                <AccountView
                  key={token}
                  route={{ token, receipt, access }}
                  order={order}
                  provider={provider}
                  mail={mail}
                  CardForm={CardForm}
                />
              </Suspense>
            </FailureBoundary>
            <p className="mt-8 text-sm *:text-primary print:hidden">
              Questions? Email{' '}
              <a href={`mailto:${email}`} className="underline">
                {email}
              </a>{' '}
              or call {call}.
            </p>
          </>
        )}
      </div>
    </Container>
  );
}

/** Another order's link, opened in this tab, differs in its fragment alone and loads no document; so does a receipt. */
function onHashChange(changed: () => void): () => void {
  window.addEventListener('hashchange', changed);
  return () => window.removeEventListener('hashchange', changed);
}
