/** Where an order's payment, subscription and bills stand at Stripe. An event's bill and the API's are read alike. */
import type Stripe from 'stripe';
import * as z from 'zod/mini';
import type { BilledInvoice, PaymentState, ReversedCharge } from '../../orders/gateway.server.ts';
import { firstDue } from '../../orders/order.ts';
import { type Dispute, PAYMENT_STATUSES, type PaymentStatus } from '../../orders/payment.ts';
import type { Row } from '../../platform/database/tables.server.ts';
import { type Cents, cents } from '../../platform/money.ts';
import { CURRENCY, orAway } from './stripe-client.server.ts';
import { idOf } from './stripe-subscription.server.ts';

/** Nothing has been tried yet. */
export const NOTHING: PaymentState = { status: 'requires_payment_method', refused: false };

/** Throws Stripe's errors. */
export async function stateAtStripe(stripe: Stripe, order: Row<'orders'>): Promise<PaymentState> {
  const id = order.subscriptionId;
  const [intent, subscription, invoices, charges] = await Promise.all([
    order.paymentId
      ? stripe.paymentIntents.retrieve(order.paymentId, { expand: ['latest_charge'] })
      : null,
    id ? orAway('look-subscription', stripe.subscriptions.retrieve(id)) : null,
    id
      ? orAway(
          'look-invoices',
          stripe.invoices.list({ subscription: id, limit: 100, expand: ['data.payments'] }),
        )
      : null,
    id && order.customerId
      ? orAway('look-charges', stripe.charges.list({ customer: order.customerId, limit: 100 }))
      : null,
  ]);
  const payment = intent ? paymentState(order, intent) : NOTHING;
  // A payment that is not the order's proves nothing of what hangs on it.
  if (payment.notes) return payment;
  const bills = !invoices || invoices === 'away' ? [] : invoices.data;
  for (const bill of bills.filter((each) => isFirst(each) && isPaid(each))) {
    const odd = misfit(`the first invoice ${bill.id}`, bill.amount_paid, bill, order);
    if (odd) return odd;
  }
  const cards = cardsByPayment(!charges || charges === 'away' ? [] : charges.data);
  return {
    ...payment,
    partial: subscription === 'away' || invoices === 'away',
    charges: intent ? await reversals(stripe, intent) : [],
    invoices: (await withMonths(stripe, bills)).flatMap((bill) => billed(bill, cards)),
    ...(subscription && subscription !== 'away' && subscriptionState(subscription)),
  };
}

function paymentState(order: Row<'orders'>, intent: Stripe.PaymentIntent): PaymentState {
  return (
    misfit(`payment ${intent.id}`, receivedBy(intent), intent, order) ?? {
      status: statusOf(intent.status),
      refused: Boolean(intent.last_payment_error),
    }
  );
}

/** What the payment is for; once it has succeeded, what has really come in. */
export function receivedBy(intent: {
  status: string;
  amount: number;
  amount_received?: number | null | undefined;
}): number {
  return intent.status === 'succeeded' ? (intent.amount_received ?? intent.amount) : intent.amount;
}

/** Undefined when it is for what the order asks for. */
function misfit(
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
  { latest_charge: charge }: Stripe.PaymentIntent,
): Promise<ReversedCharge[]> {
  if (!charge || typeof charge === 'string') return [];
  const { id, amount, amount_refunded, disputed } = charge;
  if (amount_refunded === 0 && !disputed) return [];
  const reversed = { id, amount: cents(amount), refunded: cents(amount_refunded) };
  // A key without the right to read disputes must not keep the rest from being known.
  const disputes = disputed
    ? await orAway('look-dispute', stripe.disputes.list({ charge: id, limit: 1 }))
    : 'away';
  const newest = disputes === 'away' ? undefined : disputes.data[0];
  return [newest ? { ...reversed, dispute: disputeState(newest.status) } : reversed];
}

/** The money stays: a bank's inquiry that came to nothing, or a dispute that was settled before it was one. */
const KEPT = ['won', 'warning_closed', 'prevented'];

/** How a dispute stands. */
export function disputeState(status: string): Dispute {
  if (status === 'lost') return 'lost';
  return KEPT.includes(status) ? 'won' : 'open';
}

/** Whether the subscription has ended, or when it will; one that was never paid takes its payment with it. */
export function subscriptionState({
  status,
  cancel_at,
}: {
  status: string;
  cancel_at?: number | null;
}): Partial<PaymentState> {
  if (status === 'incomplete_expired') return { status: 'canceled', ended: true, endsAt: null };
  return { ended: status === 'canceled', endsAt: cancel_at ? cancel_at * 1000 : null };
}

type Details = Pick<BilledInvoice, 'number' | 'periodEnd' | 'periodStart' | 'tax'>;
type PaidBy = Required<Pick<BilledInvoice, 'cardBrand' | 'cardLast4'>>;

const lineSchema = z.object({
  period: z.object({ start: z.int(), end: z.int() }),
  parent: z.nullish(
    z.object({ subscription_item_details: z.nullish(z.object({ proration: z.boolean() })) }),
  ),
});
const billSchema = z.object({
  number: z.nullish(z.string()),
  total_taxes: z.nullish(z.array(z.object({ amount: z.int() }))),
  lines: z.nullish(z.object({ data: z.array(lineSchema), has_more: z.optional(z.boolean()) })),
});

/** Nothing hangs on these: a bill that tells them otherwise is a bill without them. */
export function detailsOf(bill: unknown): Details {
  const read = billSchema.safeParse(bill);
  if (!read.success) return {};
  const { number, total_taxes: taxes, lines } = read.data;
  const period = lines?.data.find(isMonth)?.period;
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
function isMonth({ parent }: z.infer<typeof lineSchema>): boolean {
  return parent?.subscription_item_details?.proration === false;
}

/** A bill carries its first ten lines, and those of changes come first. */
function lacksMonth({ lines }: Stripe.Invoice): boolean {
  return lines.has_more && !lines.data.some((line) => isMonth(lineSchema.parse(line)));
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
export function cardsByPayment(charges: readonly Stripe.Charge[]): Map<string, PaidBy> {
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
export function withMonths(
  stripe: Stripe,
  invoices: readonly Stripe.Invoice[],
): Promise<Stripe.Invoice[]> {
  return Promise.all(
    invoices.map(async (invoice, place) => {
      if (!invoice.id || place >= NEWEST || !lacksMonth(invoice)) return invoice;
      const asked = stripe.invoices.listLineItems(invoice.id, { limit: 100 });
      const lines = await orAway('look-lines', asked);
      return lines === 'away' ? invoice : { ...invoice, lines };
    }),
  );
}

/** A bill that has neither been paid nor failed yet says nothing. */
export function billed(
  invoice: Stripe.Invoice,
  cards: ReadonlyMap<string, PaidBy>,
): BilledInvoice[] {
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

function cardOf({ payments }: Stripe.Invoice, cards: ReadonlyMap<string, PaidBy>) {
  return payments?.data
    .flatMap(({ payment: { payment_intent: intent } }) => (intent ? [cards.get(idOf(intent))] : []))
    .find((card) => card !== undefined);
}

export function isFirst({ billing_reason }: Stripe.Invoice): boolean {
  return billing_reason === 'subscription_create';
}

export function isPaid({ status }: Stripe.Invoice): boolean {
  return status === 'paid';
}
