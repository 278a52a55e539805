/** The state of an order's payment, subscription and bills at Stripe. */
import type Stripe from 'stripe';
import { LINE_KINDS, type PriceLine, priceLinesOf } from '../../catalogue/pricing.ts';
import type { BilledInvoice, PaymentState, ReversedCharge } from '../../orders/gateway.server.ts';
import { firstDue } from '../../orders/order.ts';
import { type Dispute, PAYMENT_STATUSES, type PaymentStatus } from '../../orders/payment.ts';
import type { Row } from '../../platform/database/tables.server.ts';
import { type Cents, cents } from '../../platform/money.ts';
import { CURRENCY, idOf } from './stripe-client.server.ts';
import { planOf, productIdOf } from './stripe-prices.server.ts';

export const NOTHING_TRIED: PaymentState = { status: 'requires_payment_method', refused: false };

/** Throws Stripe's errors. */
export async function fetchState(stripe: Stripe, order: Row<'orders'>): Promise<PaymentState> {
  const { paymentId, subscriptionId, customerId } = order;
  const [intent, subscription, invoices, charges] = await Promise.all([
    paymentId ? stripe.paymentIntents.retrieve(paymentId) : null,
    subscriptionId ? stripe.subscriptions.retrieve(subscriptionId) : null,
    subscriptionId ? listInvoices(stripe, subscriptionId) : [],
    customerId ? stripe.charges.list({ customer: customerId, limit: 100 }) : null,
  ]);
  const payment = intent ? paymentState(order, intent) : NOTHING_TRIED;
  // A payment that is not the order's proves nothing of what hangs on it.
  if (payment.notes) return payment;
  for (const bill of invoices.filter((each) => isFirst(each) && isPaid(each))) {
    const odd = findMismatch(`the first invoice ${bill.id}`, bill.amount_paid, bill, order);
    if (odd) return odd;
  }
  const payments = new Set([paymentId, ...invoices.flatMap(paymentsOf)]);
  const own = (charges?.data ?? []).filter(
    ({ payment_intent: of }) => of && payments.has(idOf(of)),
  );
  const cards = cardsByPayment(own);
  return {
    ...payment,
    charges: await reversals(stripe, own),
    invoices: (await withAllLines(stripe, invoices)).flatMap((bill) => billed(order, bill, cards)),
    ...(subscription && subscriptionState(subscription)),
    ...(subscription && { plan: planOf(subscription, order) }),
  };
}

async function listInvoices(stripe: Stripe, subscription: string): Promise<Stripe.Invoice[]> {
  const { data } = await stripe.invoices.list({
    subscription,
    limit: 100,
    expand: ['data.payments'],
  });
  return data;
}

function paymentsOf({ payments }: Stripe.Invoice): string[] {
  return (payments?.data ?? []).flatMap(({ payment: { payment_intent: intent } }) =>
    intent ? [idOf(intent)] : [],
  );
}

function paymentState(order: Row<'orders'>, intent: Stripe.PaymentIntent): PaymentState {
  return (
    findMismatch(`payment ${intent.id}`, receivedBy(intent), intent, order) ?? {
      status: statusOf(intent.status),
      refused: Boolean(intent.last_payment_error),
    }
  );
}

/** What the payment is for; once it has succeeded, what has really come in. */
function receivedBy(intent: {
  status: string;
  amount: number;
  amount_received?: number | null | undefined;
}): number {
  return intent.status === 'succeeded' ? (intent.amount_received ?? intent.amount) : intent.amount;
}

/** Undefined when it is for what the order asks for. */
function findMismatch(
  what: string,
  amount: number,
  { currency }: { currency: string },
  order: Row<'orders'>,
): PaymentState | undefined {
  const due = firstDue(order);
  if (amount === due && currency === CURRENCY) return undefined;
  const note = `Stripe's ${what} is for ${amount} ${currency}, the order for ${due} ${CURRENCY}`;
  return { ...NOTHING_TRIED, notes: [note] };
}

function statusOf(status: string): PaymentStatus {
  if (status === 'requires_confirmation') return 'requires_action';
  return PAYMENT_STATUSES.find((each) => each === status) ?? 'processing';
}

async function reversals(
  stripe: Stripe,
  charges: readonly Stripe.Charge[],
): Promise<ReversedCharge[]> {
  const reversed = charges.filter((charge) => charge.amount_refunded > 0 || charge.disputed);
  return Promise.all(
    reversed.map(async ({ id, amount, amount_refunded, disputed }) => {
      const disputes = disputed ? await stripe.disputes.list({ charge: id, limit: 1 }) : undefined;
      const newest = disputes?.data[0];
      return {
        id,
        amount: cents(amount),
        refunded: cents(amount_refunded),
        ...(newest && { dispute: disputeState(newest.status) }),
      };
    }),
  );
}

/** The money stays: a bank's inquiry that came to nothing, or a dispute that was settled before it was one. */
const KEPT = ['won', 'warning_closed', 'prevented'];

/** How a dispute stands. */
function disputeState(status: string): Dispute {
  if (status === 'lost') return 'lost';
  return KEPT.includes(status) ? 'won' : 'open';
}

