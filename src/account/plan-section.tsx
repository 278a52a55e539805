/** What runs, what comes next, and the ways to change it: the users or the backup, the card, the end. */
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, Suspense, useEffect, useRef, useState } from 'react';
import { MAX_USERS, readCount, WRONG_USERS } from '../catalogue/pricing.ts';
import { dayIn } from '../company/hours.ts';
import type { Provider } from '../orders/order.ts';
import { fetchCall, reasonOf } from '../platform/fetch-call.ts';
import { cents, formatDollars, toDollars, withCommas } from '../platform/money.ts';
import { useSite } from '../platform/site.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FactList } from '../ui/facts.tsx';
import { lazyPart } from '../ui/failure-boundary.tsx';
import { Checkbox, Field, TextInput } from '../ui/fields.tsx';
import { Notice } from '../ui/notice.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import {
  type Account,
  CANCEL_PLAN,
  CHANGE_PLAN,
  PREVIEW_CHANGE,
  type Preview,
  RESUME_PLAN,
  type Running,
} from './account-api.ts';
import {
  type AccountPart,
  type ChangeProps,
  NOT_DONE,
  useChange,
  useRefresh,
} from './use-account.ts';

/** Loaded when a card is replaced. */
const ReplaceCard = lazyPart(async () => (await import('./replace-card.tsx')).ReplaceCard);

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
        {open === 'card' && (
          <Suspense fallback={<Skeleton className="h-64 w-full" />}>
            <ReplaceCard {...part} provider={provider} onClose={close} />
          </Suspense>
        )}
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
      <Dialog open={open === 'end'} onClose={() => setOpen(null)} title="Cancel your plan?">
        <CancelPlan
          {...part}
          until={running.periodEnd}
          onCanceled={() => close('Your plan is canceled.')}
          onClose={() => setOpen(null)}
        />
      </Dialog>
    </section>
  );
}

function PlanFacts({ account: { order }, running }: Pick<PlanSectionProps, 'account' | 'running'>) {
  const { company } = useSite();
  const { next, card, periodEnd } = running;
  const hasUsers = order.ms365Option !== 'none';
  const bill = next && order.status !== 'past_due' && (
    <>
      {formatDollars(next.total)} on {dayIn(company, Date.parse(periodEnd))}
      {next.tax > 0 ? `, with ${formatDollars(next.tax)} sales tax` : ''}
    </>
  );
  return (
    <FactList
      facts={{
        Plan: order.planName,
        Users: hasUsers && withCommas(order.ms365Users),
        Backup: hasUsers && (order.includeCloudBackup ? 'Cloud backup' : 'None'),
        Ends: order.endsAt && dayIn(company, Date.parse(order.endsAt)),
        [order.endsAt ? 'Last bill' : 'Next charge']: bill,
        Card:
          card &&
          `${card.brand} ending in ${card.last4}, expires ${String(card.expiryMonth).padStart(2, '0')}/${card.expiryYear}`,
      }}
    />
  );
}

interface CancelPlanProps extends AccountPart {
  until: string;
  onCanceled: () => void;
  onClose: () => void;
}

/** Says until when the plan runs. */
function CancelPlan({ token, account, until, onCanceled, onClose }: CancelPlanProps) {
  const { company } = useSite();
  const { busy, problem, change } = useChange(token);

  async function cancel() {
    const why = await change(() => fetchCall(CANCEL_PLAN, { body: { token } }));
    if (why === null) onCanceled();
  }

  return (
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
        <Button variant="quiet" disabled={busy} onClick={onClose}>
          Don’t cancel
        </Button>
      </div>
    </div>
  );
}

