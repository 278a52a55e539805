/** How staff's refund of one payment is spread over the charges that made it. */
import { type Cents, cents, formatDollars, totalOf } from '../platform/money.ts';
import type { Order } from './billed-order.server.ts';
import type { RefundPart } from './gateway.server.ts';
import type { Refused } from './outcome.server.ts';

/**
 * How to give back so much, or all, of one paid invoice, the newest by default. Several wires may
 * have paid it, and a credit all of the newest; what was paid outside is given back there.
 */
export function refundParts(
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