/** Whether the subscription has ended, or when it will; one that was never paid takes its payment with it. */
function subscriptionState({
  status,
  cancel_at,
}: {
  status: string;
  cancel_at?: number | null;
}): Partial<PaymentState> {
  if (status === 'incomplete_expired') return { status: 'canceled', ended: true, endsAt: null };
  return { ended: status === 'canceled', endsAt: cancel_at ? cancel_at * 1000 : null };
}

type PaidBy = Required<Pick<BilledInvoice, 'cardBrand' | 'cardLast4'>>;

export function sumOf(amounts: readonly { amount: number }[]): Cents {
  return cents(amounts.reduce((sum, { amount }) => sum + amount, 0));
}

/** The line of a whole month, not what a change in the month before has left to pay. */
function isMonth({ parent }: Stripe.InvoiceLineItem): boolean {
  return parent?.subscription_item_details?.proration === false;
}

const BRANDS: Record<string, string> = {
  amex: 'American Express',
  cartes_bancaires: 'Cartes Bancaires',
  diners: 'Diners Club',
  discover: 'Discover',
  jcb: 'JCB',
  mastercard: 'Mastercard',
  unionpay: 'UnionPay',
  visa: 'Visa',
};

/** As people write it. */
export function brandName(brand: string | null): string {
  return (brand && BRANDS[brand]) || 'Card';
}

/** The card that each payment was taken from, by the payment's id. */
function cardsByPayment(charges: readonly Stripe.Charge[]): Map<string, PaidBy> {
  return new Map(
    charges.flatMap(({ paid, payment_intent: payment, payment_method_details: by }) => {
      const id = typeof payment === 'string' ? payment : payment?.id;
      return paid && id && by?.card
        ? [[id, { cardBrand: brandName(by.card.brand), cardLast4: by.card.last4 }]]
        : [];
    }),
  );
}

/** Older ones have been read when they were young. */
const NEWEST = 12;

/** Newest first. A bill carries its first ten lines, and those of changes come before those of the month. */
function withAllLines(
  stripe: Stripe,
  invoices: readonly Stripe.Invoice[],
): Promise<Stripe.Invoice[]> {
  return Promise.all(
    invoices.map(async (invoice, place) => {
      if (!invoice.id || place >= NEWEST || !invoice.lines.has_more) return invoice;
      return { ...invoice, lines: await stripe.invoices.listLineItems(invoice.id, { limit: 100 }) };
    }),
  );
}

/** A bill that has neither been paid nor failed yet says nothing. */
function billed(
  order: Row<'orders'>,
  invoice: Stripe.Invoice,
  cards: ReadonlyMap<string, PaidBy>,
): BilledInvoice[] {
  const { id, created, amount_due, amount_paid, status, attempted } = invoice;
  const { number, total_taxes: taxes } = invoice;
  const paid = isPaid(invoice);
  const renewal = !isFirst(invoice);
  const failed = renewal && attempted && status === 'open';
  const waived = renewal && (status === 'void' || status === 'uncollectible');
  if (!id || !(paid || failed || waived)) return [];
  const period = invoice.lines.data.find(isMonth)?.period;
  const lines = monthLines(order, invoice);
  return [
    {
      id,
      createdAt: created * 1000,
      amount: cents(paid ? amount_paid : amount_due),
      paid,
      waived,
      renewal,
      ...(number ? { number } : {}),
      ...(taxes ? { tax: sumOf(taxes) } : {}),
      ...(period ? { periodStart: period.start * 1000, periodEnd: period.end * 1000 } : {}),
      ...(lines ? { lines } : {}),
      ...cardOf(invoice, cards),
    },
  ];
}

/** Undefined where our team has agreed with the customer on something that this site does not sell. */
function monthLines(order: Row<'orders'>, { lines }: Stripe.Invoice): PriceLine[] | undefined {
  const labels = new Map(priceLinesOf(order).map(({ kind, label }) => [kind, label]));
  const found = lines.data.filter(isMonth).map(({ amount, quantity, description, pricing }) => {
    const product = pricing?.price_details?.product;
    const kind = LINE_KINDS.find((each) => productIdOf(order, each) === product);
    const count = quantity ?? 1;
    if (!kind || count === 0 || amount % count !== 0) return undefined;
    // Stripe describes a line as '20 × Cloud Backup (at $4.95 / month)'.
    const described = description?.replace(/^\d+ × /, '').replace(/ \(at .*/, '');
    const label = labels.get(kind) ?? described ?? kind;
    const unitPrice = cents(amount / count);
    return { kind, label, unitPrice, quantity: count, amount: cents(amount) };
  });
  const known = found.filter((line) => line !== undefined);
  if (known.length === 0 || known.length < found.length) return undefined;
  return known.sort((a, b) => LINE_KINDS.indexOf(a.kind) - LINE_KINDS.indexOf(b.kind));
}

function cardOf(invoice: Stripe.Invoice, cards: ReadonlyMap<string, PaidBy>) {
  return paymentsOf(invoice)
    .map((id) => cards.get(id))
    .find((card) => card !== undefined);
}

function isFirst({ billing_reason }: Stripe.Invoice): boolean {
  return billing_reason === 'subscription_create';
}

function isPaid({ status }: Stripe.Invoice): boolean {
  return status === 'paid';
}
