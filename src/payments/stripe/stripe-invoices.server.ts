/** Stripe's invoices, as the order's history of months. */
import type Stripe from 'stripe';
import type { Order } from '../../billing/billed-order.server.ts';
import { INVOICE_STATUSES, type PaymentAttempt } from '../../billing/invoice.ts';
import type { ReportedInvoice } from '../../billing/invoice-store.server.ts';
import type { EventOf } from '../../billing/order-event.server.ts';
import { cardName } from '../../billing/subscription.ts';
import { lineOf, type PriceLine } from '../../catalogue/pricing.ts';
import type { Company } from '../../company/company.ts';
import { localDate } from '../../company/days.ts';
import { type Cents, cents, totalOf } from '../../platform/money.ts';
import {
  CURRENCY,
  hasCode,
  idOf,
  ifMissing,
  NOT_PRORATED,
  previewItems,
} from './stripe-client.server.ts';
import { soldAs, toPriceLine } from './stripe-items.server.ts';

/** Metadata key: who marked it as paid outside. */
export const PAID_PRESS = 'paidPress';

/** With these items from then on. Undefined when the subscription ends before another invoice. */
export async function previewNextInvoice(
  stripe: Stripe,
  subscription: string,
  items: Stripe.SubscriptionUpdateParams.Item[] = [],
): Promise<Stripe.Invoice | undefined> {
  try {
    return await previewItems(stripe, subscription, items, NOT_PRORATED);
  } catch (error) {
    if (!hasCode(error, 'invoice_upcoming_none')) throw error;
    return undefined;
  }
}

export function discountLine(off: Cents): PriceLine[] {
  return off > 0 ? [lineOf('discount', 'Discount', cents(-off))] : [];
}

/** What a previewed month has off in each month: not what a coupon takes off this bill alone. */
export function monthlyDiscount(invoice: Stripe.Invoice): Cents {
  const once = offOnce(invoice).map(({ discount }) => idOf(discount));
  const off = (amounts: Stripe.Invoice.TotalDiscountAmount[] | null) =>
    totalOf((amounts ?? []).filter(({ discount }) => !once.includes(idOf(discount))));
  // A coupon is also off staff's own items, which are on no other month's bill.
  const others = invoice.lines.data.filter((line) => !isOfMonth(line));
  const offOthers = others.map(({ discount_amounts: amounts }) => ({ amount: off(amounts) }));
  return cents(off(invoice.total_discount_amounts) - totalOf(offOthers));
}

/** Of a preview, where the coupons are expanded. */
function offOnce({ total_discount_amounts: amounts }: Stripe.Invoice) {
  return (amounts ?? []).filter(({ discount }) => {
    const coupon = typeof discount === 'object' && discount.source.coupon;
    return typeof coupon === 'object' && coupon?.duration === 'once';
  });
}

/**
 * What was paid from the customer's balance at Stripe, below zero when it is charged next time, and
 * what staff credited before it was paid.
 */
function creditUsed(invoice: Stripe.Invoice): number {
  const { starting_balance: before, ending_balance: after } = invoice;
  return (after ?? before) - before + invoice.pre_payment_credit_notes_amount;
}

/** Staff may leave an item's description empty. */
export function descriptionOf(line: { description: string | null } | undefined): string {
  return line?.description?.trim() || 'Other';
}

/** What is on no other month's invoice: changes, items of staff's own, and the balance after. */
function onceLines(invoice: Stripe.Invoice): PriceLine[] {
  const others = invoice.lines.data.filter((line) => !isOfMonth(line));
  const changes = totalOf(others.filter(isProration));
  const items = others.filter((line) => !isProration(line));
  const left = cents(-creditUsed(invoice));
  const leftWords = invoice.total < 0 ? 'Kept as credit' : 'Left open before';
  return [
    ...(changes === 0 ? [] : [lineOf('other', 'Changes to the plan', changes)]),
    ...items.map((item) => lineOf('other', descriptionOf(item), cents(item.amount))),
    ...(left > 0 ? [lineOf('other', leftWords, left)] : []),
  ];
}

export function amountAsked(invoice: Stripe.Invoice): Cents {
  return cents(invoice.total - creditUsed(invoice));
}

