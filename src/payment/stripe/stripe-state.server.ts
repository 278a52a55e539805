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
