/** The checkout: choosing and paying for a plan, paying a quote, and the return from paying. */

import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { LIST_PLANS, type Plan } from '../catalogue/catalogue.ts';
import { ListStates, useList } from '../catalogue/catalogue-list.tsx';
import { monthlyPrice } from '../catalogue/pricing.ts';
import { formatDollars } from '../platform/money.ts';
import { SAVE_QUOTE_FRAGMENT, SaveQuoteDialog } from '../quotes/save-quote.tsx';
import { CHECKOUT_PAGES, HOME_SECTIONS, SITE_PAGES } from '../routes.ts';
import { Badge } from '../ui/badge.tsx';
import { BackLink, ButtonLink } from '../ui/button.tsx';
import { FailureBoundary } from '../ui/failure-boundary.tsx';
import { Card, Container } from '../ui/layout.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import type { CheckoutData } from './checkout-data.ts';
import { useChoice } from './choice.ts';
import { OrderPlaced } from './order-placed.tsx';
import { OrderSummary, showNoPlan } from './order-summary.tsx';
import { PaymentDialog, useDialogEntry } from './payment-dialog.tsx';
import {
  PaymentCheck,
  type PaymentReturn,
  PlacedOrder,
  usePaymentReturn,
} from './payment-return.tsx';
import { QuotedOrder } from './quoted-order.tsx';

export default function CheckoutPage({ data }: { data: CheckoutData }) {
  const returned = usePaymentReturn(data.provider);
  const { order, paid, problem, isChecking } = returned;
  // A reload starts at the top, but a visitor who scrolled before the script ran stays put.
  useEffect(() => {
    window.history.scrollRestoration = 'manual';
  }, []);

  const checking = paid || (data.returning && (isChecking || problem !== null));
  return (
    <Container className="pt-22 pb-14 lg:pb-20 print:pt-0">
      {paid && order ? (
        <FailureBoundary>
          <OrderPlaced order={order} test={data.provider === 'test'} />
        </FailureBoundary>
      ) : checking ? (
        <PaymentCheck {...returned} />
      ) : data.quoted ? (
        <QuotedOrder data={data} returned={returned} />
      ) : (
        <Shop data={data} returned={returned} />
      )}
    </Container>
  );
}

function Shop({ data, returned }: { data: CheckoutData; returned: PaymentReturn }) {
  const list = useList(LIST_PLANS, data.plans);
  const form = useRef<HTMLFormElement>(null);
  const [prices, setPrices] = useState(data.prices);
  const chosen = useChoice(data.planId, list.data ?? [], prices, form);
  const { plan, choice } = chosen;
  const payment = useDialogEntry();
  const [savingQuote, setSavingQuote] = useState(false);
  const [busy, setBusy] = useState(false);
  const placed = returned.order?.status === 'paid' || returned.order?.status === 'processing';
  const price = plan ? monthlyPrice(plan, choice, prices) : undefined;

  // The planner links here with the fragment. `useChoice` then writes the URL without it.
  useEffect(() => {
    if (window.location.hash === SAVE_QUOTE_FRAGMENT) setSavingQuote(true);
  }, []);

  /** A disabled button cannot be focused, so Enter on a choice says what is missing instead. */
  function onKeyDown({ key, target }: KeyboardEvent) {
    if (key === 'Enter' && !plan && target instanceof HTMLInputElement) showNoPlan();
  }

  return (
    <>
      <BackLink href={SITE_PAGES.home.path}>Back to Home</BackLink>
      <h1 className="text-2xl tracking-[-0.03em]">Almost There!</h1>
      <p className="mt-2 text-lg lg:text-base">
        {returned.order?.billable
          ? 'Your order is placed. To buy another plan, choose it below.'
          : 'Choose a plan, add what your team needs, and see the monthly total before you pay.'}
      </p>
      <PlacedOrder returned={returned} provider={data.provider} />
      <form
        ref={form}
        action={CHECKOUT_PAGES.checkout.path}
        method="get"
        onSubmit={(event) => event.preventDefault()}
        onKeyDown={onKeyDown}
        className="mt-8 grid grid-cols-1 items-start gap-x-8 gap-y-10 lg:grid-cols-12 lg:grid-rows-[auto_1fr]"
      >
        <div className="lg:col-span-6 xl:col-span-4">
          <h2 className="mb-5 text-xl tracking-tight">Available Plans</h2>
          <ListStates
            list={list}
            what="pricing plans"
            failureClass="rounded-card border border-line bg-surface p-6"
            placeholders={<Placeholders />}
          >
            {(plans) => <Plans plans={plans} selected={plan} onSelect={chosen.choosePlan} />}
          </ListStates>
        </div>
        <div className="lg:col-span-6 lg:row-span-2 lg:h-full xl:col-span-8">
          <FailureBoundary>
            <OrderSummary
              chosen={chosen}
              plans={list.data ?? []}
              prices={prices}
              price={price}
              busy={busy}
              placed={placed}
              onProceed={payment.show}
              onSaveQuote={() => setSavingQuote(true)}
            />
          </FailureBoundary>
        </div>
        <Card className="lg:col-span-6 lg:-mt-4 xl:col-span-4">
          <h2 className="text-lg">Need a custom solution?</h2>
          <p className="mt-2 text-sm">{data.custom}</p>
          <ButtonLink href={HOME_SECTIONS.contact.path} variant="quiet" className="mt-4">
            Contact Us
          </ButtonLink>
        </Card>
      </form>
      {plan && price && (
        <>
          <PaymentDialog
            open={payment.open}
            plan={plan}
            choice={choice}
            price={price}
            data={data}
            onClose={payment.hide}
            onBusy={setBusy}
            onPrices={setPrices}
          />
          <SaveQuoteDialog
            open={savingQuote && !chosen.usersUnknown}
            plan={plan}
            choice={choice}
            onClose={() => setSavingQuote(false)}
          />
        </>
      )}
    </>
  );
}

