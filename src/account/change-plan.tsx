/** A customer changes users or backup: the price is shown first, then confirmed. */
import { useEffect, useRef } from 'react';
import * as z from 'zod/mini';
import { readCount, USERS_ERROR } from '../catalogue/pricing.ts';
import { formatDay } from '../company/hours.ts';
import { fetchCall, reasonOf } from '../platform/fetch-call.ts';
import { type Cents, cents, formatDollars, toDollars } from '../platform/money.ts';
import { useSite } from '../platform/site.ts';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/fields.tsx';
import { Notice } from '../ui/notice.tsx';
import { useForm } from '../ui/use-form.tsx';
import { type Account, CHANGE_PLAN, PREVIEW_CHANGE, type Preview } from './account-api.ts';
import { type ChangeProps, UNREACHABLE, useChange, useRefetchOnConflict } from './use-account.ts';

const wanted = z.object({
  users: z.pipe(
    z.string().check(z.refine((text) => readCount(text.trim()) !== undefined, USERS_ERROR)),
    z.transform((text) => readCount(text.trim()) ?? 0),
  ),
  backup: z.boolean(),
});

export function ChangeForm({ token, account, onClose }: ChangeProps) {
  const { order, backupPrice } = account;
  const confirming = useChange(token);
  const { form, field, saved, sending, reset, ...previewing } = useForm({
    schema: wanted,
    read: (field) => ({ users: field('users'), backup: field('backup') !== '' }),
    async save(_, change) {
      confirming.reset();
      const from = { users: order.ms365Users, backup: order.includeCloudBackup };
      const body = { token, ...change, from };
      return { body, preview: await fetchCall(PREVIEW_CHANGE, { body }) };
    },
    onFailed: useRefetchOnConflict(token),
    failure: (error) => reasonOf(error, UNREACHABLE),
  });

  /** The price shown is for the earlier input. */
  function clearPrice() {
    reset();
    confirming.reset();
  }

  function confirm({ body, preview: { at, next } }: NonNullable<typeof saved>) {
    const confirmed = { ...body, at, next: toDollars(next.total), version: order.version };
    confirming.mutate(() => fetchCall(CHANGE_PLAN, { body: confirmed }), {
      onSuccess: () => onClose('Your plan has changed.'),
      onError: reset,
    });
  }

  const perUser =
    order.price?.lines.find(({ kind }) => kind === 'backup')?.unitPrice ?? backupPrice;
  const error = confirming.problem ?? previewing.problem;
  return (
    <form
      noValidate
      {...form}
      onChange={clearPrice}
      aria-label="Change your plan"
      className="grid max-w-md gap-4"
    >
      {field('Users', 'users', {
        autoFocus: true,
        hint: 'From 1 to 1,000',
        inputMode: 'numeric',
        autoComplete: 'off',
        defaultValue: order.ms365Users,
        className: 'max-w-40 tabular-nums',
      })}
      <Checkbox
        name="backup"
        defaultChecked={order.includeCloudBackup}
        label="Cloud backup"
        detail={`${formatDollars(perUser)} per user per month`}
      />
      {saved && <NewPrice preview={saved.preview} account={account} />}
      {error && <Notice kind="error">{error}</Notice>}
      <div className="flex flex-wrap gap-3">
        {saved ? (
          <Button key="confirm" busy={confirming.isPending} onClick={() => confirm(saved)}>
            Confirm change
          </Button>
        ) : (
          <Button key="show" type="submit" busy={sending}>
            See the new price
          </Button>
        )}
        <Button variant="quiet" disabled={confirming.isPending} onClick={() => onClose(null)}>
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
    ...(monthly === null ? [] : [['New monthly total', formatDollars(monthly)]]),
    ...(difference === null ? [] : [['For the rest of this month', moreOrLess(difference)]]),
    [`Next bill on ${nextDay}`, formatDollars(next.total)],
  ];
  const before = account.order.amount;
  const now = before === null ? '' : `You pay ${formatDollars(before)} a month now. `;
  const inNextBill = `your next bill includes the difference for the rest of this month${next.tax > 0 ? ' and the sales tax' : ''}`;
  const charged =
    difference === null
      ? `the change takes effect now, and the new price applies from ${nextDay}`
      : inNextBill;
  const box = useRef<HTMLDivElement>(null);
  // Moves the focus off the button, so that a double press doesn't confirm the change.
  useEffect(() => box.current?.focus(), []);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would announce one more group
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
