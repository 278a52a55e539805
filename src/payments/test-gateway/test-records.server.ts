/** What the test gateway records of an order: a month's invoice, and the charge that paid it. */

import { applyReport } from '../../billing/apply-report.server.ts';
import type { Order } from '../../billing/billed-order.server.ts';
import type { Cause } from '../../billing/cause.server.ts';
import type { PaymentState } from '../../billing/gateway.server.ts';
import type { Invoice, ReportedInvoice } from '../../billing/invoice-store.server.ts';
import { isOver } from '../../billing/order-status.ts';
import { lockOrder } from '../../billing/order-store.server.ts';
import type { Outcome } from '../../billing/outcome.server.ts';
import { receiptReference } from '../../billing/reference.ts';
import { scheduledStart } from '../../billing/subscription-store.server.ts';
import { type PriceLine, parseLines } from '../../catalogue/pricing.ts';
import type { Company } from '../../company/company.ts';
import { dayAfter, noonOf } from '../../company/days.ts';
import type { Trx } from '../../platform/database/tables.server.ts';
import { cents, totalOf } from '../../platform/money.ts';
import { monthsLater } from '../../platform/time.ts';
import type { Site } from '../../site.server.ts';
import { brandOfLast4 } from './test-cards.ts';

export type TestContext = Pick<Site, 'db' | 'notify' | 'company'>;

/** What happened, or why it cannot. */
export type Recorded = PaymentState | string;
export type Act = (trx: Trx, order: Order) => Recorded | Promise<Recorded>;

export const NOT_RUNNING = 'No subscription is running for this order.';

/** Locks the order, and applies what `act` returns. */
export async function record(
  { db, notify }: Pick<Site, 'db' | 'notify'>,
  { id }: Pick<Order, 'id'>,
  cause: Cause,
  act: Act,
): Promise<Outcome> {
  return db.transaction().execute(async (trx) => {
    const recorded = await act(trx, await lockOrder(trx, id));
    if (typeof recorded === 'string') return { refused: recorded };
    await applyReport({ db: trx, notify }, id, recorded, cause);
    return 'done';
  });
}

/** Also by invoice before the first one is paid. */
export function isActive({ status, subscription }: Order): boolean {
  return !isOver(status) && !['incomplete', 'canceled'].includes(subscription.status);
}

/** When the next month begins, or the first. */
export function nextMonthAt(order: Order, company: Company): number {
  const startsOn = scheduledStart(order);
  return startsOn ? noonOf(company, startsOn) : (order.invoices[0]?.periodEnd ?? 0);
}

/** The card or the quote by invoice was accepted: the first month begins, or waits for its day. */
export function begin(order: Order, company: Company, last4: string | null = null): PaymentState {
  const once = parseLines(order.boughtOnce);
  if (order.startsOn === null) return beginMonth(order, company, { last4, once });
  const waits = { status: 'trialing', attempt: null } as const;
  if (once.length === 0) return waits;
  return { ...bill(newInvoice(order, company, [], once), last4), ...waits };
}

/**
 * The next month's invoice, paid at once by a card. Months begin on the first's day, or their last.
 */
export function beginMonth(
  order: Order,
  company: Company,
  {
    lines = parseLines(order.subscription.priceLines),
    once = [],
    last4,
  }: { lines?: PriceLine[]; once?: PriceLine[]; last4?: string | null },
): PaymentState {
  const { invoices, startsOn } = order;
  const begun = invoices.filter(({ periodStart }) => periodStart !== null);
  const months = begun.length;
  const first = startsOn === null ? Date.now() : noonOf(company, startsOn);
  const anchor = new Date(begun.at(-1)?.periodStart ?? first);
  const month = {
    ...newInvoice(order, company, lines, once),
    periodStart: monthsLater(anchor, months).getTime(),
    periodEnd: monthsLater(anchor, months + 1).getTime(),
  };
  return { status: 'active', ...bill(month, last4) };
}

function newInvoice(
  { id, invoices, subscription: { daysUntilDue } }: Order,
  company: Company,
  lines: PriceLine[],
  once: PriceLine[],
) {
  const createdAt = Date.now();
  const number = invoices.length + 1;
  return {
    id: `test_invoice_${id}_${number}`,
    number: receiptReference(id, number),
    createdAt,
    amountCents: totalOf([...lines, ...once]),
    taxCents: cents(0),
    renewal: number > 1,
    lines,
    once,
    ...(daysUntilDue !== null && { dueDay: dayAfter(company, createdAt, daysUntilDue) }),
  };
}

/** Paid at once by a card, or sent. */
function bill(invoice: ReturnType<typeof newInvoice>, last4?: string | null): PaymentState {
  return last4 ? paid(invoice, last4) : { invoices: [{ ...invoice, ...OPEN(invoice) }] };
}

/** What becomes of an invoice that no card pays. */
const CHANGES = {
  out_of_band: (invoice: Invoice) => ({
    ...PAID(invoice),
    ...{ paidOutOfBand: 1 as const, paidAt: Date.now() },
  }),
  void: (invoice: Invoice) => ({ ...OPEN(invoice), status: 'void' as const }),
  /** By the bank, also after it had paid. */
  returned: (invoice: Invoice) => ({
    ...(invoice.status === 'paid' ? PAID(invoice) : OPEN(invoice)),
    ...{ amountRemainingCents: invoice.amountCents, attempt: 'failed' as const },
  }),
};

export function changeInvoice(
  order: Order,
  invoice: Invoice,
  how: keyof typeof CHANGES,
): PaymentState {
  return { invoices: [{ ...reported(order, invoice), ...CHANGES[how](invoice) }] };
}

export function payInvoice(order: Order, invoice: Invoice, last4: string | null): PaymentState {
  // What is paid before the start day begins no month.
  const begun = order.subscription.status === 'trialing' ? {} : { status: 'active' as const };
  return { ...begun, ...paid({ ...reported(order, invoice), attempt: null }, last4) };
}

function reported({ invoices }: Order, { id, createdAt, amountCents }: Invoice) {
  // The first month's receipt is that of the order.
  return { id, createdAt, amountCents, renewal: id !== invoices.at(-1)?.id };
}

type Asked = Pick<ReportedInvoice, 'amountCents'>;
const OPEN = ({ amountCents }: Asked) => ({
  status: 'open' as const,
  amountPaidCents: cents(0),
  amountRemainingCents: amountCents,
});
const PAID = ({ amountCents }: Asked) => ({
  status: 'paid' as const,
  amountPaidCents: amountCents,
  amountRemainingCents: cents(0),
});

function paid(
  invoice: Omit<ReportedInvoice, keyof ReturnType<typeof PAID>> & Asked,
  last4?: string | null,
): PaymentState {
  const charge = {
    id: `charge_${invoice.id}`,
    invoiceId: invoice.id,
    amountCents: invoice.amountCents,
    feeCents: cents(0),
    refundedCents: cents(0),
    ...(last4 && { cardBrand: brandOfLast4(last4), cardLast4: last4 }),
  };
  return {
    invoices: [{ ...invoice, ...PAID(invoice) }],
    charges: invoice.amountCents > 0 ? [charge] : [],
  };
}
