/** Staff's actions on an order, each in a dialog: refund, end, make and revoke links. */

import { type ComponentProps, type ReactNode, useState } from 'react';
import { isOwed } from '../billing/invoice.ts';
import { awaitsPayment, ENDABLE, REFUNDABLE } from '../billing/order-status.ts';
import { cardName, payingWords } from '../billing/subscription.ts';
import { MAX_PO_NUMBER } from '../limits.ts';
import { isErased } from '../orders/order.ts';
import {
  CANCEL_ORDER,
  KEEP_PLAN,
  MAKE_ORDER_LINK,
  MARK_PAID,
  owedInWords,
  REFUND_ORDER,
  REVOKE_ORDER_LINKS,
  SET_PO_NUMBER,
  type StaffOrder,
} from '../orders/order-api.ts';
import { isChangeable } from '../own-page/change-plan.tsx';
import type { Payment } from '../own-page/own-page-api.ts';
import { fetchCall, reasonOf } from '../platform/fetch-call.ts';
import {
  type Cents,
  cents,
  formatDollars,
  fromDollars,
  readDollars,
  toDollars,
} from '../platform/money.ts';
import { useSite } from '../platform/site.ts';
import { formatDate } from '../platform/time.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Field, RadioCards, TextInput } from '../ui/fields.tsx';
import { LinkToCopy } from '../ui/link-to-copy.tsx';
import { useTimeFormats } from '../ui/local-time.tsx';
import { Menu } from '../ui/menu.tsx';
import { Notice } from '../ui/notice.tsx';
import { usePress } from '../ui/presses.ts';
import { type ActionProps, ChangeOrder, OrderDetails, TELL_YOURSELF } from './change-order.tsx';

interface Action {
  label: string;
  title: string;
  /** Beside the menu. */
  isFirst?: boolean;
  isFor(order: StaffOrder): boolean;
  /** Mounted only while the dialog is open, so that it opens with empty fields. */
  Content(props: ActionProps): ReactNode;
}

const ACTIONS = {
  markPaid: {
    label: 'Mark as paid…',
    title: 'Mark the invoice as paid',
    isFirst: true,
    isFor: ({ payment: { state } }) => isOwed(state) && state !== 'debit_under_way',
    Content: MarkPaid,
  },
  refund: {
    label: 'Refund…',
    title: 'Refund',
    isFirst: true,
    isFor: canRefund,
    Content: Refund,
  },
  plan: {
    label: 'Change plan…',
    title: 'Change the plan',
    isFirst: true,
    isFor: isChangeable,
    Content: ChangeOrder,
  },
  details: {
    label: 'Contact and billing…',
    title: 'Contact and billing',
    isFor: (order) => !isErased(order),
    Content: OrderDetails,
  },
  poNumber: {
    label: 'Purchase order…',
    title: 'Purchase order number',
    isFor: (order) => !isErased(order),
    Content: PoNumber,
  },
  link: { label: 'Make a link…', title: 'Make a link', isFor: hasLinks, Content: MakeLink },
  revoke: { label: 'Revoke links…', title: 'Revoke links', isFor: hasLinks, Content: RevokeLinks },
  keep: {
    label: 'Keep subscription…',
    title: 'Keep the subscription',
    isFor: ({ billable, endsAt }) => billable && endsAt !== null,
    Content: KeepSubscription,
  },
  end: {
    label: 'End subscription…',
    title: 'End the subscription',
    isFor: ({ status }) => status !== null && ENDABLE.includes(status),
    Content: EndSubscription,
  },
} as const satisfies Record<string, Action>;

export interface OpenAction {
  action: keyof typeof ACTIONS;
  payment?: Payment | undefined;
}

function hasLinks({ status, payment, ...order }: StaffOrder): boolean {
  const isKnown = status !== null && (!awaitsPayment(status) || payment.state !== null);
  return isKnown && !isErased(order);
}

export function canRefund({ status, history, payment }: StaffOrder): boolean {
  return (
    status !== null &&
    REFUNDABLE.includes(status) &&
    // By bank, a part may have come for an order that was never paid.
    (payment.state !== null || history.some((past) => past.status === 'paid'))
  );
}

/** What came and stayed: the bank takes a returned debit back. */
export function receivedOf({ amount, paid, remaining }: Payment): Cents {
  return cents(Math.min(paid ?? amount, amount - remaining));
}

/** What was paid outside is given back there. */
export function refundableOf(payment: Payment): Cents {
  const isOutside = payment.payment.state === 'paid_out_of_band';
  return isOutside ? cents(0) : cents(receivedOf(payment) - payment.refunded);
}

interface OrderActionsProps extends Pick<ActionProps, 'order' | 'page'> {
  onOpen: (open: OpenAction) => void;
  onQuote: () => void;
}

