/** What staff read in Teams and email about what happened to an order. */

import type { Order } from '../billing/billed-order.server.ts';
import type { Alert, NotifiedKind } from '../billing/event-kinds.server.ts';
import type { EventInvoice, EventKind, EventOf } from '../billing/order-event.server.ts';
import { formatDollars, totalOf } from '../platform/money.ts';
import { formatDate } from '../platform/time.ts';
import { whyItEnds } from './order.ts';

interface StaffText<Kind extends EventKind> {
  /** Precedes the order's number, also in the list of undelivered notifications. */
  label: string;
  /** What to say besides the words of the history; without it, staff are not notified. */
  more?(event: EventOf<Kind>, order: Order): string;
}

const STAFF_TEXTS: { [Kind in NotifiedKind]?: StaffText<Kind> } = {
  accepted: {
    label: 'Accepted quote, order',
    more: ({ daysUntilDue }, { acceptedName, acceptedTitle }) =>
      `${acceptedName}, ${acceptedTitle}, accepted the quote. It is paid by invoice, due in ${daysUntilDue} days.`,
  },
  'invoice-sent': { label: 'Invoice of order' },
  'debit-returned': {
    label: 'Returned bank debit, order',
    more: ({ invoice }) =>
      `${nameOf(invoice)} is owed: the bank returned the debit. The customer was asked to pay again.`,
  },
  overdue: {
    label: 'Overdue invoice, order',
    more: ({ invoice }) =>
      `${nameOf(invoice)} is overdue. The customer was reminded. Nothing else happens until you decide.`,
  },
  paid: {
    label: 'New order',
    more: ({ monthly: { startsOn } }) =>
      startsOn
        ? `What is charged once is paid. The plan starts on ${formatDate(startsOn)}.`
        : 'The first month is paid.',
  },
  'quote-accepted': { label: 'Accepted quote of order' },
  'start-scheduled': {
    label: 'New order',
    more: () => 'The quote is accepted. Nothing is charged before.',
  },
  failed: { label: 'Failed payment of order' },
  renewed: { label: 'Renewal of order' },
  'renewal-failed': {
    label: 'Failed renewal of order',
    more: () => 'This month could not be charged. The payment provider may try again.',
  },
  disputed: {
    label: 'Dispute on order',
    more: () => 'Answer at the payment provider before the deadline.',
  },
  refunded: {
    label: 'Refunded: order',
    more: ({ lost, running }) => (lost && running ? 'The plan goes on.' : ''),
  },
  'refund-failed': {
    label: 'Failed refund for order',
    more: () => 'Ask the customer how to send the money.',
  },
  paused: { label: 'Billing of order', more: () => '' },
  changed: { label: 'Change of order', more: () => '' },
  'card-replaced': { label: 'New card for order', more: () => '' },
  ending: {
    label: 'Cancellation of order',
    more: (_, order) => whyItEnds(order) && `Why: ${whyItEnds(order)}`,
  },
  ended: {
    label: 'End of order',
    more: () => 'The subscription has ended. Nothing more is charged.',
  },
  'credit-left': {
    label: 'Credit at the end of order',
    more: () =>
      'Send it back, then set the customer’s balance at the payment provider to zero. The customer expects to hear from you.',
  },
  'paid-after-end': {
    label: 'Payment for the ended order',
    more: () => 'Refund it, or agree with the customer what it pays for.',
  },
} satisfies { [Kind in Exclude<NotifiedKind, Alert['kind']>]: StaffText<Kind> };

/** What staff must look into needs no label of its own. */
export function staffTextOf<Kind extends NotifiedKind>(kind: Kind): StaffText<Kind> {
  return STAFF_TEXTS[kind] ?? { label: 'Please check order', more: () => '' };
}

function nameOf({ number, amount, remaining }: EventInvoice): string {
  const name = `Invoice ${number ?? ''} of ${formatDollars(amount)}`;
  return remaining > 0 && remaining < amount
    ? `${name}, of which ${formatDollars(remaining)} is still open,`
    : name;
}

export function amountOf(invoices: readonly EventInvoice[]): string {
  return formatDollars(totalOf(invoices));
}
