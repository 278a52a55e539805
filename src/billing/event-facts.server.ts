/** What an event keeps of an order and its invoices, as they are when it happens. */
import { parseLines } from '../catalogue/pricing.ts';
import { cents, totalOf } from '../platform/money.ts';
import { type Order, refundedOf } from './billed-order.server.ts';
import { cardInWords } from './charge-store.server.ts';
import type { Invoice } from './invoice-store.server.ts';
import type { EventInvoice, Monthly, Snapshot } from './order-event.server.ts';
import { planOptions } from './subscription.ts';
import {
  isMonthly,
  monthlyPriceOf,
  type SubscribedOrder,
  scheduledStart,
} from './subscription-store.server.ts';

export function snapshotOf(order: Order): Snapshot {
  const { lines } = monthlyPriceOf(order);
  return {
    status: order.status,
    plan: planOptions(lines),
    monthly: isMonthly(order.subscription) ? totalOf(lines) : null,
    refunded: refundedOf(order),
    endsAt: order.subscription.cancelAt,
    startsOn: scheduledStart(order),
  };
}

/** Billed otherwise than by the month, so that no sum of a month is true. */
export function isByAgreement({ lines }: Pick<Monthly, 'lines'>): boolean {
  return lines.length === 0;
}

export function monthlyOf(order: SubscribedOrder): Monthly {
  const startsOn = scheduledStart(order);
  if (!isMonthly(order.subscription)) return { lines: [], tax: cents(0), startsOn };
  const { lines, tax } = monthlyPriceOf(order);
  return { lines, tax, startsOn };
}

export function invoiceOf(
  { charges }: Pick<Order, 'charges'>,
  { id, number, periodStart, periodEnd, dueDay, ...invoice }: Invoice,
): EventInvoice {
  const isPaid = invoice.status === 'paid';
  return {
    id,
    number,
    amount: isPaid ? invoice.amountPaidCents : invoice.amountCents,
    tax: invoice.taxCents ?? cents(0),
    once: parseLines(invoice.once),
    remaining: invoice.amountRemainingCents,
    periodStart,
    periodEnd,
    dueDay,
    card: cardInWords(charges, id),
  };
}
