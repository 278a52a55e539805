/** What staff do with an order: refund, end, make and revoke links, each in a dialog that says what will happen. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { fetchCall, randomId, reasonOf } from '../platform/fetch-call.ts';
import { formatDollars, fromDollars } from '../platform/money.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field, RadioCards, TextInput } from '../ui/fields.tsx';
import { Notice } from '../ui/notice.tsx';
import { awaitsPayment, ENDABLE, ENDINGS, isErased, REFUNDABLE } from './order.ts';
import {
  CANCEL_ORDER,
  MAKE_ORDER_LINK,
  ORDERS_KEY,
  REFUND_ORDER,
  REVOKE_ORDER_LINKS,
  type StaffOrder,
} from './order-api.ts';
import { monthlyTotal } from './order-state.tsx';

const FAILED = 'That didn’t work. Please try again.';

/** Each as its button says, and when it can be done. */
const ACTIONS = {
  refund: {
    label: 'Refund…',
    Dialog: RefundDialog,
    isFor: ({ status, history }: StaffOrder) =>
      status !== null &&
      REFUNDABLE.includes(status) &&
      history.some((past) => past.status === 'paid'),
  },
  cancel: {
    label: 'End subscription…',
    Dialog: CancelDialog,
    isFor: ({ status }: StaffOrder) => status !== null && ENDABLE.includes(status),
  },
  link: { label: 'Make a link…', Dialog: LinkDialog, isFor: hasLinks },
  revoke: { label: 'Revoke links…', Dialog: RevokeDialog, isFor: hasLinks },
};
const NAMES = ['refund', 'cancel', 'link', 'revoke'] as const;

function hasLinks(order: StaffOrder): boolean {
  return order.status !== null && !awaitsPayment(order.status) && !isErased(order);
}

export function OrderActions({ order }: { order: StaffOrder }) {
  const [shown, setShown] = useState<keyof typeof ACTIONS | null>(null);
  return (
    <div className="mt-4 flex flex-wrap gap-2">
      {NAMES.filter((name) => ACTIONS[name].isFor(order)).map((name) => (
        <Button key={name} variant="quiet" size="small" onClick={() => setShown(name)}>
          {ACTIONS[name].label}
        </Button>
      ))}
      {NAMES.map((name) => {
        const { Dialog: ActionDialog } = ACTIONS[name];
        const close = () => setShown(null);
        return <ActionDialog key={name} order={order} open={shown === name} onClose={close} />;
      })}
    </div>
  );
}

interface DialogProps {
  order: StaffOrder;
  open: boolean;
  onClose: () => void;
}

interface OrderDialogProps extends DialogProps {
  title: string;
  verb: string;
  /** null while what was typed makes no sense. */
  act: (() => Promise<unknown>) | null;
  children: ReactNode;
}

