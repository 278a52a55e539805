import ArrowLeft from 'lucide-react/icons/arrow-left';
import { useEffect } from 'react';
import { FailureBoundary } from '../ui/failure-boundary.tsx';
import { Container } from '../ui/layout.tsx';
import type { CheckoutData } from './checkout-data.ts';
import { OrderPlaced } from './order-placed.tsx';
import { PaymentCheck, usePaymentReturn } from './payment-return.tsx';
import { QuotedOrder } from './quoted-order.tsx';
import { Shop } from './shop.tsx';

export function CheckoutPage({ data }: { data: CheckoutData }) {
  const returned = usePaymentReturn(data.provider);
  const { order, paid, problem, asking } = returned;
  // A new document begins at its top, and so does one that is loaded again. A visitor who has scrolled before the script
  // came stays there.
  useEffect(() => {
    window.history.scrollRestoration = 'manual';
  }, []);

  const checking = paid || (data.returning && (asking || problem !== null));
  return (
    <Container className="pt-22 pb-14 lg:pb-20 print:pt-0">
      {paid && order ? (
        <FailureBoundary>
          <OrderPlaced order={order} receipts={data.receipts} test={data.provider === 'test'} />
        </FailureBoundary>
      ) : checking ? (
        <PaymentCheck {...returned} />
      ) : (
        <>
          <BackToHome />
          {data.quoted ? (
            <QuotedOrder data={data} returned={returned} />
          ) : (
            <Shop data={data} returned={returned} />
          )}
        </>
      )}
    </Container>
  );
}

function BackToHome() {
  return (
    <a
      href="/"
      className="inline-flex min-h-11 items-center gap-2 text-sm font-medium text-primary"
    >
      <ArrowLeft className="size-4" />
      Back to Home
    </a>
  );
}
