/** Giving money back and ending a subscription, each behind a question that says what will happen. */
import { type ReactNode, useState } from 'react';
import { CallError } from '../platform/fetch-json.ts';
import { formatDollars, fromDollars } from '../platform/money.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { RadioCards } from '../ui/radio-cards.tsx';
import { TextInput } from '../ui/text-input.tsx';
import type { StaffOrderJson } from './order.ts';
import { ENDABLE, ENDINGS, REFUNDABLE } from './order-list.ts';
import { useOrderAction } from './use-orders.ts';

export function OrderActions({ order }: { order: StaffOrderJson }) {
  const [asking, setAsking] = useState<'refund' | 'cancel' | null>(null);
  const close = () => setAsking(null);
  return (
    <div className="mt-4 flex flex-wrap gap-2">
      {REFUNDABLE.includes(order.status) && (
        <Button variant="quiet" size="small" onClick={() => setAsking('refund')}>
          Refund …
        </Button>
      )}
      {ENDABLE.includes(order.status) && (
        <Button variant="quiet" size="small" onClick={() => setAsking('cancel')}>
          Cancel …
        </Button>
      )}
      <RefundDialog order={order} open={asking === 'refund'} onClose={close} />
      <CancelDialog order={order} open={asking === 'cancel'} onClose={close} />
    </div>
  );
}

interface ActionDialogProps {
  order: StaffOrderJson;
  open: boolean;
  onClose: () => void;
}

function RefundDialog({ order, open, onClose }: ActionDialogProps) {
  const [dollars, setDollars] = useState('');
  // Pressing again after a lost answer gives back nothing twice; whoever asks anew means a second refund.
  const [key, setKey] = useState(() => crypto.randomUUID());
  const amount = /^\d{1,8}(\.\d{1,2})?$/.test(dollars) ? Number(dollars) : undefined;
  const unreadable = dollars !== '' && !amount;
  return (
    <Question
      order={order}
      what="refund"
      open={open}
      onClose={() => {
        setDollars('');
        setKey(crypto.randomUUID());
        onClose();
      }}
      title="Give money back"
      verb={amount ? `Refund ${formatDollars(fromDollars(amount))}` : 'Refund the whole month'}
      body={unreadable ? null : { amount: amount ?? null, key }}
    >
      <p className="text-sm">
        The newest payment goes back to the customer's card. When everything that was paid has been
        given back, the subscription ends too.
      </p>
      <Field
        label="Amount in dollars"
        hint="Leave it empty for all that is left of the newest payment."
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
    </Question>
  );
}

const ENDING_LABELS = {
  now: 'At once',
  'period-end': 'At the end of the month that has been paid',
} as const;

function CancelDialog({ order, open, onClose }: ActionDialogProps) {
  const [when, setWhen] = useState<(typeof ENDINGS)[number]>('period-end');
  const paid = order.status === 'paid';
  return (
    <Question
      order={order}
      what="cancel"
      open={open}
      onClose={onClose}
      title="End the subscription"
      verb="End the subscription"
      body={{ when: paid ? when : 'now' }}
    >
      <p className="text-sm">Nothing is given back by this; use Refund for that.</p>
      {paid ? (
        <RadioCards
          legend="When"
          name="ending"
          value={when}
          options={ENDINGS.map((value) => ({ value, label: ENDING_LABELS[value] })).toReversed()}
          onChange={setWhen}
        />
      ) : (
        <p className="text-sm">It ends at once: this month has not been paid.</p>
      )}
    </Question>
  );
}

interface QuestionProps extends ActionDialogProps {
  what: 'refund' | 'cancel';
  title: string;
  verb: string;
  /** null while what was typed makes no sense. */
  body: object | null;
  children: ReactNode;
}

function Question(props: QuestionProps) {
  const { order, what, open, onClose, title, verb, body, children } = props;
  const action = useOrderAction(order.id, what);
  const problem =
    action.error instanceof CallError ? action.error.reason : action.error && 'It was not done.';
  const close = () => {
    action.reset();
    onClose();
  };
  return (
    <Dialog open={open} onClose={close} title={title} subtitle={`${order.name}, ${order.planName}`}>
      <div className="grid gap-4">
        {children}
        {problem && <Notice kind="error">{problem}</Notice>}
        <div className="flex flex-wrap gap-3">
          <Button
            variant="danger"
            busy={action.isPending}
            disabled={body === null}
            onClick={() => body && action.mutate(body, { onSuccess: close })}
          >
            {verb}
          </Button>
          <Button variant="quiet" onClick={close}>
            Keep as it is
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