export function OrderActions({ order, page, onOpen, onQuote }: OrderActionsProps) {
  const payment = page?.payments.find((each) => refundableOf(each) > 0);
  const names = Object.keys(ACTIONS) as OpenAction['action'][];
  const actions = names.flatMap((action) => {
    const { label, isFirst = false, isFor }: Action = ACTIONS[action];
    const isPossible = isFor(order) && (action !== 'refund' || !page || payment);
    // Which payment, and how much of it, is known once they have loaded.
    const disabled = action === 'refund' && !payment;
    const onChoose = () => onOpen({ action, payment });
    return isPossible ? [{ label, isFirst, disabled, onChoose }] : [];
  });
  const more = [
    ...(isErased(order) ? [] : [{ label: 'New quote…', onChoose: onQuote }]),
    ...actions.filter(({ isFirst }) => !isFirst),
  ];
  return (
    <div className="mt-4 flex flex-wrap gap-2 empty:hidden">
      {actions.map(
        ({ label, isFirst, disabled, onChoose }) =>
          isFirst && (
            <Button key={label} variant="quiet" size="small" disabled={disabled} onClick={onChoose}>
              {label}
            </Button>
          ),
      )}
      {more.length > 0 && <Menu label="More" items={more} />}
    </div>
  );
}

interface OrderDialogProps extends Omit<ActionProps, 'payment'> {
  open: OpenAction | null;
}

export function OrderDialog({ open, ...props }: OrderDialogProps) {
  const { order, page, onClose } = props;
  /** As it is now: a colleague may have refunded a part meanwhile. */
  const payment = page?.payments.find(({ id }) => id === open?.payment?.id);
  const action: Action | null = open && ACTIONS[open.action];
  return (
    <Dialog
      open={action !== null}
      onClose={onClose}
      title={action?.title ?? ''}
      subtitle={`${order.name}, ${order.planName}`}
    >
      {action && <AsDecided {...props} payment={payment} Content={action.Content} />}
    </Dialog>
  );
}

/** Acts on the order as it was when the dialog opened: it may change while staff type. */
function AsDecided({ Content, ...props }: ActionProps & Pick<Action, 'Content'>) {
  const { order } = props;
  const [version, setVersion] = useState(order.version);
  return (
    <>
      {version !== order.version && (
        <Notice kind="warning" className="mb-4">
          <p>This order has changed since you opened this.</p>
          <Button
            variant="quiet"
            size="small"
            className="mt-2"
            onClick={() => setVersion(order.version)}
          >
            Start again
          </Button>
        </Notice>
      )}
      <Content key={version} {...props} order={{ ...order, version }} />
    </>
  );
}

function RevokeLinks({ order: { id }, onClose }: ActionProps) {
  const revoke = () => fetchCall(REVOKE_ORDER_LINKS, { params: { id } });
  return (
    <Confirm verb="Revoke links" act={revoke} reloads onClose={onClose}>
      <p>
        Links sent so far no longer open this order, and no browser can change it until its customer
        has a new link.
      </p>
    </Confirm>
  );
}

/** For customers who don't get email from us. */
function MakeLink({ order: { id } }: ActionProps) {
  const link = usePress({ mutationFn: () => fetchCall(MAKE_ORDER_LINK, { params: { id } }) });
  return (
    <div className="grid gap-4 text-sm">
      <p>
        Anyone who opens this link can change the plan, replace the card, and cancel. It works once,
        within 30 minutes. Give it to the customer only.
      </p>
      {link.error && <Notice kind="error">{reasonOf(link.error)}</Notice>}
      {link.data ? (
        <LinkToCopy label="Link to the order" url={link.data.url} />
      ) : (
        <Button busy={link.isPending} onClick={() => link.mutate()} className="justify-self-start">
          Make the link
        </Button>
      )}
    </div>
  );
}

function EndSubscription({ order, onClose }: ActionProps) {
  const { id, status, version, endsAt, startsOn } = order;
  const hasChoice = status === 'paid' && endsAt === null;
  const [when, setWhen] = useState<'period-end' | 'now'>(hasChoice ? 'period-end' : 'now');
  const end = () => fetchCall(CANCEL_ORDER, { params: { id }, body: { when, version } });
  return (
    <Confirm verb="End the subscription" act={end} reloads onClose={onClose}>
      <p>This doesn’t issue a refund. Use Refund for that.</p>
      {(isOwed(order.payment.state) || status === 'past_due') && (
        <p>If it ends immediately, the open invoice is void.</p>
      )}
      {hasChoice ? (
        <RadioCards
          legend="When"
          name="ending"
          defaultValue={when}
          options={[
            {
              value: 'period-end',
              label: startsOn
                ? `On ${formatDate(startsOn)}, instead of starting`
                : 'At the end of the paid month',
            },
            { value: 'now', label: 'Immediately' },
          ]}
          onChange={setWhen}
        />
      ) : (
        <p>{`It ends immediately${status === 'past_due' ? ' because the last payment didn’t go through' : ''}.`}</p>
      )}
    </Confirm>
  );
}

function KeepSubscription({ order: { id, version = 0, endsAt }, onClose }: ActionProps) {
  const { date } = useTimeFormats();
  const { mail } = useSite();
  const keep = () => fetchCall(KEEP_PLAN, { params: { id }, body: { version } });
  return (
    <Confirm verb="Keep the subscription" variant="primary" act={keep} reloads onClose={onClose}>
      {endsAt && (
        <p>{`It was set to end on ${date.format(new Date(endsAt))}. It goes on. ${mail ? 'The customer gets an email.' : TELL_YOURSELF}`}</p>
      )}
    </Confirm>
  );
}