/** What comes on top of the lines; a price of staff's own may include it. */
export function taxOnTop(
  taxes: readonly Pick<Stripe.Invoice.TotalTax, 'amount' | 'tax_behavior'>[] | null | undefined,
): Cents {
  return totalOf((taxes ?? []).filter(({ tax_behavior: how }) => how === 'exclusive'));
}

/** Months that will not be charged unless staff act. */
export function alertsOf(invoice: Stripe.Invoice): EventOf<'invoice-stuck'>[] {
  const { number, id, status, auto_advance, last_finalization_error: error } = invoice;
  const stuck: Record<string, EventOf<'invoice-stuck'>['why'] | false> = {
    void: 'void',
    uncollectible: 'uncollectible',
    draft: error ? 'not finalized' : auto_advance === false && 'draft',
  };
  const why = stuck[status ?? ''];
  // By card the first is the payment itself, and an order that it ends with says so.
  if (!why || (isFirst(invoice) && !isSent(invoice))) return [];
  const reason = (status === 'draft' && error?.message) || '';
  const amount = cents(invoice.amount_due);
  return [{ kind: 'invoice-stuck', invoice: number ?? id, amount, why, reason }];
}

/** What was left at the end of a plan is its newest bill, which has no month. */
function lastBillOf([newest]: readonly Stripe.Invoice[]): Stripe.Invoice | undefined {
  return newest && !isFirst(newest) && !billsMonth(newest) ? newest : undefined;
}

/** A draft for an hour. */
export function lastBillToCome(invoices: readonly Stripe.Invoice[]): Cents | undefined {
  const bill = lastBillOf(invoices);
  const isToCome = bill?.status === 'draft' && bill.auto_advance !== false && bill.amount_due > 0;
  return isToCome ? cents(bill.amount_due) : undefined;
}

export function lastBillRefused(invoices: readonly Stripe.Invoice[]): EventOf<'invoice-stuck'>[] {
  const bill = lastBillOf(invoices);
  if (bill?.status !== 'open' || !bill.attempted || isSent(bill)) return [];
  const { number, id, amount_remaining: amount } = bill;
  const facts = { invoice: number ?? id, amount: cents(amount), reason: '' };
  return [{ kind: 'invoice-stuck', why: 'refused', ...facts }];
}

export function unknownLines({ id, number, lines }: Stripe.Invoice): EventOf<'unknown-line'>[] {
  return lines.data.flatMap((line) => {
    const { parent, amount } = line;
    const isKnown = parent?.subscription_item_details || parent?.invoice_item_details;
    if (isKnown) return [];
    const [invoice, what] = [number ?? id, descriptionOf(line)];
    return [{ kind: 'unknown-line', invoice, what, amount: cents(amount) }];
  });
}

export const ALL = { limit: 10_000 };

/** The customer's items for the next bill. */
export async function listWaiting(
  stripe: Stripe,
  { subscription: { customerId } }: Order,
): Promise<Stripe.InvoiceItem[]> {
  if (customerId === null) return [];
  const pending = { customer: customerId, pending: true, limit: 100 };
  return stripe.invoiceItems.list(pending).autoPagingToArray(ALL).catch(ifMissing([]));
}

export function isItemOf({ parent }: Stripe.InvoiceItem, subscription: string): boolean {
  return parent?.subscription_details?.subscription === subscription;
}

/** The credit on the newest bill of an ended plan, where no one can pay that any more. */
export function goneWithBill([newest]: readonly Stripe.Invoice[]): EventOf<'credit-dropped'>[] {
  // A last bill is a draft for an hour, and then gives it.
  const isKept = newest?.status === 'draft' && newest.auto_advance === false;
  const isGone = newest && (newest.status === 'void' || isKept);
  const amount = cents(isGone ? -totalOf(newest.lines.data.filter(isProration)) : 0);
  return amount > 0 ? [{ kind: 'credit-dropped', amount }] : [];
}

export function invoiceItemOf({ parent }: Stripe.InvoiceLineItem): string | null {
  const { subscription_item_details: ofPlan, invoice_item_details: alone } = parent ?? {};
  return ofPlan?.invoice_item ?? alone?.invoice_item ?? null;
}

