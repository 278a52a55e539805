/** What runs, what comes next, and the ways to change it. */
import { Suspense, useRef, useState } from 'react';
import { dayIn } from '../company/hours.ts';
import type { Provider } from '../orders/order.ts';
import { fetchCall } from '../platform/fetch-call.ts';
import { formatDollars, withCommas } from '../platform/money.ts';
import { useSite } from '../platform/site.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Fact, Facts } from '../ui/facts.tsx';
import { lazyPart } from '../ui/failure-boundary.tsx';
import { Notice } from '../ui/notice.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { CANCEL_PLAN, REPLACE_CARD, RESUME_PLAN, type Running, START_CARD } from './account-api.ts';
import { ChangeForm } from './change-form.tsx';
import { type AccountPart, useChange } from './use-account.ts';

/** Loaded when a card is replaced. */
const ReplaceCardForm = lazyPart(
  async () => (await import('../payments/replace-card-form.tsx')).ReplaceCardForm,
);

interface PlanSectionProps extends AccountPart {
  running: Running;
  provider: Provider;
}

export function PlanSection({ running, provider, ...part }: PlanSectionProps) {
  const { token, account } = part;
  const { order } = account;
  const [open, setOpen] = useState<'change' | 'card' | 'end' | null>(null);
  const [outcome, setOutcome] = useState<string | null>(null);
  const resuming = useChange(token);
  // What was pressed last may be gone, and the keyboard goes on from here.
  const heading = useRef<HTMLHeadingElement>(null);

  function show(what: typeof open) {
    setOutcome(null);
    resuming.reset();
    setOpen(what);
  }

  function close(done: string | null) {
    show(null);
    heading.current?.focus();
    setOutcome(done);
  }

  async function resume() {
    setOutcome(null);
    const why = await resuming.change(() => fetchCall(RESUME_PLAN, { body: { token } }));
    if (why === null) close('You keep your plan. It renews as before.');
  }

  const ends = order.endsAt !== null;
  const message = resuming.problem ?? outcome;
  return (
    <section
      aria-label="Plan and billing"
      className="mt-6 rounded-card border border-line bg-surface p-6 sm:p-8"
    >
      <h2 ref={heading} tabIndex={-1} className="text-lg outline-none">
        Plan and billing
      </h2>
      <PlanFacts account={account} running={running} />
      {message && (
        <div className="mt-5 print:hidden">
          <Notice kind={resuming.problem ? 'error' : 'success'}>
            <p>{message}</p>
          </Notice>
        </div>
      )}
      <div className="mt-6 print:hidden">
        {open === 'change' && <ChangeForm {...part} onClose={close} />}
        {open === 'card' && <CardSection {...part} provider={provider} onClose={close} />}
        {account.mayChange && (open === null || open === 'end') && (
          <div className="flex flex-wrap gap-3">
            {order.ms365Option !== 'none' && order.status === 'paid' && !ends && (
              <Button variant="quiet" onClick={() => show('change')}>
                Change users or backup
              </Button>
            )}
            <Button variant="quiet" onClick={() => show('card')}>
              Replace card
            </Button>
            {ends ? (
              <Button busy={resuming.busy} onClick={resume}>
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
      <CancelDialog
        {...part}
        open={open === 'end'}
        until={running.periodEnd}
        onCanceled={() => close('Your plan is canceled.')}
        onClose={() => setOpen(null)}
      />
    </section>
  );
}

function PlanFacts({ account: { order }, running }: Pick<PlanSectionProps, 'account' | 'running'>) {
  const { company } = useSite();
  const { next, card, periodEnd } = running;
  const day = dayIn(company, Date.parse(periodEnd));
  return (
    <Facts>
      <Fact term="Plan">{order.planName}</Fact>
      {order.ms365Option !== 'none' && (
        <>
          <Fact term="Users">{withCommas(order.ms365Users)}</Fact>
          <Fact term="Backup">{order.includeCloudBackup ? 'Cloud backup' : 'None'}</Fact>
        </>
      )}
      {order.endsAt && <Fact term="Ends">{dayIn(company, Date.parse(order.endsAt))}</Fact>}
      {next && order.status !== 'past_due' && (
        <Fact term={order.endsAt ? 'Last bill' : 'Next charge'}>
          {formatDollars(next.total)} on {day}
          {next.tax > 0 ? `, with ${formatDollars(next.tax)} sales tax` : ''}
        </Fact>
      )}
      {card && (
        <Fact term="Card">
          {card.brand} ending in {card.last4}, expires {String(card.expiryMonth).padStart(2, '0')}/
          {card.expiryYear}
        </Fact>
      )}
    </Facts>
  );
}

interface CancelDialogProps extends AccountPart {
  open: boolean;
  until: string;
  onCanceled: () => void;
  onClose: () => void;
}

/** Asks before a plan is canceled, and says until when it runs. */
function CancelDialog({ token, account, open, until, onCanceled, onClose }: CancelDialogProps) {
  const { company } = useSite();
  const { busy, problem, change, reset } = useChange(token);

  async function cancel() {
    const why = await change(() => fetchCall(CANCEL_PLAN, { body: { token } }));
    if (why === null) onCanceled();
  }

  function close() {
    reset();
    onClose();
  }

  return (
    <Dialog open={open} onClose={close} title="Cancel your plan?">
      <div className="grid gap-4 text-sm">
        {account.order.status === 'past_due' ? (
          <p>
            Your last payment didn’t go through, so the service ends right away. Nothing more is
            charged.
          </p>
        ) : (
          <p>
            Your service runs until {dayIn(company, Date.parse(until))}, and your plan doesn’t renew
            after that. Until then you can change your mind.
          </p>
        )}
        {problem && <Notice kind="error">{problem}</Notice>}
        <div className="flex flex-wrap gap-3">
          <Button variant="danger" busy={busy} onClick={cancel}>
            Cancel plan
          </Button>
          <Button variant="quiet" disabled={busy} onClick={close}>
            Don’t cancel
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

interface CardSectionProps extends AccountPart {
  provider: Provider;
  /** `outcome`: what has come of it, in words; null when nothing has. */
  onClose: (outcome: string | null) => void;
}

/** Another card takes the place of the one on file, and pays at once what is overdue. */
function CardSection({ token, account, provider, onClose }: CardSectionProps) {
  const { name, email, phone, company, status } = account.order;
  const overdue = account.payments.find(({ state }) => state === 'open');
  const { change } = useChange(token);

  async function start(): Promise<string> {
    return (await fetchCall(START_CARD, { body: { token } })).clientSecret;
  }

  async function use(clientSecret: string): Promise<string | null> {
    const why = await change(() => fetchCall(REPLACE_CARD, { body: { token, clientSecret } }));
    const paid = status === 'past_due' ? ' What was overdue is paid.' : '';
    if (why === null) onClose(`Your card is replaced.${paid}`);
    return why;
  }

  return (
    <div className="max-w-md">
      {status === 'past_due' && overdue && (
        <p className="mb-4 text-sm">
          {formatDollars(overdue.amount)} is overdue and will be charged to the new card right away.
        </p>
      )}
      <Suspense fallback={<Skeleton className="h-64 w-full" />}>
        <ReplaceCardForm
          provider={provider}
          start={start}
          use={use}
          billing={{ name, email, phone, company }}
          onCancel={() => onClose(null)}
        />
      </Suspense>
    </div>
  );
}
