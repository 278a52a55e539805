import Printer from 'lucide-react/icons/printer';
import { type ComponentType, lazy, Suspense } from 'react';
import { Letterhead } from '../company/letterhead.tsx';
import { FETCH_FAILED, type OrderView } from '../orders/order-api.ts';
import { OrderCard } from '../orders/order-state.tsx';
import type { Provider } from '../orders/payment.ts';
import type { CardFormProps } from '../payments/replace-card-form.tsx';
import { useSite } from '../platform/site.ts';
import { Button } from '../ui/button.tsx';
import { Container } from '../ui/container.tsx';
import { FailureBoundary } from '../ui/failure-boundary.tsx';
import { Notice } from '../ui/notice.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { TryAgain } from '../ui/try-again.tsx';
import { useLinkedOrder } from './use-linked-order.ts';

/** A module of its own: the checkout, whose document this is, does without it. */
const Account = lazy(() => import('./account.tsx').catch(() => ({ default: OrderAlone })));
const LostLink = lazy(() => import('./lost-link.tsx'));

interface OrderPageProps {
  provider: Provider;
  /** Letters can be sent to customers. */
  mail: boolean;
  /** In which a card is entered in place of another. */
  CardForm: ComponentType<CardFormProps>;
}

/** The page that the link in a receipt opens. */
export function OrderPage({ provider, mail, CardForm }: OrderPageProps) {
  const { state, receipt, access, again } = useLinkedOrder();
  const { email } = useSite().company;

  return (
    <Container className="pt-28 pb-20 print:pt-0">
      <div className="max-w-3xl">
        {receipt === null && <Letterhead />}
        <div
          className={`flex flex-wrap items-center justify-between gap-4 ${receipt === null ? '' : 'hidden'}`}
        >
          <h1 className="text-2xl tracking-[-0.03em]">Your order</h1>
          {state.name === 'loaded' && (
            <Button variant="quiet" onClick={() => window.print()}>
              <Printer className="size-4" />
              Print
            </Button>
          )}
        </div>
        {state.name === 'loading' && <Skeleton className="mt-8 h-64 w-full" />}
        {state.name === 'unknown' && (
          <div className="mt-8">
            <Notice kind="warning">
              This link isn’t valid. Please use the one in your receipt, or call <PhoneLink />.
            </Notice>
          </div>
        )}
        {state.name === 'none' && (
          <p className="mt-4">Please open the link in your receipt to see your order.</p>
        )}
        {(state.name === 'unknown' || state.name === 'none') && (
          <FailureBoundary>
            <Suspense>
              <LostLink mail={mail} />
            </Suspense>
          </FailureBoundary>
        )}
        {state.name === 'failed' && (
          <div className="mt-8">
            <Notice kind="error">
              <p>{FETCH_FAILED}</p>
              <TryAgain onClick={again} />
            </Notice>
          </div>
        )}
        {state.name === 'loaded' && (
          <>
            <FailureBoundary>
              <Suspense fallback={<OrderCard order={state.order} />}>
                <Account
                  key={state.token}
                  route={{ token: state.token, receipt, access }}
                  order={state.order}
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
              or call <PhoneLink />.
            </p>
          </>
        )}
      </div>
    </Container>
  );
}

/** While what else belongs to it cannot be loaded. */
function OrderAlone({ order }: { order: OrderView }) {
  return (
    <>
      <OrderCard order={order} />
      <div className="mt-6">
        <Notice kind="error">
          Your plan and payments couldn’t be loaded. Please reload this page.
        </Notice>
      </div>
    </>
  );
}

function PhoneLink() {
  const { phone } = useSite().company;
  return (
    <a href={`tel:${phone.tel}`} className="whitespace-nowrap underline tabular-nums">
      {phone.display}
    </a>
  );
}
