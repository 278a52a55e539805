/** The running plan: its next charge, and the ways to change, resume or cancel it. */

import { type ReactNode, Suspense, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { cardInShort, payingWords } from '../billing/subscription.ts';
import { dayOfYear, formatDay } from '../company/days.ts';
import { MAX_END_WORDS } from '../limits.ts';
import { END_REASON_WORDS, END_REASONS } from '../orders/order.ts';
import { willNotStart, wordsOf } from '../orders/status-words.ts';
import { CardMark } from '../payments/card-group.tsx';
import type { Provider } from '../payments/payment-api.ts';
import { fetchCall, reasonOf } from '../platform/fetch-call.ts';
import { formatDollars, totalOf } from '../platform/money.ts';
import { useSite } from '../platform/site.ts';
import { formatDate } from '../platform/time.ts';
import { CHECKOUT_PAGES } from '../routes.ts';
import { Button, ButtonLink, PrintButton } from '../ui/button.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FailureBoundary, lazyWithRetry } from '../ui/failure-boundary.tsx';
import { Field, Select, Textarea } from '../ui/fields.tsx';
import { Notice } from '../ui/notice.tsx';
import { LargeAmount, Sheet } from '../ui/sheet.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { ChangeForm, isChangeable } from './change-plan.tsx';
import {
  CANCEL_PLAN,
  CHANGE_PLAN,
  PREVIEW_CHANGE,
  RESUME_PLAN,
  type RunningPlan,
} from './own-page-api.ts';
import { dueByCard, owes } from './payments-section.tsx';
import { type OwnPageProps, useChange, useRefetchIfChanged } from './use-own-page.ts';

const ReplaceCard = lazyWithRetry(async () => (await import('./replace-card.tsx')).ReplaceCard);

type OpenPart = 'change' | 'card' | 'end';
type Outcome = { kind: 'success' | 'error'; words: string | null };

export function usePlan(first: OpenPart | null) {
  const [open, setOpen] = useState(first);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  // Takes the focus when the pressed button disappears.
  const heading = useRef<HTMLHeadingElement>(null);
  function show(part: OpenPart | null) {
    setOutcome(null);
    setOpen(part);
  }
  function close(words: string | null, kind: Outcome['kind'] = 'success') {
    // A dialog that is still open keeps the focus.
    flushSync(() => show(null));
    heading.current?.focus();
    setOutcome({ kind, words });
  }
  return { open, outcome, heading, show, close, hide: () => setOpen(null) };
}

interface PlanProps extends OwnPageProps {
  plan: ReturnType<typeof usePlan>;
  running: RunningPlan;
}

export function PlanCard({ isToPay, ...props }: PlanProps & { isToPay: boolean }) {
  const { token, page, running, plan } = props;
  const { order, mayChange, offers } = page;
  const { open, outcome, heading, show, close, hide } = plan;
  const resuming = useChange(token);

  function resume() {
    show(null);
    resuming.mutate(() => fetchCall(RESUME_PLAN, { body: { token, version: order.version } }), {
      onSuccess: () =>
        close(
          order.startsOn
            ? `Your plan still starts on ${formatDate(order.startsOn)}.`
            : 'Your plan continues and renews as before.',
        ),
    });
  }

  function press(part: OpenPart) {
    resuming.reset();
    show(part);
  }

  const ends = order.endsAt !== null;
  const message = resuming.problem ?? outcome?.words;
  const canChange = offers !== null && isChangeable(order);
  const isMain = !(canChange || ends || isToPay);
  const replaceCard = mayChange && payingWords(order.payment).hasCard && (
    <Button
      {...(!isMain && { variant: 'link', size: 'text' })}
      disabled={open === 'card'}
      onClick={() => press('card')}
    >
      {running.card?.isBank ? 'Add a card' : 'Replace card'}
    </Button>
  );
  return (
    <>
      <div id="plan" className="scroll-mt-28">
        <NextCharge page={page} running={running} heading={heading}>
          {!isMain && replaceCard}
        </NextCharge>
      </div>
      {message && (
        <Notice kind={resuming.problem ? 'error' : (outcome?.kind ?? 'success')}>
          <p>{message}</p>
        </Notice>
      )}
      {mayChange && (
        <div className="grid gap-3 empty:hidden">
          {canChange && (
            <Button
              variant={isToPay ? 'quiet' : 'primary'}
              disabled={open === 'change'}
              onClick={() => press('change')}
            >
              Change plan
            </Button>
          )}
          {ends && (
            <Button
              variant={isToPay ? 'quiet' : 'primary'}
              busy={resuming.isPending}
              onClick={resume}
            >
              Keep my plan
            </Button>
          )}
          {isMain && replaceCard}
        </div>
      )}
      <div className="-my-2 flex flex-wrap justify-between gap-x-6">
        {mayChange && !ends && (
          <Button variant="link" size="text" className="text-muted!" onClick={() => press('end')}>
            Cancel plan…
          </Button>
        )}
        <PrintButton variant="link" size="text" />
      </div>
      <Dialog open={open === 'end'} onClose={hide} title="Cancel your plan?">
        <CancelPlan
          token={token}
          page={page}
          until={running.periodEnd}
          onCanceled={() => close('Your plan is canceled.')}
          onClose={hide}
        />
      </Dialog>
    </>
  );
}

interface NextChargeProps extends Pick<OwnPageProps, 'page'> {
  running: RunningPlan;
  heading: PlanProps['plan']['heading'];
  /** Beside the card. */
  children: ReactNode;
}

/** What is charged next and when, or else the state of the plan. */
function NextCharge({ page, running, heading, children }: NextChargeProps) {
  const { company } = useSite();
  const { order, mayChange } = page;
  const { status } = order;
  const { next, card, periodEnd } = running;
  const owed = dueByCard(page);
  const isOwing = owes(order);
  const isDue = next !== null && status !== 'past_due' && !isOwing;
  const endDay = order.endsAt && formatDay(company, Date.parse(order.endsAt));
  const ends = willNotStart(order) ? 'Will not start' : endDay && `Ends ${endDay}`;
  const amount = isDue ? next.total : isOwing && owed.length > 0 ? totalOf(owed) : undefined;
  const day = isDue && dayOfYear(company, Date.parse(periodEnd));
  const words = [
    card?.expiryMonth &&
      `Card expires ${String(card.expiryMonth).padStart(2, '0')}/${card.expiryYear}`,
    order.paused && 'Billing is paused. You aren’t being charged.',
    isOwing &&
      mayChange &&
      owed[0]?.state !== 'to_confirm' &&
      'Your last payment didn’t go through. Enter a new card to keep your plan.',
    isDue && !ends && status === 'paid' && wordsOf(order)?.next,
    isDue && next.total > 0 && next.tax > 0 && `With ${formatDollars(next.tax)} sales tax`,
    isDue && ends,
  ];
  // Staff may set any day at the provider.
  const isLast = order.endsAt !== null && Date.parse(order.endsAt) <= Date.parse(periodEnd);
  const due = isLast ? 'Last bill' : `Next ${payingWords(order.payment).charge}`;
  return (
    <>
      <h2
        ref={heading}
        tabIndex={-1}
        className={`text-sm font-normal outline-none ${isOwing ? 'text-danger' : 'text-muted'}`}
      >
        {isOwing ? 'Payment overdue' : isDue ? due : 'Plan and billing'}
      </h2>
      {amount !== undefined && <LargeAmount amount={amount} />}
      {ends && !isDue && <p className="text-xl font-semibold text-ink">{ends}</p>}
      {day && <p className="mt-1 text-ink">{day}</p>}
      <div className="mt-1 flex flex-wrap items-center gap-x-2 text-ink empty:hidden">
        {card && (
          <>
            <CardMark brand={card.brand} />
            <span className="mr-auto whitespace-nowrap">{cardInShort(card.brand, card.last4)}</span>
          </>
        )}
        {children}
      </div>
      {words.filter(Boolean).map((line) => (
        <p key={String(line)} className="mt-1 text-muted">
          {line}
        </p>
      ))}
    </>
  );
}

/** Where nothing runs: what became of the order, and the way to another. */
export function NoPlan({ page: { order, billingUnavailable } }: Pick<OwnPageProps, 'page'>) {
  const mayChooseAnother =
    order.status !== null && ['canceled', 'refunded', 'failed'].includes(order.status);
  return (
    <>
      <div id="plan" className="scroll-mt-28">
        <h2 className="text-sm font-normal text-muted">Your plan</h2>
        <p className="text-xl font-semibold text-ink">{wordsOf(order)?.customer}</p>
      </div>
      <div className="grid gap-3">
        {mayChooseAnother && !billingUnavailable && (
          <ButtonLink href={CHECKOUT_PAGES.checkout.path}>Choose a plan</ButtonLink>
        )}
        <PrintButton />
      </div>
    </>
  );
}

export function PlanForm({ plan, ...props }: PlanProps & { provider: Provider }) {
  const { token, page, provider } = props;
  const refetch = useRefetchIfChanged(token);
  const changing = useChange(token);
  const { open, close } = plan;
  if (open === 'card')
    return (
      <Sheet aria-label="New card" className="print:hidden">
        <h2 className="mb-5 text-lg">Your new card</h2>
        <FailureBoundary>
          <Suspense fallback={<Skeleton className="h-64 w-full" />}>
            <ReplaceCard token={token} page={page} provider={provider} onClose={close} />
          </Suspense>
        </FailureBoundary>
      </Sheet>
    );
  if (open !== 'change' || !page.offers) return null;
  return (
    <Sheet aria-label="Another plan" className="print:hidden">
      <h2 className="mb-5 text-lg">Change your plan</h2>
      <ChangeForm
        label="Change your plan"
        order={page.order}
        offers={page.offers}
        preview={(change) => fetchCall(PREVIEW_CHANGE, { body: { token, ...change } })}
        change={(confirmed) =>
          changing.mutateAsync(() => fetchCall(CHANGE_PLAN, { body: { token, ...confirmed } }))
        }
        onRefused={async (error) => {
          const now = await refetch(error);
          if (now && !isChangeable(now.order)) close(reasonOf(error), 'error');
        }}
        onChanged={() => close('Your plan has changed.')}
        onClose={() => close(null)}
      />
    </Sheet>
  );
}

interface CancelPlanProps extends OwnPageProps {
  until: string;
  onCanceled: () => void;
  onClose: () => void;
}

function CancelPlan({ token, page, until, onCanceled, onClose }: CancelPlanProps) {
  const { company } = useSite();
  const { order } = page;
  const { mutateAsync } = useChange(token);
  const [reason, setReason] = useState<(typeof END_REASONS)[number] | null>(null);
  const [words, setWords] = useState('');

  async function cancel() {
    const body = { token, version: order.version, until, reason, words };
    await mutateAsync(() => fetchCall(CANCEL_PLAN, { body }));
    onCanceled();
  }

  return (
    <Confirm verb="Cancel plan" act={cancel} cancel="Don’t cancel" onClose={onClose}>
      {owes(order) ? (
        <p>
          Your last payment didn’t go through, so your service ends right away. You won’t be charged
          again.
        </p>
      ) : order.startsOn || order.status === 'processing' ? (
        <p>Your plan will not start, and nothing more is charged.</p>
      ) : (
        <p>
          {`Your service runs until ${formatDay(company, Date.parse(until))}, and your plan won’t renew after that. You can change your mind until then.`}
        </p>
      )}
      <Field label="Why are you leaving?" optional>
        <Select
          value={reason ?? ''}
          onChange={({ target }) =>
            setReason(END_REASONS.find((one) => one === target.value) ?? null)
          }
        >
          <option value="">Prefer not to say</option>
          {END_REASONS.map((one) => (
            <option key={one} value={one}>
              {END_REASON_WORDS[one]}
            </option>
          ))}
        </Select>
      </Field>
      <Field label="Anything we should know?" optional>
        <Textarea
          rows={3}
          value={words}
          maxLength={MAX_END_WORDS}
          onChange={({ target }) => setWords(target.value)}
        />
      </Field>
    </Confirm>
  );
}
