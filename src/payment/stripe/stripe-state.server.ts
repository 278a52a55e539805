/** Where an order's payment and subscription stand at Stripe now, asked of the API. */
import type Stripe from 'stripe';
import type { PaymentState, ReversedCharge } from '../../orders/gateway.server.ts';
import { firstDue } from '../../orders/order.ts';
import { type Dispute, PAYMENT_STATUSES, type PaymentStatus } from '../../orders/payment.ts';
import type { Row } from '../../platform/database/tables.server.ts';
import { cents } from '../../platform/money.ts';
import { billed, cardsByPayment, isFirst, isPaid, withMonths } from './stripe-bill.server.ts';
import { CURRENCY, orAway } from './stripe-client.server.ts';

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
  const odd = bills.find(
    (bill) => isFirst(bill) && isPaid(bill) && !fits(bill.amount_paid, bill, order),
  );
  if (odd) return misfit(`the first invoice ${odd.id}`, odd.amount_paid, odd.currency, order);
  const cards = cardsByPayment(!charges || charges === 'away' ? [] : charges.data);
  const state = {
    ...payment,
    partial: subscription === 'away' || invoices === 'away',
    charges: intent ? await reversals(stripe, intent) : [],
    invoices: (await withMonths(stripe, bills)).flatMap((bill) => billed(bill, cards)),
  };
  return !subscription || subscription === 'away'
    ? state
    : { ...state, ...subscriptionState(subscription) };
}

function paymentState(order: Row<'orders'>, intent: Stripe.PaymentIntent): PaymentState {
  const amount = receivedBy(intent);
  if (!fits(amount, intent, order)) {
    return misfit(`payment ${intent.id}`, amount, intent.currency, order);
  }
  return { status: statusOf(intent.status), refused: Boolean(intent.last_payment_error) };
}

/** What the payment is for; once it has succeeded, what has really come in. */
export function receivedBy(intent: {
  status: string;
  amount: number;
  amount_received?: number | null | undefined;
}): number {
  return intent.status === 'succeeded' ? (intent.amount_received ?? intent.amount) : intent.amount;
}

function fits(amount: number, { currency }: { currency: string }, order: Row<'orders'>): boolean {
  return amount === firstDue(order) && currency === CURRENCY;
}

function misfit(
  what: string,
  amount: number,
  currency: string,
  order: Row<'orders'>,
): PaymentState {
  const note = `Stripe's ${what} is for ${amount} ${currency}, the order for ${firstDue(order)} ${CURRENCY}`;
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
