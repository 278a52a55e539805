/** What staff and customers read about an order's events. */
import { priceLinesOf } from '../catalogue/pricing.ts';
import type { Company } from '../company/company.ts';
import { formatDateTime, formatDay } from '../company/hours.ts';
import type {
  CustomerEmail,
  EmailPart,
  MessageContext,
} from '../notifications/notification.server.ts';
import type { Row } from '../platform/database/tables.server.ts';
import { cents, formatDollars } from '../platform/money.ts';
import { isRunning, paysRealMoney, planInWords, salesTax } from './order.ts';
import type { Order } from './order-store.server.ts';

export interface OrderDetails {
  order: Order;
  /** The newest paid one. */
  invoice: Row<'orderInvoices'> | undefined;
  /** The unpaid one that the message is about: of an order by invoice, or a payment to confirm. */
  owed: Row<'orderInvoices'> | undefined;
  /** What staff must look into. */
  alert: string | undefined;
}

interface EmailDetails extends OrderDetails {
  /** The order's reference. */
  number: string;
  context: MessageContext;
  /** When the event happened, in milliseconds since 1970. */
  at: number;
}

export interface OrderTexts {
  /** Precedes the order number in messages to staff. */
  label: string;
  /** One sentence for staff; without it, only the customer is notified. */
  staffSummary?(details: OrderDetails, company: Company): string;
  /** Without it, only staff are notified. */
  email?(details: EmailDetails):
    | (Pick<CustomerEmail, 'subject' | 'heading' | 'parts' | 'question'> & {
        /** The label of the link to the order, which follows the parts. */
        link?: string;
      })
    | undefined;
}

