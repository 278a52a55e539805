/** What staff read in Teams and email about what happened to an order. */

import type {
  Alert,
  EventInvoice,
  EventKind,
  EventOf,
  NotifiedKind,
} from '../billing/order-event.server.ts';
import type { Order } from '../billing/order-store.server.ts';
import { changeInWords } from '../billing/subscription.ts';
import type { Company } from '../company/company.ts';
import { formatDay } from '../company/hours.ts';
import { formatDollars, totalOf } from '../platform/money.ts';
import { formatDate } from '../platform/time.ts';
import { alertInWords } from './describe-event.server.ts';
import { whyItEnds } from './order.ts';

interface StaffText<Kind extends EventKind> {
  /** Precedes the order's number, also in the list of undelivered notifications. */
  label: string;
  /** One sentence; without it, staff are not notified. */
  summary?(event: EventOf<Kind>, order: Order, company: Company): string;
}

const STAFF_TEXTS: { [Kind in NotifiedKind]?: StaffText<Kind> } = {
  accepted: {
    label: 'Accepted quote, order',
    summary: ({ daysUntilDue }, { acceptedName, acceptedTitle }) =>
      `${acceptedName}, ${acceptedTitle}, accepted the quote. It is paid by invoice, due in ${daysUntilDue} days.`,
  },
  'invoice-sent': { label: 'Invoice of order' },
  'debit-returned': {
    label: 'Returned bank debit, order',
    summary: ({ invoice }) =>
      `${nameOf(invoice)} is owed: the bank returned the debit. The customer was asked to pay again.`,
  },
  overdue: {
    label: 'Overdue invoice, order',
    summary: ({ invoice }) =>
      `${nameOf(invoice)} is overdue. The customer was reminded. Nothing else happens until you decide.`,
  },
  paid: {
    label: 'New order',
    summary: ({ monthly: { startsOn } }) =>
      startsOn
        ? `What is charged once is paid. The plan starts on ${formatDate(startsOn)}.`
        : 'The first month is paid.',
  },
  'quote-accepted': { label: 'Accepted quote of order' },
  'start-scheduled': {
    label: 'New order',
    summary: ({ monthly }) =>
      `The quote is accepted. Nothing is charged before the plan starts on ${formatDate(monthly.startsOn ?? '')}.`,
  },
  failed: { label: 'Failed payment of order' },
  renewed: { label: 'Renewal of order' },
  'renewal-failed': {
    label: 'Failed renewal of order',
    summary: () => 'This month could not be charged. The payment provider may try again.',
  },
  disputed: {
    label: 'Dispute on order',
    summary: ({ amount }) =>
      `The customer disputes ${formatDollars(amount)} at the bank. Answer at the payment provider before the deadline.`,
  },
  refunded: {
    label: 'Refunded: order',
    summary: ({ amount, total, lost, running }) => {
      if (total === 0) return 'The order counts as refunded.';
      const inAll = `${formatDollars(total)} refunded in all.`;
      return lost
        ? `The bank decided a dispute for the customer and gave back ${formatDollars(amount)}. ${inAll}${running ? ' The plan goes on.' : ''}`
        : inAll;
    },
  },
  'refund-failed': {
    label: 'Failed refund for order',
    summary: ({ total }) =>
      `A refund came back from the customer’s bank. ${formatDollars(total)} are refunded in all. Ask the customer how to send the money.`,
  },
  paused: {
    label: 'Billing of order',
    summary: ({ paused }) =>
      paused ? 'Billing is paused: nothing is charged for now.' : 'Billing has resumed.',
  },
  changed: {
    label: 'Change of order',
    summary: ({ before, after }) =>
      `The plan was changed from ${changeInWords(before, after).join(' to ')}.`,
  },
  'card-replaced': {
    label: 'New card for order',
    summary: ({ card }) => `The customer replaced the card. It is ${card ?? 'a new card'} now.`,
  },
  ending: {
    label: 'Cancellation of order',
    summary: ({ endsAt }, order, company) => {
      if (endsAt === null) return 'The cancellation was withdrawn.';
      const why = whyItEnds(order);
      return `The subscription ends on ${formatDay(company, endsAt)}.${why && ` Why: ${why}`}`;
    },
  },
  ended: {
    label: 'End of order',
    summary: () => 'The subscription has ended. Nothing more is charged.',
  },
  'credit-left': {
    label: 'Credit at the end of order',
    summary: ({ amount }) =>
      `${formatDollars(amount)} is owed to the customer, which no bill will use now. Send it back, then set the customer’s balance at the payment provider to zero. The customer expects to hear from you.`,
  },
  'paid-after-end': {
    label: 'Payment after the end of order',
    summary: ({ invoices, status }) =>
      `${amountOf(invoices)} was taken although the order is ${status}. Refund it, or agree with the customer what it pays for.`,
  },
} satisfies { [Kind in Exclude<NotifiedKind, Alert['kind']>]: StaffText<Kind> };

/** What staff must look into needs no words of its own. */
export function staffTextOf<Kind extends NotifiedKind>(kind: Kind): StaffText<Kind> {
  return (
    STAFF_TEXTS[kind] ?? {
      label: 'Please check order',
      summary: (event) => alertInWords(event).join('. '),
    }
  );
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
