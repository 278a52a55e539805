/** The running plan, its next charge, and the ways to change, resume or cancel it. */

import { Suspense, useRef, useState } from 'react';
import { cardName, payingWords } from '../billing/subscription.ts';
import { formatDay } from '../company/hours.ts';
import { owesByCard } from '../orders/order.ts';
import type { Provider } from '../payments/payment-api.ts';
import { fetchCall } from '../platform/fetch-call.ts';
import { formatDollars, withCommas } from '../platform/money.ts';
import { useSite } from '../platform/site.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { DescriptionList } from '../ui/description-list.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { lazyWithRetry } from '../ui/failure-boundary.tsx';
import { Notice } from '../ui/notice.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { CANCEL_PLAN, RESUME_PLAN, type RunningPlan } from './account-api.ts';
import { ChangeForm } from './change-plan.tsx';
import { type AccountProps, UNREACHABLE, useChange } from './use-account.ts';

/** Loaded when a card is replaced. */
const ReplaceCard = lazyWithRetry(async () => (await import('./replace-card.tsx')).ReplaceCard);

/** The form or dialog in which the plan is changed. */
export type OpenPart = 'change' | 'card' | 'end';

interface PlanSectionProps extends AccountProps {
  running: RunningPlan;
  provider: Provider;
  open: OpenPart | null;
  onOpen: (part: OpenPart | null) => void;
}

export function PlanSection(props: PlanSectionProps) {
  const { running, provider, open, onOpen, ...accountProps } = props;
  const { token, account } = accountProps;
  const { order } = account;
  const [outcome, setOutcome] = useState<string | null>(null);
  const resuming = useChange(token);
  // Takes the focus when the pressed button disappears.
  const heading = useRef<HTMLHeadingElement>(null);

  function show(part: OpenPart | null) {
    setOutcome(null);
    resuming.reset();
    onOpen(part);
  }

  function close(done: string | null) {
    show(null);
    heading.current?.focus();
    setOutcome(done);
  }

  function resume() {
    setOutcome(null);
    resuming.mutate(() => fetchCall(RESUME_PLAN, { body: { token, version: order.version } }), {
      onSuccess: () => close('Your plan continues and renews as before.'),
    });
  }

  const ends = order.endsAt !== null;
  const message = resuming.problem ?? outcome;
  return (
    <section
      id="plan"
      aria-label="Plan and billing"
      className="mt-6 scroll-mt-28 rounded-card border border-line bg-surface p-6 sm:p-8"
    >
      <h2 ref={heading} tabIndex={-1} className="text-lg outline-none">
        Plan and billing
      </h2>
      <PlanFacts account={account} running={running} />
      {message && (
        <Notice kind={resuming.problem ? 'error' : 'success'} className="mt-5 print:hidden">
          <p>{message}</p>
        </Notice>
      )}
      <div className="mt-6 print:hidden">
        {open === 'change' && <ChangeForm {...accountProps} onClose={close} />}
        {open === 'card' && (
          <Suspense fallback={<Skeleton className="h-64 w-full" />}>
            <ReplaceCard {...accountProps} provider={provider} onClose={close} />
          </Suspense>
        )}
        {account.mayChange && (open === null || open === 'end') && (
          <div className="flex flex-wrap gap-3">
            {order.ms365Option !== 'none' &&
              order.status === 'paid' &&
              !order.byAgreement &&
              !ends && (
                <Button variant="quiet" onClick={() => show('change')}>
                  Change users or backup
                </Button>
              )}
            {payingWords(order.payment).hasCard && (
              <Button variant="quiet" onClick={() => show('card')}>
                Replace card
              </Button>
            )}
            {ends ? (
              <Button busy={resuming.isPending} onClick={resume}>
                Keep my plan
              </Button>
            ) : (
              <Button variant="quiet" onClick={() => show('end')}>
                Cancel plan…
              </Button>
            )}
          </div>
        )}
      </div>
      <Dialog open={open === 'end'} onClose={() => onOpen(null)} title="Cancel your plan?">
        <CancelPlan
          {...accountProps}
          until={running.periodEnd}
          onCanceled={() => close('Your plan is canceled.')}
          onClose={() => onOpen(null)}
        />
      </Dialog>
    </section>
  );
}

function PlanFacts({ account: { order }, running }: Pick<PlanSectionProps, 'account' | 'running'>) {
  const { company } = useSite();
  const { next, card, periodEnd } = running;
  const hasUsers = order.ms365Option !== 'none';
  const nextCharge =
    next &&
    order.status !== 'past_due' &&
    `${formatDollars(next.total)} on ${formatDay(company, Date.parse(periodEnd))}${next.tax > 0 ? `, with ${formatDollars(next.tax)} sales tax` : ''}`;
  return (
    <DescriptionList
      items={{
        Plan: order.planName,
        Users: hasUsers && withCommas(order.ms365Users),
        Backup: hasUsers && (order.includeCloudBackup ? 'Cloud backup' : 'None'),
        Ends: order.endsAt && formatDay(company, Date.parse(order.endsAt)),
        Billing: order.paused && 'Paused: nothing is being charged',
        [order.endsAt ? 'Last bill' : `Next ${payingWords(order.payment).charge}`]: nextCharge,
        'Paid with':
          card &&
          cardName(card.brand, card.last4) +
            (card.expiryMonth
              ? `, expires ${String(card.expiryMonth).padStart(2, '0')}/${card.expiryYear}`
              : ''),
      }}
    />
  );
}

interface CancelPlanProps extends AccountProps {
  until: string;
  onCanceled: () => void;
  onClose: () => void;
}

function CancelPlan({ token, account, until, onCanceled, onClose }: CancelPlanProps) {
  const { company } = useSite();
  const { mutateAsync } = useChange(token);

  async function cancel() {
    const body = { token, version: account.order.version, until };
    await mutateAsync(() => fetchCall(CANCEL_PLAN, { body }));
    onCanceled();
  }

  return (
    <Confirm
      verb="Cancel plan"
      act={cancel}
      failed={UNREACHABLE}
      cancel="Don’t cancel"
      onClose={onClose}
    >
      {owesByCard(account.order) ? (
        <p>
          Your last payment didn’t go through, so your service ends right away. You won’t be charged
          again.
        </p>
      ) : (
        <p>
          {`Your service runs until ${formatDay(company, Date.parse(until))}, and your plan won’t renew after that. You can change your mind until then.`}
        </p>
      )}
    </Confirm>
  );
}
