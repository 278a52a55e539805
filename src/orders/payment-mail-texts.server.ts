/** What customers read by email of payments, invoices and refunds. */

import type { Order } from '../billing/billed-order.server.ts';
import { isByAgreement } from '../billing/event-facts.server.ts';
import type { EventInvoice, EventOf } from '../billing/order-event.server.ts';
import { isRunning } from '../billing/order-status.ts';
import { payingWords } from '../billing/subscription.ts';
import { dueToday, priceOf } from '../catalogue/pricing.ts';
import type { Company } from '../company/company.ts';
import { formatDay, periodInWords } from '../company/days.ts';
import type { EmailPart } from '../notifications/notification.server.ts';
import { cents, formatDollars, totalOf } from '../platform/money.ts';
import { formatDate } from '../platform/time.ts';
import {
  goesOn,
  type MaybeFact,
  monthlyPrices,
  receiptOf,
  startsIn,
  type TextsByKind,
} from './order-mail-texts.server.ts';

export const PAYMENT_MAIL_TEXTS = {
  'invoice-sent': ({ event: { monthly, invoice }, order, number, context }) => ({
    subject: `Your order ${number}: the invoice is on its way`,
    heading: `${formatDollars(invoice.amount)} is due${invoice.dueDay ? ` on ${formatDate(invoice.dueDay)}` : ''}`,
    parts: [
      `Thank you for your order. Your quote was accepted. The invoice is due in ${order.subscription.daysUntilDue} days and can be paid by ACH debit, ACH credit, or wire.`,
      monthlyPrices(monthly, invoice),
      'Open your order to see the invoice and what was accepted. If you didn’t expect this, please call us.',
    ],
    facts: [['Invoice', invoice.number], ...invoiceFacts(context.company, invoice)],
    link: 'View your invoice',
    place: 'pay',
  }),

  'debit-returned': ({ event: { invoice, wasPaid }, order, number, context }) => ({
    subject: `Your payment for order ${number} was returned`,
    heading: `${formatDollars(invoice.remaining)} returned by your bank`,
    under: dueDayAndNumber(invoice),
    urgent: true,
    parts: [
      `The bank debit for your ${order.planName} plan came back, so the invoice is still unpaid.`,
      wasPaid
        ? 'Please call us or reply to this email to agree on another way to pay.'
        : 'Please open your order to pay from another account or by wire, or contact us.',
    ],
    facts: invoiceFacts(context.company, invoice),
    link: 'View your invoice',
    place: 'pay',
  }),

  overdue: ({ event: { invoice }, order, number, context }) => ({
    subject: `Your invoice for order ${number} is overdue`,
    heading: `${formatDollars(invoice.remaining)} is overdue`,
    under: dueDayAndNumber(invoice),
    urgent: true,
    parts: [
      invoice.remaining < invoice.amount
        ? `We received part of the payment for your ${order.planName} plan. The rest is overdue.`
        : `We haven’t received the payment for your ${order.planName} plan.`,
      'If you’ve just paid, you don’t need to do anything.',
    ],
    facts: invoiceFacts(context.company, invoice),
    link: 'Pay the invoice',
    place: 'pay',
  }),

  paid: ({ event: { monthly, invoice }, order, number, context: { company }, paidAt, next }) => {
    // A coupon or a credit may cover all of it.
    const isFree = invoice?.amount === 0;
    return {
      subject: isFree ? `Your order ${number}` : `Receipt for your order ${number}`,
      heading: invoice ? `${formatDollars(invoice.amount)} paid` : 'Your first month is paid',
      under: isFree ? undefined : dayAndPaper(company, paidAt, 'Receipt', invoice),
      parts: [
        isFree ? 'Nothing was charged for the first month.' : 'Thanks for your payment.',
        ...(monthly.startsOn && !isFree ? [startsIn(order, monthly.startsOn)] : []),
        monthlyPrices(monthly, invoice, isFree ? undefined : invoice?.amount),
      ],
      receipt: isFree ? undefined : invoice?.id,
      facts: [['Period', invoice && periodOf(company, invoice)], nextFact(order, next)],
      // An invoice is paid weeks later.
      ...(payingWords(order.subscription).hasCard && {
        question: 'We’ll contact you within one business day to begin. Questions?',
      }),
    };
  },

  renewed: ({ event, order, so, lines, number, context: { company }, paidAt, next }) => {
    const { invoices, running, started } = event;
    const invoice = invoices.at(-1);
    if (!invoice || invoice.amount === 0) return undefined;
    const { amount, tax, once } = invoice;
    // A change in the month, a credit or another sum by wire stand on the receipt.
    const isWhole = dueToday(priceOf(lines, tax, { once })) === amount;
    // Staff may have removed it at the provider.
    const hasPlan = isByAgreement({ lines }) || lines.some(({ kind }) => kind === 'plan');
    const stays = running && so.endsAt === null;
    // Staff may also bill a change at once.
    const renews = stays && invoice.periodStart !== null;
    return {
      subject: `Receipt for your order ${number}`,
      heading: `${formatDollars(amount)} paid`,
      under: dayAndPaper(company, paidAt, 'Receipt', invoice),
      parts: [
        started
          ? `Your ${order.planName} plan has started, and its first month is paid. Thank you.`
          : renews
            ? `Thanks for your payment.${hasPlan ? ` Your ${order.planName} plan continues.` : ''}`
            : `Thanks for your payment for your ${order.planName} plan.`,
        ...(isWhole ? [receiptOf(invoice, lines)] : []),
        `You don’t need to do anything.${stays ? ' Open your order to change your plan or cancel.' : ''}`,
      ],
      receipt: invoice.id,
      facts: [
        ['Period', periodOf(company, invoice)],
        nextFact(order, next),
        ['Sales tax included', !isWhole && tax > 0 && formatDollars(tax)],
      ],
    };
  },

  'renewal-failed': ({ event: { invoice, toConfirm, tried }, order, number, context, at }) => {
    const { company } = context;
    const { card = null, nextAt = null, isBank = false } = tried ?? {};
    const charged = isBank ? 'bank account' : 'card';
    const why = isBank
      ? 'Your bank refused the debit. Please add a card, and the amount is charged to it right away.'
      : 'The usual reason is a card that has expired or reached its limit. Please replace it, and the amount is charged to the new card right away.';
    const under = dayAndPaper(company, at, 'Invoice', invoice && { ...invoice, card });
    const facts: MaybeFact[] = [['Period', invoice && periodOf(company, invoice)]];
    return toConfirm
      ? {
          subject: `Please confirm your payment for order ${number}`,
          heading: invoice
            ? `${formatDollars(invoice.amount)} needs your approval`
            : 'Your bank needs your approval',
          under,
          parts: [
            `Your bank needs your approval for a payment for your ${order.planName} plan.`,
            'Once you approve it, the payment goes through. If the amount stays unpaid, your plan may end.',
          ],
          facts,
          link: 'Approve the payment',
          place: 'pay',
        }
      : {
          subject: `Your payment for order ${number} didn’t go through`,
          heading: invoice
            ? `${formatDollars(invoice.amount)} couldn’t be charged`
            : `We couldn’t charge your ${charged}`,
          under,
          urgent: true,
          parts: [
            `A payment for your ${order.planName} plan didn’t go through. ${why}`,
            `${nextAt === null ? `We may also try your ${charged} again over the next few days.` : `Otherwise, we’ll try your ${charged} again on ${formatDay(company, nextAt)}.`} If the amount stays unpaid, your plan may end.`,
          ],
          facts,
          link: isBank ? 'Add a card' : 'Replace card',
          place: 'card',
        };
  },

  disputed: ({ event: { amount, invoice }, order, so, number, context: { company }, at }) => ({
    subject: `A payment for order ${number} is disputed`,
    heading: `${formatDollars(amount)} is disputed`,
    under: dayAndPaper(company, at, 'Receipt', invoice),
    parts: [
      [
        `Your bank reports that a payment for your ${order.planName} plan is disputed. The bank decides what happens to the money.`,
        ...(isRunning(so.status) ? [`Meanwhile, your plan ${goesOn(so, company)}.`] : []),
      ].join(' '),
      'If this is a mistake, please tell your bank and let us know. If something went wrong on our side, call us so we can fix it.',
    ],
    facts: [['Period', invoice && periodOf(company, invoice)]],
  }),

  refunded: ({ event, order, so, number, context: { company }, at }) => {
    const hasEnded = `has ended, and ${payingWords(order.subscription).nothingMore} again`;
    return {
      subject: `Refund for your order ${number}`,
      heading: event.total > 0 ? `${refundedNow(event)} refunded` : 'Your refund',
      under: formatDay(company, at),
      parts: [
        `${refundSentence(event, order)} Your plan ${event.running ? goesOn(so, company) : hasEnded}.`,
        ...refundSums(event),
      ],
      facts: (event.of ?? []).map(({ invoice }) => ['Period', periodOf(company, invoice)]),
    };
  },

  'refund-failed': ({ event: { amount, total, of }, order, number, context: { company }, at }) => ({
    subject: `Your refund for order ${number} didn’t go through`,
    heading: `${formatDollars(amount)} refund didn’t reach you`,
    under: formatDay(company, at),
    parts: [
      `Your bank returned a refund for your ${order.planName} plan. The usual reason is that the ${paidWith(of, order)} has been closed.${total > 0 ? ` Your other refunds of ${formatDollars(total)} aren’t affected.` : ''}`,
      'We’ll contact you within one business day to agree on another way to send it.',
    ],
    facts: (of ?? []).flatMap(({ invoice: { card, number: receipt } }): MaybeFact[] => [
      ['Sent to', card],
      ['Receipt', receipt],
    ]),
  }),

  'credit-left': ({ event: { amount }, order, number }) => ({
    subject: `A credit is left: order ${number}`,
    heading: `${formatDollars(amount)} owed to you`,
    parts: [
      `Your ${order.planName} plan has ended, and your account still has a credit.`,
      'We’ll contact you within one business day to agree on how to send it to you. You don’t need to do anything.',
    ],
  }),

  'paid-after-end': ({ event: { invoices, status }, order, number }) => ({
    subject: `A payment for your ${status} order ${number}`,
    heading: `${formatDollars(totalOf(invoices))} received unexpectedly`,
    parts: [
      `We received a payment for your ${order.planName} plan, but your order is ${status}.`,
      'We’re checking what happened and will contact you within one business day. If the payment was a mistake, we’ll refund it.',
    ],
    facts: [['Invoice', invoices.map((invoice) => invoice.number).join(', ')]],
  }),
} satisfies TextsByKind;

