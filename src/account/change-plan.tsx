/**
 * A customer changes the number of users or the backup: the price is shown first, then confirmed.
 */
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { readCount, USERS_ERROR } from '../catalogue/pricing.ts';
import { formatDay } from '../company/hours.ts';
import { fetchCall, reasonOf } from '../platform/fetch-call.ts';
import { type Cents, cents, formatDollars, toDollars } from '../platform/money.ts';
import { useSite } from '../platform/site.ts';
import { Button } from '../ui/button.tsx';
import { Checkbox, Field, TextInput } from '../ui/fields.tsx';
import { Notice } from '../ui/notice.tsx';
import { type Account, CHANGE_PLAN, PREVIEW_CHANGE, type Preview } from './account-api.ts';
import { type ChangeProps, UNREACHABLE, useChange, useRefetchOnConflict } from './use-account.ts';

export function ChangeForm({ token, account, onClose }: ChangeProps) {
  const { order, backupPrice } = account;
  const [users, setUsers] = useState(String(order.ms365Users));
  const [backup, setBackup] = useState(order.includeCloudBackup);
  const [usersError, setUsersError] = useState<string>();
  const { isPending, problem, mutate, reset } = useChange(token);
  const previewing = useMutation({
    mutationFn: async (change: { users: number; backup: boolean }) => {
      const from = { users: order.ms365Users, backup: order.includeCloudBackup };
      const body = { token, ...change, from };
      return { body, preview: await fetchCall(PREVIEW_CHANGE, { body }) };
    },
    onError: useRefetchOnConflict(token),
  });
  const priced = previewing.data;
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);

  /** The price shown is for the earlier input. */
  function clearPrice() {
    previewing.reset();
    reset();
    setUsersError(undefined);
  }

  function showPrice(event: FormEvent) {
    event.preventDefault();
    reset();
    const count = readCount(users.trim());
    if (count !== undefined) return previewing.mutate({ users: count, backup });
    setUsersError(USERS_ERROR);
    field.current?.focus();
  }

  function confirm({ body, preview: { at, next } }: NonNullable<typeof priced>) {
    const confirmed = { ...body, at, next: toDollars(next.total), version: order.version };
    mutate(() => fetchCall(CHANGE_PLAN, { body: confirmed }), {
      onSuccess: () => onClose('Your plan has changed.'),
      onError: () => previewing.reset(),
    });
  }

  const perUser = order.lines.find(({ kind }) => kind === 'backup')?.unitPrice ?? backupPrice;
  const error = problem ?? (previewing.error && reasonOf(previewing.error, UNREACHABLE));
  return (
    <form
      noValidate
      onSubmit={showPrice}
      aria-label="Change your plan"
      className="grid max-w-md gap-4"
    >
      <Field label="Users" error={usersError} hint="From 1 to 1,000">
        <TextInput
          ref={field}
          inputMode="numeric"
          autoComplete="off"
          value={users}
          onChange={({ target }) => {
            setUsers(target.value);
            clearPrice();
          }}
          className="max-w-40 tabular-nums"
        />
      </Field>
      <Checkbox
        checked={backup}
        onChange={({ target }) => {
          setBackup(target.checked);
          clearPrice();
        }}
        label="Cloud backup"
        detail={`${formatDollars(perUser)} per user a month`}
      />
      {priced && <NewPrice preview={priced.preview} account={account} />}
      {error && <Notice kind="error">{error}</Notice>}
      <div className="flex flex-wrap gap-3">
        {priced ? (
          <Button key="confirm" busy={isPending} onClick={() => confirm(priced)}>
            Confirm change
          </Button>
        ) : (
          <Button key="show" type="submit" busy={previewing.isPending}>
            See the new price
          </Button>
        )}
        <Button variant="quiet" disabled={isPending} onClick={() => onClose(null)}>
          Back
        </Button>
      </div>
    </form>
  );
}

function NewPrice({ preview, account }: { preview: Preview; account: Account }) {
  const { company } = useSite();
  const { monthly, difference, next } = preview;
  const nextDay = formatDay(company, Date.parse(next.at));
  const rows = [
    ['New monthly total', formatDollars(monthly)],
    ...(difference === null ? [] : [['For the rest of this month', moreOrLess(difference)]]),
    [`Next bill on ${nextDay}`, formatDollars(next.total)],
  ];
  const before = account.order.amount;
  const now = before === null ? '' : `You pay ${formatDollars(before)} a month now. `;
  const inNextBill = `the difference for the rest of this month is part of your next bill${next.tax > 0 ? ', and the sales tax is in it' : ''}`;
  const charged =
    difference === null
      ? `the change takes effect now, and its price is charged from ${nextDay}`
      : inNextBill;
  const box = useRef<HTMLDivElement>(null);
  // Moves the focus off the button, so that a double press doesn't confirm the change.
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
      <p className="mt-3">{`${now}Nothing is charged today: ${charged}.`}</p>
    </div>
  );
}

function moreOrLess(difference: Cents): string {
  if (difference === 0) return '$0.00';
  return `${formatDollars(cents(Math.abs(difference)))} ${difference > 0 ? 'more' : 'less'}`;
}