/** Asks before something is done with an order; list and detail are loaded again afterwards. */
function OrderDialog({ order, open, onClose, title, verb, act, children }: OrderDialogProps) {
  const queryClient = useQueryClient();
  const action = useMutation({
    mutationFn: async () => act?.(),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ORDERS_KEY }),
  });
  const close = () => {
    action.reset();
    onClose();
  };
  return (
    <Dialog open={open} onClose={close} title={title} subtitle={`${order.name}, ${order.planName}`}>
      <div className="grid gap-4">
        {children}
        {action.error && <Notice kind="error">{reasonOf(action.error, FAILED)}</Notice>}
        <div className="flex flex-wrap gap-3">
          <Button
            variant="danger"
            busy={action.isPending}
            disabled={act === null}
            onClick={() => action.mutate(undefined, { onSuccess: close })}
          >
            {verb}
          </Button>
          <Button variant="quiet" onClick={close}>
            Cancel
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

function RevokeDialog(dialog: DialogProps) {
  const { id } = dialog.order;
  return (
    <OrderDialog
      {...dialog}
      title="Revoke links"
      verb="Revoke links"
      act={() => fetchCall(REVOKE_ORDER_LINKS, { params: { id } })}
    >
      <p className="text-sm">
        No link that was sent before opens this order any more, and no browser may change it until
        its customer has a new link.
      </p>
    </OrderDialog>
  );
}

/** For a customer who gets no email from us. */
function LinkDialog({ order, open, onClose }: DialogProps) {
  const link = useMutation({
    mutationFn: () => fetchCall(MAKE_ORDER_LINK, { params: { id: order.id } }),
  });
  const close = () => {
    link.reset();
    onClose();
  };
  return (
    <Dialog open={open} onClose={close} title="Make a link" subtitle={order.name}>
      <div className="grid gap-4 text-sm">
        <p>
          Whoever opens this link can change the plan, replace the card and cancel. It works once,
          within 30 minutes. Give it to the customer only.
        </p>
        {link.error && <Notice kind="error">{reasonOf(link.error, FAILED)}</Notice>}
        {link.data ? (
          <Field label="Link to the order">
            {(control) => (
              <TextInput
                {...control}
                readOnly
                value={link.data.url}
                onFocus={(e) => e.target.select()}
              />
            )}
          </Field>
        ) : (
          <Button onClick={() => link.mutate()} className="justify-self-start">
            Make the link
          </Button>
        )}
      </div>
    </Dialog>
  );
}

const ENDING_LABELS = {
  now: 'Immediately',
  'period-end': 'At the end of the paid month',
} as const;

function CancelDialog(dialog: DialogProps) {
  const { id, status } = dialog.order;
  const [when, setWhen] = useState<(typeof ENDINGS)[number]>('period-end');
  const paid = status === 'paid';
  return (
    <OrderDialog
      {...dialog}
      title="End the subscription"
      verb="End the subscription"
      act={() => fetchCall(CANCEL_ORDER, { params: { id }, body: { when: paid ? when : 'now' } })}
    >
      <p className="text-sm">This doesn’t issue a refund. Use Refund for that.</p>
      {paid ? (
        <RadioCards
          legend="When"
          name="ending"
          defaultValue={when}
          options={ENDINGS.map((value) => ({ value, label: ENDING_LABELS[value] })).toReversed()}
          onChange={setWhen}
        />
      ) : (
        <p className="text-sm">It ends immediately because this month hasn’t been paid.</p>
      )}
    </OrderDialog>
  );
}

/** What is left of the newest payment only the provider knows: it may be another month's, and a credit may have covered some of it. */
function RefundDialog({ order, open, onClose }: DialogProps) {
  const [dollars, setDollars] = useState('');
  // Pressing again after a lost answer refunds nothing twice; opening the dialog again means a second refund.
  const [key, setKey] = useState(randomId);
  const amount = /^\d{1,8}(\.\d{1,2})?$/.test(dollars) ? Number(dollars) : undefined;
  const unreadable = dollars !== '' && !amount;
  const body = { amount: amount ?? null, key };
  const monthly = monthlyTotal(order);
  const sums = [
    ['Price per month', monthly === undefined ? '—' : formatDollars(monthly)],
    ['Refunded', formatDollars(order.refunded)],
  ];
  return (
    <OrderDialog
      order={order}
      open={open}
      onClose={() => {
        setDollars('');
        setKey(randomId());
        onClose();
      }}
      title="Refund"
      verb={amount ? `Refund ${formatDollars(fromDollars(amount))}` : 'Refund the newest payment'}
      act={unreadable ? null : () => fetchCall(REFUND_ORDER, { params: { id: order.id }, body })}
    >
      <p className="text-sm">
        The newest payment goes back to the customer’s card. Once everything that was paid is
        refunded, the subscription ends too.
      </p>
      <dl className="grid gap-1 rounded-control bg-paper px-4 py-3 text-sm tabular-nums">
        {sums.map(([term, sum]) => (
          <div key={term} className="flex justify-between gap-6">
            <dt>{term}</dt>
            <dd className="text-ink">{sum}</dd>
          </div>
        ))}
      </dl>
      <Field
        label="Amount in dollars"
        hint="Leave blank to refund what is left of the newest payment."
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
    </OrderDialog>
  );
}
