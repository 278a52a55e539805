/** Staff's refund of one payment, spread over the charges that made it. */
import { type Cents, cents, formatDollars, totalOf } from '../platform/money.ts';
import type { Order } from './billed-order.server.ts';
import { cancelIfOver } from './cancel-at-provider.server.ts';
import { type Actor, byProvider } from './cause.server.ts';
import type { RefundPart } from './gateway.server.ts';
import { askProvider } from './order-event-store.server.ts';
import { updateOrder } from './order-store.server.ts';
import { isNotDone, type Outcome, type Refused } from './outcome.server.ts';
import { type OrderContext, refreshDecided, refreshOrder } from './refresh-order.server.ts';

/** What is left of the newest payment by default. */
interface Wanted {
  /** The id of its invoice. */
  payment?: string | undefined;
  amount: Cents | null;
  /** The one that it was decided on. */
  version?: number | undefined;
}

/** Once all that was paid has gone back, the subscription ends too, unless it has yet to start. */
export async function refundOrder(
  context: OrderContext,
  decidedOn: Order,
  { payment, amount, version }: Wanted,
  actor: Actor,
): Promise<Outcome> {
  // Counts refunds at the provider whose events have not arrived yet.
  const order = version === undefined ? decidedOn : await refreshDecided(context, decidedOn);
  if (isNotDone(order)) return order;
  const parts = refundParts(order, amount, payment);
  if (isNotDone(parts)) return parts;
  const decision = String(version ?? order.version);
  const press = { kind: 'refund-asked' as const, amount: totalOf(parts) };
  const refunded = await askProvider(context, order.id, { press, actor }, async (pressId) => {
    const outcome = await context.gateway.refund(order, parts, { decision, pressId });
    // Of several wires, the first may have gone back.
    if (isNotDone(outcome) && parts.length > 1)
      await refreshOrder(context, order, byProvider(context.gateway));
    return outcome;
  });
  if (isNotDone(refunded)) {
    // After a refusal, the next refund is a request of its own, by whoever makes it.
    if (refunded !== 'unavailable') await updateOrder(context.db, order.id, {});
    return refunded;
  }
  const after = await refreshOrder(context, order, refunded);
  if (after !== 'unavailable') await cancelIfOver(context, after);
  return 'done';
}

/**
 * How to give back so much, or all, of one paid invoice, the newest by default. Several wires may
 * have paid it, and a credit all of the newest; what was paid outside is given back there.
 */
function refundParts(
  { invoices, charges }: Order,
  amount: Cents | null,
  payment?: string,
): RefundPart[] | Refused {
  const paid = invoices.find(
    ({ id, amountPaidCents }) => amountPaidCents > 0 && id === (payment ?? id),
  );
  const left = charges
    .filter(({ invoiceId }) => invoiceId === paid?.id)
    .map(({ id: charge, amountCents, refundedCents }) => ({
      charge,
      amount: cents(amountCents - refundedCents),
    }))
    .sort((one, other) => other.amount - one.amount || one.charge.localeCompare(other.charge));
  const most = totalOf(left);
  if (left.length === 0) return { refused: 'No payment found' };
  if (most === 0) return { refused: 'This payment has already been refunded' };
  let rest = amount ?? most;
  if (rest > most)
    return {
      refused: `${formatDollars(rest)} is greater than what is left to refund, ${formatDollars(most)}`,
    };
  const parts = left.map(({ charge, amount: each }) => {
    const part = cents(Math.min(rest, each));
    rest = cents(rest - part);
    return { charge, amount: part };
  });
  return parts.filter((part) => part.amount > 0);
}
