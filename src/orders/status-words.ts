/** What customers and staff read of the state of an order and of its invoices. */
import { type CollectionState, type InvoiceState, isOwed } from '../billing/invoice.ts';
import { awaitsPayment, type OrderStatus } from '../billing/order-status.ts';
import { formatDate } from '../platform/time.ts';

interface StatusWords {
  staff: string;
  customer: string;
  next: string;
  tone: 'neutral' | 'primary' | 'amber' | 'danger';
  unsold?: true;
}

export const STATUS_WORDS: Record<OrderStatus, StatusWords> = {
  pending: {
    staff: 'Pending',
    customer: 'Not paid yet',
    next: 'No card has been charged.',
    tone: 'neutral',
    unsold: true,
  },
  processing: {
    staff: 'Processing',
    customer: 'Payment in progress',
    next: 'Your bank is still deciding. If it asked for your approval, please give it, or pay again.',
    tone: 'amber',
  },
  paid: {
    staff: 'Paid',
    customer: 'Paid',
    next: 'The monthly total is charged every month until you cancel.',
    tone: 'primary',
  },
  failed: {
    staff: 'Failed',
    customer: 'Payment failed',
    next: 'No card has been charged. You can try again with the same or another card.',
    tone: 'danger',
    unsold: true,
  },
  canceled: {
    staff: 'Canceled',
    customer: 'Canceled',
    next: 'Nothing more will be charged.',
    tone: 'neutral',
  },
  past_due: {
    staff: 'Overdue',
    customer: 'Payment overdue',
    next: 'Your last payment didn’t go through. Please enter a new card, or contact us.',
    tone: 'danger',
  },
  refunded: {
    staff: 'Refunded',
    customer: 'Refunded',
    next: 'The amount is on its way back, the way you paid it.',
    tone: 'neutral',
  },
};

const NEXT_INVOICE = 'We send an invoice every month until you cancel.';

export const INVOICE_WORDS: Record<InvoiceState, StatusWords> = {
  sent: invoice('Invoice sent', 'amber', 'Please pay the invoice by its due date, by ACH or wire.'),
  debit_under_way: invoice(
    'Bank debit under way',
    'amber',
    'Your bank takes up to 4 business days. You don’t need to do anything.',
  ),
  debit_returned: invoice(
    'Bank debit returned',
    'danger',
    'Your bank returned the payment. Please pay the invoice again, or contact us.',
  ),
  overdue: invoice(
    'Invoice overdue',
    'danger',
    'The due date has passed. Please pay the invoice, or contact us.',
  ),
  paid: invoice('Paid', 'primary', NEXT_INVOICE),
  paid_out_of_band: { ...invoice('Paid outside', 'primary', NEXT_INVOICE), customer: 'Paid' },
  void: {
    ...invoice('Given up', 'neutral', 'The invoice is no longer due. Please don’t pay it.'),
    customer: 'Canceled',
  },
};

function invoice(state: string, tone: StatusWords['tone'], next: string): StatusWords {
  return { staff: state, customer: state, next, tone };
}

/** Where staff have set it up otherwise than by the month. */
export const BY_AGREEMENT = {
  staff: 'Billed by agreement',
  next: 'Your plan is billed as we agreed with you, until you cancel.',
};

interface OrderState {
  status: OrderStatus | null;
  payment: CollectionState;
  startsOn?: string | null;
  endsAt?: string | null;
  billable?: boolean;
  byAgreement?: boolean;
  paused?: boolean;
}

const FIRST_MONTH = {
  ...STATUS_WORDS.processing,
  next: 'Your first month is being charged. You don’t need to do anything.',
};
const FIRST_OWED: StatusWords = {
  ...STATUS_WORDS.past_due,
  staff: STATUS_WORDS.failed.staff,
};
const PAUSED: StatusWords = {
  staff: 'Billing paused',
  customer: 'Billing paused',
  next: 'Billing is paused. You aren’t being charged.',
  tone: 'amber',
};

export const NOT_STARTED: StatusWords = {
  staff: 'Will not start',
  customer: 'Will not start',
  next: 'Your plan will not start, and nothing more is charged.',
  tone: 'amber',
};

function startWords(startsOn: string): StatusWords {
  const state = `Starts ${formatDate(startsOn)}`;
  const next = `Nothing is charged before ${formatDate(startsOn)}. From then on, the monthly total is charged every month until you cancel.`;
  return { staff: state, customer: state, next, tone: 'primary' };
}

/** 'Starts January 4, 2027', beside what is paid or owed already. */
export function startsInWords({ status, startsOn, endsAt }: OrderState): string | null {
  if (!startsOn || status === 'processing') return null;
  return (willNotStart({ startsOn, endsAt }) ? NOT_STARTED : startWords(startsOn)).staff;
}

/** It is set to end by the day on which it would have started. */
export function willNotStart({ startsOn, endsAt }: Pick<OrderState, 'startsOn' | 'endsAt'>) {
  return Boolean(startsOn && endsAt && endsAt.slice(0, startsOn.length) <= startsOn);
}

/** What is billed by agreement has no monthly total, and no first month. */
export function wordsOf(order: OrderState): StatusWords | null {
  const { status, billable, byAgreement } = order;
  const words = wordsByMonth(order);
  const isAgreed = byAgreement && (status === 'paid' || (status === 'processing' && billable));
  return words && isAgreed && words !== NOT_STARTED ? { ...words, next: BY_AGREEMENT.next } : words;
}

/** The words of an order by invoice are its invoice's until that is paid, and once it is void. */
function wordsByMonth(order: OrderState): StatusWords | null {
  const { status, payment, startsOn, billable, paused } = order;
  const { state, collection } = payment;
  if (status === 'processing' && startsOn)
    return willNotStart(order) ? NOT_STARTED : startWords(startsOn);
  if (status === 'paid' && startsOn)
    return {
      ...STATUS_WORDS.paid,
      next: `The monthly total is charged from ${formatDate(startsOn)} on, every month until you cancel.`,
    };
  // By invoice, one is said to be sent before there is any.
  if (status === 'processing' && billable && (state === null || state === 'sent'))
    return paused ? PAUSED : FIRST_MONTH;
  if (status === 'failed' && billable && state === null) return FIRST_OWED;
  // What a card did not pay is said before an invoice that is not due yet.
  const isOverdue = status === 'past_due' && state !== 'overdue' && state !== 'debit_returned';
  const isCharged = collection === 'card' && (status === 'paid' || isOverdue);
  if (status === null || state === null || isCharged) return status && STATUS_WORDS[status];
  const isAsked = awaitsPayment(status) || status === 'past_due';
  if (isAsked || (status === 'canceled' && state === 'void')) return INVOICE_WORDS[state];
  // While a later invoice is owed, or was voided by staff, the plan goes on.
  if (status === 'paid') return INVOICE_WORDS[state === 'paid_out_of_band' ? state : 'paid'];
  return STATUS_WORDS[status];
}

/** The invoice that is still owed on a paid order, or on one that has ended. */
export function renewalWords({ status, payment: { state } }: OrderState): StatusWords | null {
  const isPaidOrEnded = status === 'paid' || status === 'canceled';
  return isPaidOrEnded && isOwed(state) ? INVOICE_WORDS[state] : null;
}
