/** Giving back a payment or a part of it, with what is known of the sums. */
import { useState } from 'react';
import { fetchCall } from '../../platform/fetch-call.ts';
import { type Cents, cents, formatDollars, fromDollars } from '../../platform/money.ts';
import { randomId } from '../../platform/random-id.ts';
import { Field } from '../../ui/fields/field.tsx';
import { TextInput } from '../../ui/fields/text-input.tsx';
import { CHANGED, RENEWED } from '../order.ts';
import { REFUND_ORDER, type StaffOrder } from '../order-api.ts';
import { monthlyTotal } from '../order-state.tsx';
import { type ActionDialogProps, OrderQuestion } from './order-question.tsx';

export function RefundDialog({ order, open, onClose }: ActionDialogProps) {
  const [dollars, setDollars] = useState('');
  // Pressing again after a lost answer gives back nothing twice; opening the dialog again means a second refund.
  const [key, setKey] = useState(randomId);
  const amount = /^\d{1,8}(\.\d{1,2})?$/.test(dollars) ? Number(dollars) : undefined;
  const unreadable = dollars !== '' && !amount;
  const left = leftToRefund(order);
  const asked = amount ? fromDollars(amount) : left;
  const refund = () =>
    fetchCall(REFUND_ORDER, {
      params: { id: order.id },
      body: { amount: amount ?? null, key },
    });
  return (
    <OrderQuestion
      order={order}
      open={open}
      onClose={() => {
        setDollars('');
        setKey(randomId());
        onClose();
      }}
      title="Refund"
      verb={asked ? `Refund ${formatDollars(asked)}` : 'Refund the newest payment'}
      act={unreadable ? null : refund}
    >
      <p className="text-sm">
        The newest payment goes back to the customer’s card. Once everything that was paid is
        refunded, the subscription ends too.
      </p>
      <Sums order={order} left={left} />
      <Field
        label="Amount in dollars"
        hint={
          left === null
            ? 'Leave blank to refund what is left of the newest payment.'
            : `Leave blank for a full refund of ${formatDollars(left)}.`
        }
        error={unreadable ? 'Please enter an amount such as 125.50' : undefined}
      >
        {(control) => (
          <TextInput
            {...control}
            inputMode="decimal"
            value={dollars}
            onChange={({ target }) => setDollars(target.value.trim())}
            className="max-w-48 tabular-nums"
          />
        )}
      </Field>
    </OrderQuestion>
  );
}

/**
 * What is left of the only payment so far at the test gateway. Null where Stripe takes them, after a change and after a
 * renewal: the newest payment may be another month's, and a credit may have covered some of it.
 */
export function leftToRefund(order: StaffOrder): Cents | null {
  const others = order.notes.some(
    ({ note }) => note.startsWith(RENEWED) || note.startsWith(CHANGED),
  );
  if (order.providerPage || order.amount === null || others) return null;
  const paid = order.history.some(({ status }) => status === 'paid');
  return cents(paid ? order.amount - order.refunded : 0);
}

function Sums({ order, left }: { order: StaffOrder; left: Cents | null }) {
  const total = monthlyTotal(order);
  const sums = [
    { term: left === null ? 'Price per month' : 'Paid', amount: total },
    { term: 'Refunded', amount: order.refunded },
    ...(left === null ? [] : [{ term: 'Left', amount: left }]),
  ];
  return (
    <dl className="grid gap-1 rounded-control bg-paper px-4 py-3 text-sm tabular-nums">
      {sums.map(({ term, amount }) => (
        <div key={term} className="flex justify-between gap-6">
          <dt>{term}</dt>
          <dd className="text-ink">{amount === undefined ? '—' : formatDollars(amount)}</dd>
        </div>
      ))}
    </dl>
  );
}
