/** What the test gateway records of an order: a month's invoice, and the charge that paid it. */

import type { Charge, Invoice, Outcome, PaymentState } from '../../billing/gateway.server.ts';
import type { Cause } from '../../billing/order-event.server.ts';
import { isOver } from '../../billing/order-status.ts';
import { type PriceLine, priceLinesOf } from '../../catalogue/pricing.ts';
import type { DbAndNotify } from '../../notifications/outbox.server.ts';
import { followPayment } from '../../orders/follow-payment.server.ts';
import { monthsLater } from '../../orders/order.ts';
import { readInvoices } from '../../orders/order-billing.server.ts';
import { lockOrder, type Order } from '../../orders/order-store.server.ts';
import type { Db, Row } from '../../platform/database/tables.server.ts';
import { cents, totalOf } from '../../platform/money.ts';
import { DAY_MS } from '../../platform/time.ts';
import { brandOfLast4 } from './test-cards.ts';

type StoredInvoice = Row<'orderInvoices'>;
/** What happened, or why it cannot. */
export type Recorded = PaymentState | string;

export const NOT_RUNNING = 'No subscription is running for this order.';

/** Gets the order and its invoices, the newest first. */
export type Act = (
  trx: Db,
  order: Order,
  invoices: StoredInvoice[],
) => Recorded | Promise<Recorded>;

/** Locks the order, and lets it follow what `act` returns; `db` must be a transaction. */
export async function recordIn(
  { db: trx, notify }: DbAndNotify,
  { id }: Pick<Order, 'id'>,
  cause: Cause,
  act: Act,
): Promise<Order | string> {
  const order = await lockOrder(trx, id);
  const recorded = await act(trx, order, await readInvoices(trx, id));
  if (typeof recorded === 'string') return recorded;
  return followPayment({ db: trx, notify }, id, recorded, cause);
}

export async function record(
  { db, notify }: DbAndNotify,
  ...recorded: [Pick<Order, 'id'>, Cause, Act]
): Promise<Outcome> {
  const after = await db.transaction().execute((trx) => recordIn({ db: trx, notify }, ...recorded));
  return typeof after === 'string' ? { refused: after } : 'done';
}

export function isActive({ status, subscription }: Order, invoices: StoredInvoice[]): boolean {
  return invoices.length > 0 && !isOver(status) && subscription.status !== 'canceled';
}

interface Month {
  /** Oldest last; the month after them begins. */
  earlier?: readonly StoredInvoice[];
  lines?: readonly PriceLine[];
  /** The card that paid it at once. */
  last4?: string | null;
}

/** Months begin on the day of the first, or on the last day of a shorter month. */
export function invoiceOf(order: Order, { earlier = [], lines, last4 }: Month): Invoice {
  const createdAt = Date.now();
  const months = earlier.length;
  const anchor = new Date(earlier.at(-1)?.periodStart ?? createdAt);
  const id = `test_invoice_${order.id}_${months + 1}`;
  const { daysUntilDue } = order.subscription;
  const charged = lines ?? priceLinesOf(order.subscription);
  return {
    id,
    number: `T-${order.id}-${String(months + 1).padStart(4, '0')}`,
    createdAt,
    amount: totalOf(charged),
    tax: cents(0),
    paid: Boolean(last4),
    renewal: months > 0,
    periodStart: monthsLater(anchor, months).getTime(),
    periodEnd: monthsLater(anchor, months + 1).getTime(),
    lines: charged,
    ...(daysUntilDue !== null && { dueAt: createdAt + daysUntilDue * DAY_MS }),
    ...(last4 && paidBy(id, last4)),
  };
}

const paidBy = (id: string, last4?: string | null) => ({
  fee: cents(0),
  chargeId: `charge_${id}`,
  ...(last4 && { cardBrand: brandOfLast4(last4), cardLast4: last4 }),
});

/** What becomes of one of an order's stored invoices, which are newest first. */
export function settled(
  invoices: readonly StoredInvoice[],
  invoice: StoredInvoice,
  how: 'paid' | 'outside' | 'returned' | 'void',
  last4?: string | null,
): Invoice {
  const { id, createdAt, amountCents: amount, dueAt, lines } = invoice;
  return {
    id,
    createdAt,
    amount,
    paid: how === 'paid' || how === 'outside' || invoice.paid === 1,
    // The first month's receipt is that of the order.
    renewal: id !== invoices.at(-1)?.id,
    attempt: how === 'returned' ? 'failed' : null,
    waived: how === 'void',
    outside: how === 'outside',
    lines: priceLinesOf({ priceLines: lines }),
    ...(dueAt !== null && { dueAt }),
    ...(how === 'paid' && paidBy(id, last4)),
  };
}

/** The charge that paid the invoice, with what was refunded of it. */
export async function chargeOf(trx: Db, invoice: StoredInvoice): Promise<Charge> {
  const id = `charge_${invoice.id}`;
  const stored = trx.selectFrom('orderCharges').select('refundedCents').where('id', '=', id);
  const { refundedCents: refunded = cents(0) } = (await stored.executeTakeFirst()) ?? {};
  return { id, amount: invoice.amountCents, refunded };
}
