/** A plan is changed by its customer, or by staff: the price is shown first, then confirmed. */
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { perUser, shortLabel } from '../catalogue/add-on-fields.tsx';
import { outgrownBy, readCount } from '../catalogue/pricing.ts';
import { formatDay } from '../company/days.ts';
import type { OrderView } from '../orders/order-api.ts';
import { reasonOf } from '../platform/fetch-call.ts';
import { type Cents, cents, formatDollars, toDollars } from '../platform/money.ts';
import { useSite } from '../platform/site.ts';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/fields.tsx';
import { Notice } from '../ui/notice.tsx';
import { usePress } from '../ui/presses.ts';
import { useForm } from '../ui/use-form.tsx';
import {
  type Confirmation,
  chosenPlan,
  type Offers,
  type PlanChange,
  type Preview,
} from './own-page-api.ts';

export function isChangeable({ status, endsAt, byAgreement }: OrderView): boolean {
  return status === 'paid' && endsAt === null && !byAgreement;
}

interface ChangeFormProps {
  label: string;
  /** Which numbers of users there are; what customers read if left out. */
  hint?: string;
  order: OrderView;
  offers: Offers;
  preview: (change: PlanChange) => Promise<Preview>;
  change: (confirmed: Confirmation) => Promise<unknown>;
  /** Reloads the order after a refusal: it may have changed since. */
  onRefused: (error: Error) => unknown;
  onChanged: () => void;
  onClose: () => void;
}

export function ChangeForm(props: ChangeFormProps) {
  const { order, offers, onRefused, onChanged, onClose } = props;
  const { company } = useSite();
  const confirming = usePress({
    mutationFn: props.change,
    onSuccess: onChanged,
    onError(error) {
      reset();
      return onRefused(error);
    },
  });
  const [option, setOption] = useState(order.ms365Option);
  const { form, field, saved, sending, reset, problem } = useForm({
    schema: chosenPlan,
    read: (field) => ({
      planId: Number(field('planId')),
      ms365Option: field('ms365Option'),
      users: readCount(field('users').trim()) ?? 0,
      backup: field('backup') !== '',
    }),
    async save(_, chosen) {
      confirming.reset();
      const { planId, ms365Option, ms365Users: users, includeCloudBackup: backup } = order;
      const change = { ...chosen, from: { planId, ms365Option, users, backup } };
      return { change, preview: await props.preview(change) };
    },
    onFailed: onRefused,
    failure: (error) => reasonOf(error, 'We couldn’t find out the price. Please try again.'),
  });

  /** The price shown is for the earlier input. */
  function clearPrice() {
    reset();
    confirming.reset();
  }

  function confirm({ change, preview: { at, next } }: NonNullable<typeof saved>) {
    const { version } = order;
    confirming.mutate({ ...change, at, next: toDollars(next.total), version });
  }

  const failure = (confirming.error && reasonOf(confirming.error)) ?? problem;
  return (
    <form
      noValidate
      {...form}
      onChange={clearPrice}
      aria-label={props.label}
      className="grid max-w-xl gap-4"
    >
      {field('Plan', 'planId', {
        options: offers.plans.map(({ id, name, price }) => [
          id,
          `${name}, ${formatDollars(price)}/month`,
        ]),
        defaultValue: order.planId,
        autoFocus: true,
      })}
      {field('Microsoft 365', 'ms365Option', {
        options: offers.licenses.map(({ id, name, price }) => [
          id,
          id === 'none' ? name : `${shortLabel(name)}, ${formatDollars(price)}/user`,
        ]),
        defaultValue: order.ms365Option,
        onChoice: setOption,
      })}
      {option !== 'none' && (
        <>
          {field('Users', 'users', {
            hint: props.hint ?? `From 1 to 1,000. For more, call ${company.phone.display}`,
            inputMode: 'numeric',
            autoComplete: 'off',
            defaultValue: order.ms365Users || '',
            className: 'max-w-40 tabular-nums',
          })}
          <Checkbox
            name="backup"
            defaultChecked={order.includeCloudBackup}
            label="Cloud backup"
            detail={perUser(offers.backup)}
          />
        </>
      )}
      {saved && <NewPrice {...saved} order={order} plans={offers.plans} />}
      {failure && <Notice kind="error">{failure}</Notice>}
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
        <Button variant="quiet" disabled={confirming.isPending} onClick={onClose}>
          Back
        </Button>
      </div>
    </form>
  );
}

interface NewPriceProps extends Pick<Offers, 'plans'> {
  preview: Preview;
  change: PlanChange;
  order: OrderView;
}

function NewPrice({ preview, change, order, plans }: NewPriceProps): ReactNode {
  const { company } = useSite();
  const { monthly, next } = preview;
  // Before its start day no month has begun.
  const difference = order.startsOn ? null : preview.difference;
  const sized = plans.flatMap(({ users, ...plan }) => (users ? { ...plan, users } : []));
  const outgrown = outgrownBy(change.users ?? 0, change.planId ?? order.planId, sized);
  const nextDay = formatDay(company, Date.parse(next.at));
  const rows = [
    ...(monthly === null ? [] : [['New monthly total', formatDollars(monthly)]]),
    ...(difference === null ? [] : [['For the rest of this month', moreOrLess(difference)]]),
    [`Next bill on ${nextDay}`, formatDollars(next.total)],
  ];
  const before = order.amount;
  const now = before === null ? '' : `Today’s price is ${formatDollars(before)} a month. `;
  const inNextBill = `the next bill includes the difference for the rest of this month${next.tax > 0 ? ' and the sales tax' : ''}`;
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
      className="scroll-mb-24 rounded-control border border-line bg-paper p-4 text-sm"
    >
      <dl className="grid gap-2 tabular-nums">
        {rows.map(([term, amount]) => (
          <div key={term} className="flex flex-wrap justify-between gap-x-4 text-ink">
            <dt>{term}</dt>
            <dd className="ml-auto font-medium">{amount}</dd>
          </div>
        ))}
      </dl>
      {outgrown && <p className="mt-3 text-ink">{outgrown}</p>}
      <p className="mt-3">{`${now}Nothing is charged today: ${charged}.`}</p>
    </div>
  );
}

function moreOrLess(difference: Cents): string {
  if (difference === 0) return '$0.00';
  return `${formatDollars(cents(Math.abs(difference)))} ${difference > 0 ? 'more' : 'less'}`;
}
