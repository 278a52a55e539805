/** What all emails about orders are made of: what held then, however late they leave. */

import type { Order } from '../billing/billed-order.server.ts';
import { isByAgreement } from '../billing/event-facts.server.ts';
import type {
  EventInvoice,
  EventKind,
  EventOf,
  Monthly,
  Snapshot,
} from '../billing/order-event.server.ts';
import { isRunning } from '../billing/order-status.ts';
import { orderReference } from '../billing/reference.ts';
import { payingWords } from '../billing/subscription.ts';
import {
  isMonthly,
  paysRealMoney,
  type SubscribedOrder,
} from '../billing/subscription-store.server.ts';
import {
  lineInParts,
  listedLines,
  type PriceLine,
  priceOf,
  quantityInWords,
  SALES_TAX,
} from '../catalogue/pricing.ts';
import type { Company } from '../company/company.ts';
import { formatDay } from '../company/days.ts';
import { speaksOfMoney } from '../notifications/email-text.server.ts';
import type {
  CustomerEmail,
  EmailPart,
  MessageContext,
} from '../notifications/notification.server.ts';
import { type Cents, cents, formatDollars } from '../platform/money.ts';
import { formatDate, isoTimeOrNull } from '../platform/time.ts';
import { isErased } from './order.ts';
import { receiptLink } from './order-access.server.ts';
import type { OrderPlace } from './order-api.ts';
import { BY_AGREEMENT, willNotStart } from './status-words.ts';

export const TEST_MODE = 'Test mode: no money moves.';

interface Details<Kind extends EventKind> {
  event: EventOf<Kind>;
  /** As it is now, but for its plan: who buys, and how it is paid. */
  order: Order;
  /** What held then. */
  so: Snapshot;
  /** Of the invoice that it is about. */
  lines: readonly PriceLine[];
  number: string;
  context: MessageContext;
  /** When it happened, in milliseconds since 1970. */
  at: number;
  /** When the invoice was paid that it is about; else when it happened. */
  paidAt: number;
  /** The day of the next charge, as it was set then; null where none was. */
  next: string | null;
  /** The member of staff who asked for it, '' without a name for customers; null for others. */
  by: string | null;
}

export type MailTexts = Pick<
  CustomerEmail,
  'subject' | 'under' | 'urgent' | 'parts' | 'question'
> & {
  heading: string;
  /** Of the order, below its number. */
  facts?: readonly MaybeFact[];
  /** The label of the link to the order where something is to be done, and where it leads. */
  link?: string;
  place?: OrderPlace;
  /** Where it leads instead. */
  linkUrl?: string;
  /** The id of the invoice that was paid. */
  receipt?: string | undefined;
};

/** The kinds of event that customers are notified of; undefined when there is nothing to say. */
export type TextsByKind = {
  [Kind in EventKind]?: (details: Details<Kind>) => MailTexts | undefined;
};

/** Whom an email greets: without real money a stranger could type any name. */
export function greeted({ name, company, subscription }: SubscribedOrder) {
  return paysRealMoney(subscription) ? { name, company } : {};
}

/**
 * What happened, what follows, and the order's facts. The link to the order stands below the sums,
 * else after the first words. Undefined for a buyer who was erased.
 */
export async function orderEmail(
  order: SubscribedOrder,
  { link, place, linkUrl, receipt, facts = [], ...texts }: MailTexts,
  context: MessageContext,
): Promise<CustomerEmail | undefined> {
  if (isErased(order)) return undefined;
  const isReal = paysRealMoney(order.subscription);
  const url = linkUrl ?? (await receiptLink(context, order, place));
  const isWarned = !isReal && speaksOfMoney([texts.heading, ...texts.parts]);
  const receiptUrl = receipt && (await receiptLink(context, order, null, { receipt }));
  const opened = receiptUrl && [
    { label: 'Open the receipt', url: receiptUrl },
    ' to print or save it.',
  ];
  return {
    to: order.email,
    ...greeted(order),
    question: 'Questions?',
    ...texts,
    parts: [
      ...(isWarned ? [{ kind: 'warning' as const, text: TEST_MODE }] : []),
      ...texts.parts.toSpliced(
        belowSums(texts.parts),
        0,
        { kind: 'link', label: link ?? 'View order and billing', url },
        ...(opened ? [{ kind: 'words' as const, words: opened }] : []),
      ),
      orderFacts(order, facts),
    ],
  };
}