/** Newest first. */
export async function listInvoices(
  stripe: Stripe,
  subscription: string,
): Promise<Stripe.Invoice[]> {
  const expand = ['data.payments'];
  const listed = stripe.invoices.list({ subscription, limit: 100, expand });
  const all = await listed.autoPagingToArray(ALL);
  return Promise.all(all.map((invoice) => withAllLines(stripe, invoice)));
}

/** An invoice carries ten lines, prorations before the month's own. */
export async function withAllLines(
  stripe: Stripe,
  invoice: Stripe.Invoice,
): Promise<Stripe.Invoice> {
  if (!invoice.id || !invoice.lines.has_more) return invoice;
  const listed = stripe.invoices.listLineItems(invoice.id, { limit: 100 });
  const lines = { ...invoice.lines, data: await listed.autoPagingToArray(ALL), has_more: false };
  return { ...invoice, lines };
}

export function paymentsOf({ payments }: Stripe.Invoice): string[] {
  return (payments?.data ?? []).flatMap(({ payment: { payment_intent: intent } }) =>
    intent ? [idOf(intent)] : [],
  );
}

/** Where its name at Stripe is not in words. */
const NAMES: Record<string, string> = {
  ...{ amex: 'American Express', diners: 'Diners Club', jcb: 'JCB', unionpay: 'UnionPay' },
  ...{ unknown: 'Card', cashapp: 'Cash App Pay', paypal: 'PayPal' },
};