const CARD = 'rounded-card border bg-surface p-5 max-[18rem]:p-3';

function Placeholders() {
  return (
    <div aria-busy="true" className="grid grid-cols-1 gap-4">
      <p className="sr-only" role="status">
        Loading plans
      </p>
      {['first', 'second', 'third'].map((place) => (
        <div key={place} data-placeholder="plan" className={`${CARD} border-line`}>
          <div className="pl-8">
            <Skeleton className="h-7.5 w-32" />
            <Skeleton className="mt-1 h-7 w-44" />
            <Skeleton className="mt-2 h-18 w-full sm:h-12" />
          </div>
        </div>
      ))}
    </div>
  );
}

interface PlansProps {
  plans: readonly Plan[];
  selected: Plan | undefined;
  onSelect: (plan: Plan) => void;
}

function Plans({ plans, selected, onSelect }: PlansProps) {
  return (
    <fieldset className="grid min-w-0 grid-cols-1 gap-4">
      <legend className="sr-only">Plan</legend>
      {plans.map((plan) => (
        <label
          key={plan.id}
          className={`${CARD} relative cursor-pointer border-line hover:border-edge has-checked:border-selected has-checked:bg-selected-soft has-checked:ring-1 has-checked:ring-selected has-focus-visible:outline-2 has-focus-visible:outline-offset-3 has-focus-visible:outline-primary`}
        >
          <span className="flex items-start gap-3">
            <input
              type="radio"
              name="plan"
              value={plan.id}
              checked={plan === selected}
              onChange={() => onSelect(plan)}
              aria-labelledby={`plan-${plan.id}-name plan-${plan.id}-price`}
              aria-describedby={`plan-${plan.id}-description`}
              className="mt-1 size-5 shrink-0 accent-selected focus-visible:outline-none"
            />
            <span className="min-w-0 flex-1">
              <span className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
                <span id={`plan-${plan.id}-name`} className="text-lg font-semibold text-ink">
                  {plan.name}
                </span>
                {plan.popular && <Badge tone="highlight">Most Popular</Badge>}
              </span>
              <span id={`plan-${plan.id}-price`} className="mt-1 block text-ink tabular-nums">
                <span className="font-medium">{formatDollars(plan.price)}</span>
                <span className="text-sm text-muted"> per month</span>
              </span>
              <span id={`plan-${plan.id}-description`} className="mt-2 block text-sm">
                {plan.description}
              </span>
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