function belowSums(parts: readonly EmailPart[]): number {
  const sums = parts.findIndex(
    (part) => typeof part !== 'string' && (part.kind === 'prices' || part.kind === 'sums'),
  );
  return Math.max(sums, 0) + 1;
}

/** The day of the next charge, as it was set then; null where none was. */
export function nextDay(
  order: Order,
  { status, endsAt }: Snapshot,
  company: Company,
  at: number,
): string | null {
  // Staff may give more months for free, as a trial.
  const isOther = ['paused', 'trialing'].includes(order.subscription.status);
  if (!isRunning(status) || endsAt !== null || isOther) return null;
  const end = billedUntil(order, at) ?? 0;
  return end > at ? formatDay(company, end) : null;
}

/** When the month ends that was billed last; undefined before the first. */
export function billedUntil({ invoices }: Order, at: number): number | null | undefined {
  return invoices.find(({ createdAt, periodEnd }) => createdAt <= at && periodEnd !== null)
    ?.periodEnd;
}

export function monthOf({ lines, tax }: Monthly): Cents {
  return priceOf(lines, tax).total;
}

/** '$27.10 more a month than today'. */
export function difference(before: Cents, after: Cents, then: 'today' | 'before'): string {
  if (after === before) return `as much a month as ${then}`;
  const sum = formatDollars(cents(Math.abs(after - before)));
  return `${sum} ${after < before ? 'less' : 'more'} a month than ${then}`;
}

export type MaybeFact = [label: string, value: string | number | false | null | undefined];

/** What a bookkeeper files it by first. Without real money a stranger could type any company. */
function orderFacts(order: SubscribedOrder, others: readonly MaybeFact[]): EmailPart {
  const { company, poNumber } = order;
  return {
    kind: 'facts',
    facts: present(
      ['Order', orderReference(order.id)],
      ['Company', paysRealMoney(order.subscription) ? company : null],
      ['Purchase order', poNumber],
      ...others,
    ),
  };
}

export function present(...all: MaybeFact[]): [label: string, value: string][] {
  return all.flatMap(([label, value]): [string, string][] => (value ? [[label, `${value}`]] : []));
}

/** `invoice`: what it charges once stands beside the month, and what was `paid` below them. */
export function monthlyPrices(
  { lines, tax, startsOn = null }: Monthly,
  invoice?: EventInvoice | null,
  paid?: Cents,
): EmailPart {
  const { once = [], tax: taxes = cents(0) } = invoice ?? {};
  if (isByAgreement({ lines }) && once.length === 0) return BY_AGREEMENT.staff;
  const onceTax = cents(once.length > 0 ? taxes - (startsOn ? 0 : tax) : 0);
  return { kind: 'prices', price: priceOf(lines, tax, { once, startsOn }), paid, onceTax };
}

/** With what is charged once, the tax is not the month's, but that of all of it. */
export function receiptOf(invoice: EventInvoice, lines: readonly PriceLine[]): EmailPart {
  const { once = [], tax, amount } = invoice;
  if (once.length === 0) return monthlyPrices({ lines, tax }, invoice, amount);
  const ofMonth = listedLines(priceOf(lines)).map((line) => ({
    name: lineInParts(line).name,
    detail: quantityInWords(line),
    amount: line.amount,
  }));
  const others = once.map((line) => ({ name: line.label, detail: 'once', amount: line.amount }));
  const taxes = tax === 0 ? [] : [{ name: SALES_TAX, amount: tax }];
  const paid = { name: 'Amount paid', amount };
  return { kind: 'sums', sums: [...ofMonth, ...others, ...taxes, paid] };
}

/** 'continues as before', or what is set: of a plan that is not over. */
export function goesOn({ startsOn = null, endsAt }: Snapshot, company: Company): string {
  if (willNotStart({ startsOn, endsAt: isoTimeOrNull(endsAt) })) return 'will not start';
  if (startsOn) return `still starts on ${formatDate(startsOn)}`;
  return endsAt === null ? 'continues as before' : `still ends on ${formatDay(company, endsAt)}`;
}

export function startsIn(
  { planName, subscription }: Order,
  startsOn: string,
  was?: string,
): string {
  const { charged } = payingWords(subscription);
  const day = `${formatDate(startsOn)}${was ? ` instead of ${formatDate(was)}` : ''}`;
  const resumed = subscription.status === 'paused' ? ' once billing has resumed,' : '';
  const from = isMonthly(subscription)
    ? ` From that day on,${resumed} ${charged} every month:`
    : '';
  return `Your ${planName} plan starts on ${day}.${from}`;
}