/** 'May 13, 2026 · Visa ending in 4242', and below it 'Receipt TW-0042'. */
function dayAndPaper(
  company: Company,
  at: number,
  paper: 'Receipt' | 'Invoice',
  invoice: EventInvoice | null | undefined,
): string {
  const day = [formatDay(company, at), invoice?.card].filter(Boolean).join(' · ');
  return invoice?.number ? `${day}\n${paper} ${invoice.number}` : day;
}

function nextFact({ subscription }: Order, next: string | null): MaybeFact {
  return [`Next ${payingWords(subscription).charge}`, next];
}

function periodOf(company: Company, { periodStart, periodEnd }: EventInvoice): string | null {
  if (periodStart === null || periodEnd === null) return null;
  return periodInWords(company, periodStart, periodEnd);
}

/** 'Due May 28, 2026', and below it 'Invoice TW-0042'. */
function dueDayAndNumber({ dueDay, number }: EventInvoice): string {
  return [dueDay && `Due ${formatDate(dueDay)}`, number && `Invoice ${number}`]
    .filter(Boolean)
    .join('\n');
}

function invoiceFacts(company: Company, invoice: EventInvoice): MaybeFact[] {
  const { amount, remaining } = invoice;
  const isPart = remaining > 0 && remaining !== amount;
  return [
    ['Period', periodOf(company, invoice)],
    ['Amount', isPart && formatDollars(amount)],
    ['Received', isPart && formatDollars(cents(amount - remaining))],
    ['Still open', isPart && formatDollars(remaining)],
  ];
}

