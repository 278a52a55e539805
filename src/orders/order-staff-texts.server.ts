/** What staff read in Teams and email about what happened to an order. */

import type { Order } from '../billing/billed-order.server.ts';
import type { Alert, NotifiedKind } from '../billing/event-kinds.server.ts';
import { owedOf } from '../billing/invoice-store.server.ts';
import type { EventInvoice, EventKind, EventOf } from '../billing/order-event.server.ts';
import { orderReference, quoteReference } from '../billing/reference.ts';
import { isMonthly, monthlyPriceOf, paysRealMoney } from '../billing/subscription-store.server.ts';
import { startFacts } from '../catalogue/pricing.ts';
import { formatDateTime } from '../company/days.ts';
import type { MessageContext, StaffMessage } from '../notifications/notification.server.ts';
import { formatDollars } from '../platform/money.ts';
import { formatDate } from '../platform/time.ts';
import { recordPath } from '../routes.ts';
import { isErased, whyItEnds } from './order.ts';
import { present, TEST_MODE } from './order-mail-texts.server.ts';
import { BY_AGREEMENT } from './status-words.ts';

interface StaffText<Kind extends EventKind> {
  /** Precedes the order's number, also in the list of undelivered notifications. */
  label: string;
  /** Where staff are notified: what they read besides the words of the history. */
  toStaff?(event: EventOf<Kind>, order: Order): string;
}

const STAFF_TEXTS: { [Kind in NotifiedKind]?: StaffText<Kind> } = {
  accepted: {
    label: 'Accepted quote, order',
    toStaff: ({ daysUntilDue }, { acceptedName, acceptedTitle }) =>
      `${acceptedName}, ${acceptedTitle}, accepted the quote. It is paid by invoice, due in ${daysUntilDue} days.`,
  },
  'invoice-sent': { label: 'Invoice of order' },
  'debit-returned': {
    label: 'Returned bank debit, order',
    toStaff: ({ invoice }) =>
      `${nameOf(invoice)} is owed: the bank returned the debit. The customer was asked to pay again.`,
  },
  overdue: {
    label: 'Overdue invoice, order',
    toStaff: ({ invoice }) =>
      `${nameOf(invoice)} is overdue. The customer was reminded. Nothing else happens until you decide.`,
  },
  paid: {
    label: 'New order',
    toStaff: ({ monthly: { startsOn } }) =>
      startsOn
        ? `What is charged once is paid. The plan starts on ${formatDate(startsOn)}.`
        : 'The first month is paid.',
  },
  'quote-accepted': { label: 'Accepted quote of order' },
  'start-scheduled': {
    label: 'New order',
    toStaff: () => 'The quote is accepted. Nothing is charged before.',
  },
  'start-moved': { label: 'Moved start of order', toStaff: () => '' },
  failed: { label: 'Failed payment of order' },
  renewed: { label: 'Renewal of order' },
  'renewal-failed': {
    label: 'Failed renewal of order',
    toStaff: ({ invoice }) =>
      `${invoice ? formatDollars(invoice.amount) : 'A payment'} could not be charged. The payment provider may try again.`,
  },
  disputed: {
    label: 'Dispute on order',
    toStaff: () => 'Answer at the payment provider before the deadline.',
  },
  refunded: {
    label: 'Refunded: order',
    toStaff: ({ lost, running }) => (lost && running ? 'The plan goes on.' : ''),
  },
  'refund-failed': {
    label: 'Failed refund for order',
    toStaff: () => 'Ask the customer how to send the money.',
  },
  paused: { label: 'Billing of order', toStaff: () => '' },
  changed: { label: 'Change of order', toStaff: () => '' },
  'card-replaced': { label: 'New card for order', toStaff: () => '' },
  ending: {
    label: 'Cancellation of order',
    toStaff: (_, order) => whyItEnds(order) && `Why: ${whyItEnds(order)}`,
  },
  ended: {
    label: 'End of order',
    toStaff: ({ lastBill }, order) =>
      `The subscription has ended. ${lastBill ? `A last bill of ${formatDollars(lastBill)} follows.` : owedOf(order).length > 0 ? 'An invoice is still owed.' : 'Nothing more is charged.'}`,
  },
  'credit-left': {
    label: 'Credit at the end of order',
    toStaff: () =>
      'Send it back, then set the customer’s balance at the payment provider to zero. The customer expects to hear from you.',
  },
  'paid-after-end': {
    label: 'Payment for the ended order',
    toStaff: () => 'Refund it, or agree with the customer what it pays for.',
  },
} satisfies { [Kind in Exclude<NotifiedKind, Alert['kind']>]: StaffText<Kind> };

/** What staff must look into needs no label of its own. */
export function staffTextOf<Kind extends NotifiedKind>(kind: Kind): StaffText<Kind> {
  return STAFF_TEXTS[kind] ?? { label: 'Please check order', toStaff: () => '' };
}

function nameOf({ number, amount, remaining }: EventInvoice): string {
  const name = `Invoice ${number ?? ''} of ${formatDollars(amount)}`;
  return remaining > 0 && remaining < amount
    ? `${name}, of which ${formatDollars(remaining)} is still open,`
    : name;
}

export function staffMessage(
  label: string,
  summary: string,
  order: Order,
  { company, publicUrl }: MessageContext,
): StaffMessage {
  const { name, email, phone, quoteId } = order;
  const price = monthlyPriceOf(order);
  const number = orderReference(order.id);
  const erased = isErased(order);
  return {
    title: `${label} ${number}`,
    warning: paysRealMoney(order.subscription) ? null : TEST_MODE,
    facts: present(
      ['What happened', summary],
      ['Name', name],
      ['Company', order.company],
      ['Email', email],
      ['Phone', erased ? null : (phone ?? 'Not provided')],
      ['Plan', order.planName],
      ['Quote', quoteId === null ? null : quoteReference(quoteId)],
      ['Purchase order', order.poNumber],
      [
        'Monthly total',
        isMonthly(order.subscription) ? formatDollars(price.total) : BY_AGREEMENT.staff,
      ],
      ...startFacts(price),
      ['Placed', formatDateTime(company, order.createdAt)],
    ),
    price,
    reply: erased ? null : { name, email, subject: `Re: Your order ${number} at ${company.name}` },
    staffUrl: `${publicUrl}${recordPath('orders', order.id)}`,
  };
}