/** Another number of users, with or without backup: the price first, then the customer's confirmation. */
function ChangeForm({ token, account, onClose }: ChangeProps) {
  const { order, backupPrice } = account;
  const [users, setUsers] = useState(String(order.ms365Users));
  const [backup, setBackup] = useState(order.includeCloudBackup);
  const [fault, setFault] = useState<string | null>(null);
  const { busy, problem, change, reset } = useChange(token);
  const previewing = useMutation({
    mutationFn: async (wanted: { users: number; backup: boolean }) => {
      const from = { users: order.ms365Users, backup: order.includeCloudBackup };
      const body = { token, ...wanted, from };
      return { body, preview: await fetchCall(PREVIEW_CHANGE, { body }) };
    },
    onError: useRefresh(token),
  });
  const shown = previewing.data;
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);

  /** What was shown is about something else now. */
  function edit(set: () => void) {
    set();
    previewing.reset();
    reset();
    setFault(null);
  }

  function showPrice(event: FormEvent) {
    event.preventDefault();
    reset();
    const count = readCount(users.trim(), MAX_USERS);
    if (count !== undefined) return previewing.mutate({ users: count, backup });
    setFault(WRONG_USERS);
    field.current?.focus();
  }

  async function confirm({ body, preview: { at, next } }: NonNullable<typeof shown>) {
    const confirmed = { ...body, at, next: toDollars(next.total) };
    const why = await change(() => fetchCall(CHANGE_PLAN, { body: confirmed }));
    if (why === null) onClose('Your plan has changed.');
    else previewing.reset();
  }

  const perUser = order.lines.find(({ kind }) => kind === 'backup')?.unitPrice ?? backupPrice;
  const why = problem ?? (previewing.error && reasonOf(previewing.error, NOT_DONE));
  return (
    <form
      noValidate
      onSubmit={showPrice}
      aria-label="Change your plan"
      className="grid max-w-md gap-4"
    >
      <Field label="Users" error={fault ?? undefined} hint="From 1 to 1,000">
        {(control) => (
          <TextInput
            {...control}
            ref={field}
            inputMode="numeric"
            autoComplete="off"
            value={users}
            onChange={({ target }) => edit(() => setUsers(target.value))}
            className="max-w-40 tabular-nums"
          />
        )}
      </Field>
      <Checkbox
        checked={backup}
        onChange={({ target }) => edit(() => setBackup(target.checked))}
        label="Cloud backup"
        detail={`${formatDollars(perUser)} per user a month`}
      />
      {shown && <NewPrice preview={shown.preview} account={account} />}
      {why && <Notice kind="error">{why}</Notice>}
      <div className="flex flex-wrap gap-3">
        {shown ? (
          <Button key="confirm" busy={busy} onClick={() => confirm(shown)}>
            Confirm change
          </Button>
        ) : (
          <Button key="show" type="submit" busy={previewing.isPending}>
            See the new price
          </Button>
        )}
        <Button variant="quiet" disabled={busy} onClick={() => onClose(null)}>
          Back
        </Button>
      </div>
    </form>
  );
}

/** What the change would cost, before it is confirmed. */
function NewPrice({ preview, account }: { preview: Preview; account: Account }) {
  const { company } = useSite();
  const { monthly, difference, next } = preview;
  const size = formatDollars(cents(Math.abs(difference)));
  const more = difference >= 0 ? `${size} more` : `${size} less`;
  const rows = [
    ['New monthly total', formatDollars(monthly)],
    ['For the rest of this month', difference === 0 ? '$0.00' : more],
    [`Next bill on ${dayIn(company, Date.parse(next.at))}`, formatDollars(next.total)],
  ];
  const before = account.order.amount;
  const box = useRef<HTMLDivElement>(null);
  // A double press shows the price and confirms nothing.
  useEffect(() => box.current?.focus(), []);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would announce one more group of fields
    <div
      ref={box}
      role="group"
      aria-label="New price"
      tabIndex={-1}
      className="rounded-control border border-line bg-paper p-4 text-sm"
    >
      <dl className="grid gap-2 tabular-nums">
        {rows.map(([term, amount]) => (
          <div key={term} className="flex flex-wrap justify-between gap-x-4 text-ink">
            <dt>{term}</dt>
            <dd className="ml-auto font-medium">{amount}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-3">
        {before !== null && `You pay ${formatDollars(before)} a month now. `}
        Nothing is charged today: the difference for the rest of this month is part of your next
        bill{next.tax > 0 ? ', and the sales tax is in it' : ''}.
      </p>
    </div>
  );
}