function refundSums({ of = [], amount, total }: EventOf<'refunded'>): EmailPart[] {
  const net = cents(totalOf(of.map(({ invoice }) => invoice)) - totalOf(of));
  const sums = of.flatMap(({ invoice, amount: refunded }) => {
    const receipt = invoice.number && `Receipt ${invoice.number}`;
    const detail = [invoice.card, receipt].filter(Boolean).join('\n');
    return [
      { name: 'Paid', detail, amount: invoice.amount },
      { name: 'Refunded', amount: cents(-refunded) },
    ];
  });
  if (sums.length === 0) return [];
  const last =
    total > amount
      ? { name: 'Refunded in all', amount: cents(-total) }
      : { name: 'Paid, net', amount: net };
  return [{ kind: 'sums', sums: [...sums, last] }];
}

function refundedNow({ amount, total }: Pick<EventOf<'refunded'>, 'amount' | 'total'>): string {
  return formatDollars(amount > 0 ? amount : total);
}

function refundSentence({ amount, total, lost, of }: EventOf<'refunded'>, order: Order): string {
  const refunded = refundedNow({ amount, total });
  if (lost) return `Your bank decided the dispute in your favor, and ${refunded} goes back to you.`;
  if (total > 0)
    return `We refunded ${whatWentBack(refunded, of)}. It usually reaches your ${paidWith(of, order)} within 5 to 10 business days.`;
  return 'Your order is marked as refunded.';
}

/** A plan that is charged each month may be charged to a bank account. */
function paidWith(of: EventOf<'refunded'>['of'], { subscription }: Order): string {
  if (!of) return payingWords(subscription).refundedTo;
  return of.some(({ invoice }) => invoice.card) ? 'card' : 'bank account';
}

function whatWentBack(refunded: string, of: NonNullable<EventOf<'refunded'>['of']> = []): string {
  const [payment, another] = of;
  if (!payment || another) return `${refunded} of what you paid`;
  const { amount, card } = payment.invoice;
  if (payment.amount === amount) return `your payment of ${refunded} in full`;
  return `${refunded} of your ${formatDollars(amount)} payment${card ? ` to ${card}` : ''}`;
}