/** Of a card's brand, or another way to pay, such as 'visa' or 'us_bank_account'. */
export function brandName(brand: string | null): string {
  const words = (brand ?? 'card').replaceAll('_', ' ');
  return NAMES[words] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

export interface Tried {
  attempt: PaymentAttempt | null;
  returned: Cents;
  /** What was refused last. */
  refused: Stripe.Charge.PaymentMethodDetails | null;
}

/**
 * Empty for an invoice neither paid nor failed yet, unless it is to be paid by bank. `returned`:
 * what the bank took back after it had paid.
 */
export function toInvoice(
  order: Order,
  company: Company,
  invoice: Stripe.Invoice,
  { attempt, returned, refused }: Tried,
): ReportedInvoice[] {
  const { id, created, status, attempted, number, total_taxes: taxes, due_date: due } = invoice;
  const { paid_at: paidAt } = invoice.status_transitions;
  const paidPress = Number(invoice.metadata?.[PAID_PRESS]);
  const renewal = !isFirst(invoice);
  const known = INVOICE_STATUSES.find((name) => name === status);
  const isShown =
    isSent(invoice) || isPaid(invoice) || (renewal && (status !== 'open' || attempted));
  const isEarly = isBeforeStart(order, invoice);
  const isNothing = (isEarly && invoice.amount_due === 0) || invoice.currency !== CURRENCY;
  if (!id || !known || !isShown || isNothing) return [];
  return [
    {
      id,
      createdAt: created * 1000,
      status: known,
      amountCents: cents(invoice.amount_due),
      amountPaidCents: amountPaid(invoice),
      amountRemainingCents: status === 'open' ? cents(invoice.amount_remaining) : returned,
      renewal,
      attempt,
      ...(!isSent(invoice) && status === 'open' && { tried: lastTry(invoice, refused) }),
      ...(paidAt && { paidAt: paidAt * 1000 }),
      ...(isSent(invoice) && due && { dueDay: localDate(company, due * 1000) }),
      ...(isPaid(invoice) && invoice.amount_paid_off_stripe && { paidOutOfBand: 1 }),
      ...(paidPress && { paidPress }),
      ...(number && { number }),
      ...(taxes && { taxCents: taxOnTop(taxes) }),
      ...(isEarly ? { lines: [], once: onceLines(invoice) } : billedMonth(order, invoice)),
    },
  ];
}

function lastTry({ next_payment_attempt: next }: Stripe.Invoice, refused: Tried['refused']) {
  const { card, us_bank_account: bank } = refused ?? {};
  return {
    card: card ? cardName(brandName(card.brand), card.last4) : null,
    nextAt: next ? next * 1000 : null,
    ...(bank && { isBank: true }),
  };
}

/** It charges no month yet: the lines of its month are 0.00. */
function isBeforeStart({ startsOn }: Order, invoice: Stripe.Invoice): boolean {
  const month = monthLines(invoice);
  return startsOn !== null && month.length > 0 && month.every(({ amount }) => amount === 0);
}

/** Money that staff have from elsewhere counts as well; Stripe may count it in both sums. */
export function amountPaid(invoice: Stripe.Invoice): Cents {
  const { amount_due, amount_paid, amount_paid_off_stripe: outOfBand = 0 } = invoice;
  const both = amount_paid + outOfBand;
  return cents(both > amount_due ? Math.max(amount_paid, outOfBand) : both);
}

function isProration({ parent }: Stripe.InvoiceLineItem): boolean {
  const { subscription_item_details: ofPlan, invoice_item_details: alone } = parent ?? {};
  return ofPlan?.proration === true || alone?.proration === true;
}

function isOfMonth({ parent }: Stripe.InvoiceLineItem): boolean {
  return parent?.subscription_item_details?.proration === false;
}

function monthLines({ lines }: Stripe.Invoice): Stripe.InvoiceLineItem[] {
  return lines.data.filter(isOfMonth);
}

/** The last bill of a plan that ends has none: changes and items of staff's own alone. */
export function billsMonth(invoice: Stripe.Invoice): boolean {
  return invoice.lines.has_more || monthLines(invoice).length > 0;
}

/** What the month's lines ask for, before tax; null when not all of them are there. */
export function monthSum(invoice: Stripe.Invoice): Cents | null {
  if (invoice.lines.has_more) return null;
  return cents(totalOf(monthLines(invoice)) - monthlyDiscount(invoice));
}

/** The tax on the month's lines; undefined when not all lines are there, or it is lower once. */
export function monthlyTax(invoice: Stripe.Invoice): Cents | undefined {
  if (invoice.lines.has_more || offOnce(invoice).length > 0) return undefined;
  return taxOnTop(monthLines(invoice).flatMap(({ taxes }) => taxes ?? []));
}

/** The month's regular lines with discount and credit, without prorations. */
function billedMonth(order: Order, invoice: Stripe.Invoice): Partial<ReportedInvoice> {
  const month = monthLines(invoice);
  const once = onceLines(invoice);
  const used = creditUsed(invoice);
  const [first] = month;
  // The last bill of a plan that ended has the changes of its month alone.
  if (!first) return { lines: [], once };
  const { start, end } = first.period;
  return {
    periodStart: start * 1000,
    periodEnd: end * 1000,
    lines: [
      ...billedLines(order, invoice),
      ...discountLine(totalOf(invoice.total_discount_amounts ?? [])),
      ...(used > 0 ? [lineOf('credit', 'Credit', cents(-used))] : []),
    ],
    once,
  };
}

/** A price in tiers has a line for each of them. */
export function billedLines(
  order: Order,
  invoice: Stripe.Invoice,
  nameOf?: (product: string) => string,
): PriceLine[] {
  const productOf = ({ pricing }: Stripe.InvoiceLineItem) => `${pricing?.price_details?.product}`;
  const month = monthLines(invoice);
  const sold = soldAs(month.map(productOf), order);
  return [...new Set(month.map(productOf))].map((product) => {
    const charged = month.filter((line) => productOf(line) === product);
    const quantity = charged.reduce((sum, line) => sum + (line.quantity ?? 1), 0);
    // '20 × Desk phone (at $20.00 / month)'.
    const words = descriptionOf(charged[0]).replace(/^\d+ × (.+) \(.+\)$/, '$1');
    const name = nameOf?.(product) ?? words;
    return toPriceLine(order, sold, { product, name, amount: totalOf(charged), quantity });
  });
}

export function isFirst({ billing_reason }: Stripe.Invoice): boolean {
  return billing_reason === 'subscription_create';
}

/** The first payment, once it is made. */
export function firstPaid(invoices: readonly Stripe.Invoice[]): Stripe.Invoice | undefined {
  return invoices.find((invoice) => isFirst(invoice) && isPaid(invoice));
}

/** To be paid by bank; others are charged to a card. */
export function isSent({
  collection_method,
}: Pick<Stripe.Invoice | Stripe.Subscription, 'collection_method'>): boolean {
  return collection_method === 'send_invoice';
}

export function isPaid({ status }: Stripe.Invoice): boolean {
  return status === 'paid';
}
