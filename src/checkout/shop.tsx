import { type KeyboardEvent, useRef, useState } from 'react';
import { LIST_PLANS } from '../catalogue/catalogue.ts';
import { useList } from '../catalogue/catalogue-list.tsx';
import { monthlyPrice } from '../catalogue/pricing.ts';
import { ORDER_PAGE } from '../orders/order-api.ts';
import { OrderState } from '../orders/order-state.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { FailureBoundary } from '../ui/failure-boundary.tsx';
import { Card } from '../ui/layout.tsx';
import { useChoice } from './choice.ts';
import { OrderSummary, showNoPlan } from './order-summary.tsx';
import { PaymentDialog, useDialogEntry } from './payment-dialog.tsx';
import { PlanList } from './plan-list.tsx';
import type { CheckoutProps } from './quoted-order.tsx';

/** Where a plan is chosen and paid for. */
export function Shop({ data, returned }: CheckoutProps) {
  const list = useList(LIST_PLANS, data.plans);
  const form = useRef<HTMLFormElement>(null);
  const { plan, choice, onChange, ...counted } = useChoice(
    data.choice,
    data.usersAwaited,
    list.data ?? [],
    form,
  );
  const payment = useDialogEntry();
  const [busy, setBusy] = useState(false);
  const placed = returned.order?.status === 'paid' || returned.order?.status === 'processing';
  const price = plan ? monthlyPrice(plan, choice, data.prices) : undefined;

  /** The keyboard passes over the disabled button: Enter among the choices says what is missing. */
  function onKeyDown({ key, target }: KeyboardEvent) {
    if (key === 'Enter' && !plan && target instanceof HTMLInputElement) showNoPlan();
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
        onChange={onChange}
        onSubmit={(event) => event.preventDefault()}
        onKeyDown={onKeyDown}
        className="mt-8 grid grid-cols-1 items-start gap-x-8 gap-y-10 lg:grid-cols-12 lg:grid-rows-[auto_1fr]"
      >
        <div className="lg:col-span-6 xl:col-span-4">
          <h2 className="mb-5 text-xl tracking-tight">Available Plans</h2>
          <PlanList list={list} selectedId={choice.planId} />
        </div>
        <div className="lg:col-span-6 lg:row-span-2 lg:h-full xl:col-span-8">
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
              onProceed={payment.show}
            />
          </FailureBoundary>
        </div>
        <Card className="lg:col-span-6 lg:-mt-4 xl:col-span-4">
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
