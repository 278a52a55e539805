/** Where an order's payment, subscription and bills stand at Stripe. */
import type Stripe from 'stripe';
import type { BilledInvoice, PaymentState, ReversedCharge } from '../../orders/gateway.server.ts';
import { firstDue } from '../../orders/order.ts';
import { type Dispute, PAYMENT_STATUSES, type PaymentStatus } from '../../orders/payment.ts';
import type { Row } from '../../platform/database/tables.server.ts';
import { type Cents, cents } from '../../platform/money.ts';
import { planOf } from './changes/stripe-items.server.ts';
import { CURRENCY } from './stripe-client.server.ts';
import { idOf } from './stripe-subscription.server.ts';

/** Nothing has been tried yet. */
export const NOTHING: PaymentState = { status: 'requires_payment_method', refused: false };

/** Throws Stripe's errors. */
export async function stateAtStripe(stripe: Stripe, order: Row<'orders'>): Promise<PaymentState> {
  const { paymentId, subscriptionId, customerId } = order;
  const [intent, subscription, invoices, charges] = await Promise.all([
    paymentId ? stripe.paymentIntents.retrieve(paymentId) : null,
    subscriptionId ? stripe.subscriptions.retrieve(subscriptionId) : null,
    subscriptionId ? listInvoices(stripe, subscriptionId) : [],
    customerId ? stripe.charges.list({ customer: customerId, limit: 100 }) : null,
  ]);
  const payment = intent ? paymentState(order, intent) : NOTHING;
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
    invoices: (await withMonths(stripe, invoices)).flatMap((bill) => billed(bill, cards)),
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
  return { ...NOTHING, notes: [note] };
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

function detailsOf({
  number,
  total_taxes: taxes,
  lines,
}: Stripe.Invoice): Pick<BilledInvoice, 'number' | 'periodEnd' | 'periodStart' | 'tax'> {
  const period = lines.data.find(isMonth)?.period;
  return {
    ...(number ? { number } : {}),
    ...(taxes ? { tax: sumOf(taxes) } : {}),
    ...(period ? { periodStart: period.start * 1000, periodEnd: period.end * 1000 } : {}),
  };
}

export function sumOf(amounts: readonly { amount: number }[]): Cents {
  return cents(amounts.reduce((sum, { amount }) => sum + amount, 0));
}

/** The line of a whole month, not what a change in the month before has left to pay. */
function isMonth({ parent }: Stripe.InvoiceLineItem): boolean {
  return parent?.subscription_item_details?.proration === false;
}

/** A bill carries its first ten lines, and those of changes come first. */
function lacksMonth({ lines }: Stripe.Invoice): boolean {
  return lines.has_more && !lines.data.some(isMonth);
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

/** Newest first. The month stands on a line that comes after those of changes, of which there may be many. */
function withMonths(
  stripe: Stripe,
  invoices: readonly Stripe.Invoice[],
): Promise<Stripe.Invoice[]> {
  return Promise.all(
    invoices.map(async (invoice, place) => {
      if (!invoice.id || place >= NEWEST || !lacksMonth(invoice)) return invoice;
      return { ...invoice, lines: await stripe.invoices.listLineItems(invoice.id, { limit: 100 }) };
    }),
  );
}

/** A bill that has neither been paid nor failed yet says nothing. */
function billed(invoice: Stripe.Invoice, cards: ReadonlyMap<string, PaidBy>): BilledInvoice[] {
  const { id, created, amount_due, amount_paid, status, attempted } = invoice;
  const paid = isPaid(invoice);
  const renewal = !isFirst(invoice);
  const failed = renewal && attempted && status === 'open';
  const waived = renewal && (status === 'void' || status === 'uncollectible');
  if (!id || !(paid || failed || waived)) return [];
  const amount = cents(paid ? amount_paid : amount_due);
  const told = { ...detailsOf(invoice), ...cardOf(invoice, cards) };
  return [{ id, createdAt: created * 1000, amount, paid, waived, renewal, ...told }];
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
