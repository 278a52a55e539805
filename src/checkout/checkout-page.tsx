import ArrowLeft from 'lucide-react/icons/arrow-left';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useList } from '../catalogue/catalogue-list.tsx';
import { monthlyPrice } from '../catalogue/pricing.ts';
import { LIST_PLANS, readPlans } from '../catalogue/read-catalogue.ts';
import { ORDER_PAGE } from '../orders/customer/order-page-address.ts';
import { OrderState } from '../orders/order-state.tsx';
import { retrievePayment } from '../payment/retrieve-payment.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { Container } from '../ui/container.tsx';
import { FailureBoundary } from '../ui/failure-boundary.tsx';
import type { CheckoutData } from './checkout-data.ts';
import { tellNoPlan } from './no-plan.ts';
import { OrderSummary } from './order-summary.tsx';
import { OrderPlaced } from './paying/order-placed.tsx';
import { PaymentCheck } from './paying/payment-check.tsx';
import { PaymentDialog } from './paying/payment-dialog.tsx';
import { useDialogEntry } from './paying/use-dialog-entry.ts';
import { usePaymentReturn } from './paying/use-payment.ts';
import { PlanList } from './plan-list.tsx';
import { type CheckoutProps, QuotedOrder } from './quoted-order.tsx';
import { useChoice } from './use-choice.ts';

export function CheckoutPage({ data }: { data: CheckoutData }) {
  const returned = usePaymentReturn(retrievePayment[data.provider]);
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

/** Where a plan is chosen and paid for. */
function Shop({ data, returned }: CheckoutProps) {
  const list = useList(LIST_PLANS, readPlans, data.plans);
  const form = useRef<HTMLFormElement>(null);
  const { plan, choice, choosePlan, change, typeUsers, ...counted } = useChoice(
    data.choice,
    data.usersAwaited,
    list.status === 'loaded' ? list.rows : data.plans,
    form,
  );
  const payment = useDialogEntry();
  const [busy, setBusy] = useState(false);
  const placed = returned.order?.status === 'paid' || returned.order?.status === 'processing';
  const price = plan ? monthlyPrice(plan, choice, data.prices) : undefined;

  /** The keyboard passes over the disabled button: Enter among the choices says what is missing. */
  function onKeyDown({ key, target }: KeyboardEvent) {
    if (key === 'Enter' && !plan && target instanceof HTMLInputElement) tellNoPlan();
  }

  return (
    <>
      <h1 className="text-2xl tracking-[-0.03em]">Almost There!</h1>
      <p className="mt-2 text-lg lg:text-base">
        {placed
          ? 'Your order is placed. To buy another plan, choose it below.'
          : 'Choose a plan, add what your team needs, and see the monthly total before you pay.'}
      </p>
      <FailureBoundary>
        <OrderState {...returned} />
      </FailureBoundary>
      <form
        ref={form}
        action="/checkout"
        method="get"
        onSubmit={(event) => event.preventDefault()}
        onKeyDown={onKeyDown}
        className="mt-8 grid grid-cols-1 items-start gap-x-8 gap-y-10 lg:grid-cols-12 lg:grid-rows-[auto_1fr]"
      >
        <div className="lg:col-span-6 xl:col-span-5">
          <h2 className="mb-5 text-xl tracking-tight">Available Plans</h2>
          <PlanList list={list} selectedId={choice.planId} onChoose={choosePlan} />
        </div>
        <div className="lg:col-span-6 lg:row-span-2 lg:h-full xl:col-span-7">
          <FailureBoundary>
            <OrderSummary
              plan={plan}
              choice={choice}
              prices={data.prices}
              price={price}
              {...counted}
              mailed={data.receipts}
              busy={busy}
              placed={placed}
              onChange={change}
              onUsers={typeUsers}
              onProceed={payment.show}
            />
          </FailureBoundary>
        </div>
        <Card className="lg:col-span-6 lg:-mt-4 xl:col-span-5">
          <h2 className="text-lg">Need a custom solution?</h2>
          <p className="mt-2 text-sm">
            More sites, more users, or a compliance deadline? Get a written quote.
          </p>
          <ButtonLink href="/#contact" variant="quiet" className="mt-4">
            Contact us
          </ButtonLink>
        </Card>
      </form>
      <p className="mt-10 text-sm">
        Already a customer?{' '}
        <a
          href={ORDER_PAGE.path}
          className="inline-flex min-h-11 items-center text-primary underline underline-offset-4"
        >
          Lost your link?
        </a>
      </p>
      <PaymentDialog
        open={payment.open && plan !== undefined}
        plan={plan}
        choice={choice}
        price={price}
        data={data}
        onClose={payment.hide}
        onBusy={setBusy}
      />
    </>
  );
}