export const ORDER_TEXTS = {
  'order-accepted': {
    label: 'Accepted quote, order',
    staffSummary: ({ order }) =>
      `${order.acceptedName}, ${order.acceptedTitle}, accepted the quote. It is paid by invoice, due in ${order.dueDays} days.`,
    email: ({ order, number, context, owed }) => ({
      subject: `Your order ${number}: the invoice is on its way`,
      heading: 'Thank you for your order',
      parts: [
        `Your quote was accepted. The invoice is due in ${order.dueDays} days and can be paid by ACH debit, ACH credit, or wire. Your monthly plan:`,
        monthlyPrices(order),
        invoiceFacts({ order, number, context, owed }),
        'Open your order to see the invoice and what was accepted. If you didn’t expect this, please call us.',
      ],
    }),
  },
  'order-debit-returned': {
    label: 'Returned bank debit, order',
    staffSummary: ({ owed }) =>
      `${nameOf(owed)} is owed: the bank returned the debit. The customer was asked to pay again.`,
    email: (details) =>
      owedEmail(details, {
        subject: `Your payment for order ${details.number} was returned`,
        heading: 'Your bank returned the payment',
        first: `The bank debit for your ${details.order.planName} plan came back, so the invoice is not paid.`,
        last: details.owed?.paid
          ? 'Please call us or reply to this email to agree on another way to pay.'
          : 'Please open your order to pay again, with another account or by wire, or contact us.',
      }),
  },
  'order-overdue': {
    label: 'Overdue invoice, order',
    staffSummary: ({ owed }) =>
      `${nameOf(owed)} is overdue. The customer was reminded. Nothing else happens until you decide.`,
    email: (details) =>
      owedEmail(details, {
        subject: `Your invoice for order ${details.number} is overdue`,
        heading: 'Your invoice is overdue',
        first: `We haven’t received the payment for your ${details.order.planName} plan.`,
        last: 'Please open your order to pay the invoice. If you have just paid, there is nothing to do.',
      }),
  },
  'order-paid': {
    label: 'New order',
    staffSummary: () => 'The first month is paid.',
    email: ({ order, number, context, at }) => ({
      subject: `Receipt for your order ${number}`,
      heading: 'Thank you for your order',
      parts: [
        'Thanks for your payment. Your monthly plan:',
        monthlyPrices(order),
        facts(
          ['Order', number],
          ['Company', emailedCompany(order)],
          ['Purchase order', order.poNumber],
          ['Paid', formatDateTime(context.company, at)],
        ),
      ],
      question: 'We will be in touch shortly. Questions?',
    }),
  },
  // For programs alone.
  'quote-accepted': { label: 'Accepted quote of order' },
  'order-failed': { label: 'Failed payment of order' },
  'order-renewed': {
    label: 'Renewal of order',
    email: ({ order, number, context: { company }, invoice }) => ({
      subject: `Receipt for your order ${number}`,
      heading: 'Your plan is renewed',
      parts: [
        isRunning(order.status)
          ? `Thanks for your payment. Your ${order.planName} plan runs for another month.`
          : `Thanks for your payment for your ${order.planName} plan.`,
        facts(
          ['Order', number],
          ['Company', emailedCompany(order)],
          ['Purchase order', order.poNumber],
          ['Receipt', invoice?.number],
          [
            'Period',
            invoice?.periodStart &&
              invoice.periodEnd &&
              `${formatDay(company, invoice.periodStart)} to ${formatDay(company, invoice.periodEnd)}`,
          ],
          ['Sales tax', invoice?.taxCents && formatDollars(invoice.taxCents)],
          ['Total', invoice && formatDollars(invoice.amountCents)],
          [
            'Paid with',
            invoice?.cardLast4 && `${invoice.cardBrand ?? 'Card'} ending in ${invoice.cardLast4}`,
          ],
        ),
        'There is nothing to do. Open your order to print this receipt, change your plan, or cancel.',
      ],
    }),
  },
  'order-renewal-failed': {
    label: 'Failed renewal of order',
    staffSummary: () => 'This month could not be charged. The payment provider may try again.',
    email: ({ order, number, owed }) =>
      owed?.attempt === 'requires_action'
        ? {
            subject: `Please confirm your payment for order ${number}`,
            heading: 'Your bank wants you to confirm the payment',
            parts: [
              `Your ${order.planName} plan is billed every month, and your bank asks you to confirm this month’s payment.`,
              'Please open your order below and choose “Confirm the payment”. Your bank then asks for your approval, and the month is paid.',
              'If the amount stays unpaid, your subscription may end.',
            ],
            link: 'Confirm the payment',
          }
        : {
            subject: `Your payment for order ${number} didn’t go through`,
            heading: 'We couldn’t charge your card',
            parts: [
              `Your ${order.planName} plan is billed every month, and this month’s payment didn’t go through. A card that has expired or reached its limit is the usual reason.`,
              'Please open your order below, choose “Replace card”, and enter a card that works. What is overdue is charged to it right away. We may also try your card again over the next few days.',
              'If the amount stays unpaid, your subscription may end.',
            ],
            link: 'Replace card',
          },
  },
  'order-disputed': {
    label: 'Dispute on order',
    staffSummary: () =>
      'The customer disputes a payment at the bank. Answer at the payment provider before the deadline.',
    email: ({ order, number }) => ({
      subject: `A payment for order ${number} is disputed`,
      heading: 'Your bank told us about a dispute',
      parts: [
        `Your bank told us that a payment for your ${order.planName} plan is disputed. The bank decides what happens to the money.`,
        'If this is a mistake, please tell your bank and let us know. If something went wrong on our side, call us so we can fix it.',
      ],
    }),
  },
  'order-refunded': {
    label: 'Refund for order',
    staffSummary: ({ order: { refundedCents } }) =>
      refundedCents > 0
        ? `${formatDollars(refundedCents)} refunded in all.`
        : 'The order counts as refunded.',
    email: ({ order, number }) => ({
      subject: `Refund for your order ${number}`,
      heading: 'Your refund',
      parts: [
        refundSentence(order),
        isRunning(order.status)
          ? 'Your subscription continues as before.'
          : 'Your subscription has ended, and nothing more will be charged.',
      ],
    }),
  },
  'order-refund-failed': {
    label: 'Failed refund for order',
    staffSummary: ({ order: { refundedCents } }) =>
      `A refund came back from the customer’s bank. ${formatDollars(refundedCents)} are refunded in all. Ask the customer how to send the money.`,
    email: ({ order, number }) => ({
      subject: `Your refund for order ${number} didn’t go through`,
      heading: 'Your refund didn’t go through',
      parts: [
        `Your bank returned a refund for your ${order.planName} plan, often because the card has been closed. ${order.refundedCents > 0 ? `${formatDollars(order.refundedCents)} of what you paid remain refunded.` : 'The money is with us again.'}`,
        'We’ll contact you within one business day to agree on another way to send it.',
      ],
    }),
  },
  'order-alert': {
    label: 'Please check order',
    staffSummary: ({ alert }) => alert ?? 'Please look at its history.',
  },
  'order-paused': {
    label: 'Billing of order',
    staffSummary: ({ order: { paused } }) =>
      paused ? 'Billing is paused: nothing is charged for now.' : 'Billing continues.',
    email: ({ order, order: { planName, paused }, number }) => ({
      subject: `Billing for your order ${number} ${paused ? 'is paused' : 'continues'}`,
      heading: paused ? 'Billing is paused' : 'Billing continues',
      parts: [
        paused
          ? `Billing for your ${planName} plan is paused. ${nothingMore(order)} until it continues.`
          : `Billing for your ${planName} plan continues. Open your order to see the next charge.`,
      ],
    }),
  },
  'order-changed': {
    label: 'Change of order',
    staffSummary: ({ order }) =>
      `The plan was changed from ${order.previousPlan} to ${planInWords(order)}.`,
    email: ({ order, number }) => ({
      subject: `Your plan has changed: order ${number}`,
      heading: 'Your plan has changed',
      parts: [
        'Your change is in effect. This is your monthly plan now:',
        monthlyPrices(order),
        facts(['Order', number], ['Before', order.previousPlan], ['Now', planInWords(order)]),
        'Nothing was charged today. Open your order to see your next charge, which includes this change.',
        'There is nothing to do. If you didn’t make this change, please call us right away.',
      ],
    }),
  },
  'order-card-replaced': {
    label: 'New card for order',
    staffSummary: ({ order }) => `The customer replaced the card. It is ${order.newCard} now.`,
    email: ({ order, number }) => ({
      subject: `New card for your order ${number}`,
      heading: 'Your card was replaced',
      parts: [
        `From now on, your ${order.planName} plan is charged to ${order.newCard}. If a payment was overdue, it was charged to this card right away.`,
        'There is nothing to do. If you didn’t replace your card, please call us right away.',
      ],
    }),
  },
  'order-ending': {
    label: 'Cancellation of order',
    staffSummary: ({ order: { endsAt } }, company) =>
      endsAt === null
        ? 'The cancellation was withdrawn.'
        : `The subscription ends on ${formatDay(company, endsAt)}.`,
    email: ({ order, order: { planName, endsAt }, number, context }) =>
      endsAt === null
        ? {
            subject: `Your plan continues: order ${number}`,
            heading: 'Your subscription continues',
            parts: [
              `You kept your ${planName} plan: the cancellation was withdrawn.`,
              `${order.dueDays === null ? 'Your card is charged again' : 'You get the next invoice'} when the paid month is over. There is nothing else to do.`,
            ],
          }
        : {
            subject: `Your cancellation of order ${number}`,
            heading: 'Your cancellation is confirmed',
            parts: [
              `Your ${planName} plan ends on ${formatDay(context.company, endsAt)}. You keep the service until then, and ${nothingMore(order, 'y')} after that day.`,
              'Changed your mind? Open your order below before then, and choose “Keep my plan”.',
            ],
          },
  },
  'order-ended': {
    label: 'End of order',
    staffSummary: () => 'The subscription has ended. Nothing more is charged.',
    email: ({ order, number, context }) => ({
      subject: `Your subscription for order ${number} has ended`,
      heading: 'Your subscription has ended',
      parts: [
        `Your ${order.planName} plan has ended, and ${nothingMore(order, 'y')} for it again.`,
        ...(order.invoiceState === 'given_up'
          ? ['The open invoice is void. Please don’t pay it.']
          : []),
        ...(order.endsAt === null && order.refundedCents === 0 && order.invoiceState !== 'given_up'
          ? ['This does not include a refund.']
          : []),
        `If you didn’t expect this, please call us. To start again, choose a plan at ${context.publicUrl}/checkout.`,
      ],
    }),
  },
  'order-paid-after-end': {
    label: 'Payment after the end of order',
    staffSummary: ({ order, invoice }) =>
      `${amountOf(invoice)} was taken although the order is ${order.status}. Refund it, or agree with the customer what it pays for.`,
    email: ({ order, number, invoice }) => ({
      subject: `A payment for your ${order.status} order ${number}`,
      heading: 'A payment arrived after the end',
      parts: [
        `We received a payment of ${amountOf(invoice)} for your ${order.planName} plan, but your order is ${order.status}.`,
        'We’re checking what happened and will contact you within one business day. If the payment was a mistake, we’ll refund it.',
      ],
    }),
  },
} satisfies Record<string, OrderTexts>;