const AMOUNT = { inputMode: 'decimal', className: 'max-w-48 tabular-nums' } as const;
const AMOUNT_ERROR = 'Please enter an amount such as 125.50';

/** The money came by check, for example, so the payment provider does not know of it. */
function MarkPaid({ order: { id, owed, version = 0 }, onClose }: ActionProps) {
  const [typed, setTyped] = useState('');
  const reference = typed.trim();
  const remaining = owed[0] ? toDollars(owed[0].remaining).toFixed(2) : '';
  const [dollars, setDollars] = useState(remaining);
  const amount = readDollars(dollars);
  const isInvalid = reference === '' || amount === undefined;
  const body = { reference, amount, version };
  return (
    <Confirm
      verb="Mark as paid"
      variant="primary"
      act={isInvalid ? null : () => fetchCall(MARK_PAID, { params: { id }, body })}
      byEnter
      reloads
      onClose={onClose}
    >
      <p>The invoice that was owed first counts as paid outside. This can’t be undone.</p>
      {owed[0] && <p className="text-ink">{owedInWords(owed[0])}</p>}
      <LineField
        label="Amount received in dollars"
        hint="If less came than was owed, the invoice still counts as paid, and the receipt says what came."
        error={amount === undefined ? AMOUNT_ERROR : undefined}
        {...AMOUNT}
        value={dollars}
        onType={setDollars}
      />
      <LineField
        label="Reference"
        hint="The number of the check or transfer. It stands on the receipt."
        maxLength={100}
        value={typed}
        onType={setTyped}
      />
    </Confirm>
  );
}

/** The customer may get one after the purchase, or a new one each year. */
function PoNumber({ order: { id, version = 0, poNumber }, onClose }: ActionProps) {
  const [typed, setTyped] = useState(poNumber ?? '');
  const body = { poNumber: typed, version };
  return (
    <Confirm
      verb="Save"
      variant="primary"
      act={() => fetchCall(SET_PO_NUMBER, { params: { id }, body })}
      byEnter
      reloads
      onClose={onClose}
    >
      <LineField
        label="Number"
        hint="It stands on the emails, receipts and invoices that follow. Leave blank for none."
        maxLength={MAX_PO_NUMBER}
        value={typed}
        onType={setTyped}
      />
    </Confirm>
  );
}

function Refund({ order, payment, onClose }: ActionProps) {
  const [dollars, setDollars] = useState('');
  const amount = readDollars(dollars);
  const left = payment ? refundableOf(payment) : cents(0);
  const rest = formatDollars(left);
  const error =
    dollars.trim() !== '' && !amount
      ? AMOUNT_ERROR
      : amount && fromDollars(amount) > left
        ? `No more than ${rest} can be refunded`
        : undefined;
  const body = { amount: amount ?? null, payment: payment?.id, version: order.version };
  return (
    <Confirm
      verb={`Refund ${amount ? formatDollars(fromDollars(amount)) : rest}`}
      act={error ? null : () => fetchCall(REFUND_ORDER, { params: { id: order.id }, body })}
      byEnter={amount !== undefined}
      reloads
      onClose={onClose}
    >
      {payment && <PaymentFacts payment={payment} />}
      <p>
        <span>{`It goes back to the ${payingWords(order.payment).payer}. `}</span>
        <span>
          {order.startsOn
            ? 'The plan still starts on its day, unless you end it.'
            : 'Once everything that was paid is refunded, the subscription ends too.'}
        </span>
      </p>
      <LineField
        label="Amount in dollars"
        hint="Leave blank to refund what is left of this payment."
        error={error}
        {...AMOUNT}
        value={dollars}
        onType={setDollars}
      />
    </Confirm>
  );
}

function PaymentFacts({ payment }: { payment: Payment }) {
  const { date } = useTimeFormats();
  const { at, brand, last4, refunded } = payment;
  const facts = [
    ['Paid', `${date.format(new Date(at))}, ${formatDollars(receivedOf(payment))}`],
    ['With', brand ? cardName(brand, last4) : 'Bank'],
    ...(refunded > 0 ? [['Refunded', formatDollars(refunded)]] : []),
    ['Can be refunded', formatDollars(refundableOf(payment))],
  ];
  return (
    <dl className="grid gap-1 rounded-control bg-paper px-4 py-3 text-sm tabular-nums">
      {facts.map(([term, value]) => (
        <div key={term} className="flex justify-between gap-6">
          <dt>{term}</dt>
          <dd className="text-right text-ink">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface LineFieldProps extends ComponentProps<typeof TextInput> {
  label: string;
  hint: string;
  error?: string | undefined;
  onType: (text: string) => void;
}

function LineField({ label, hint, error, onType, ...input }: LineFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      <TextInput className="max-w-72" {...input} onChange={({ target }) => onType(target.value)} />
    </Field>
  );
}