/** The words that a customer by invoice reads in place of the card's. */
function nothingMore({ dueDays }: Order, first: 'y' | 'Y' = 'Y'): string {
  return `${first}our ${dueDays === null ? 'card won’t be charged' : 'company won’t be billed'}`;
}

function nameOf(invoice: Row<'orderInvoices'> | undefined): string {
  if (!invoice) return 'An invoice';
  return `Invoice ${invoice.number ?? ''} of ${formatDollars(invoice.amountCents)}`;
}

type OwedDetails = Pick<EmailDetails, 'order' | 'number' | 'context' | 'owed'>;

/** Undefined when the invoice was paid before the email is sent. */
function owedEmail(
  details: OwedDetails,
  { first, last, ...words }: Record<'subject' | 'heading' | 'first' | 'last', string>,
) {
  if (!details.owed) return undefined;
  return { ...words, parts: [first, invoiceFacts(details), last], link: 'View your invoice' };
}

function invoiceFacts({ order, number, context, owed }: OwedDetails): EmailPart {
  return facts(
    ['Order', number],
    ['Purchase order', order.poNumber],
    ['Invoice', owed?.number],
    ['Amount', owed && formatDollars(owed.amountCents)],
    ['Due', owed?.dueAt && formatDay(context.company, owed.dueAt)],
  );
}

type MaybeFact = [label: string, value: string | number | null | undefined];

function facts(...all: MaybeFact[]): EmailPart {
  return { kind: 'facts', facts: present(...all) };
}

/** Drops facts without a value. */
export function present(...all: MaybeFact[]): [label: string, value: string][] {
  return all.flatMap(([label, value]): [string, string][] => (value ? [[label, `${value}`]] : []));
}

function monthlyPrices(order: Order): EmailPart {
  const tax = salesTax(order);
  return {
    kind: 'prices',
    lines: priceLinesOf(order),
    tax,
    total: cents(order.amountCents + tax),
  };
}

/** Without real money, a stranger could send any text to anyone by typing it as the company. */
function emailedCompany(order: Order): string | null {
  return paysRealMoney(order) ? order.company : null;
}

function amountOf(invoice: Row<'orderInvoices'> | undefined): string {
  return invoice ? formatDollars(invoice.amountCents) : 'An amount';
}

function refundSentence({ refundedCents, dispute, dueDays }: Order): string {
  if (refundedCents > 0) {
    const sum = formatDollars(refundedCents);
    return `We refunded ${sum} of what you paid. It usually reaches your ${dueDays === null ? 'card' : 'account'} within 5 to 10 business days.`;
  }
  return dispute === 'lost'
    ? 'Your bank decided the dispute in your favor, and the payment goes back to you.'
    : 'Your order is marked as refunded.';
}
