/** What happened to the money that an order's charges brought: disputes, and what went back. */
import { cents, totalOf } from '../platform/money.ts';
import { disputeOf, type Order, refundedOf } from './billed-order.server.ts';
import type { Charge } from './charge-store.server.ts';
import { invoiceOf } from './event-facts.server.ts';
import type { NewsOfCharges } from './news-of-charges.server.ts';
import type { OrderDiff } from './order-diff.server.ts';
import type { EventInvoice, EventOf } from './order-event.server.ts';
import type { Draft } from './order-event-store.server.ts';
import { isOver } from './order-status.ts';

export function disputeEvents(
  { before, after }: OrderDiff,
  { newlyDisputed }: NewsOfCharges,
): Draft[] {
  const state = disputeOf(after);
  return [
    ...newlyDisputed.map(
      ({ amountCents: amount, ...charge }): Draft => ({
        event: { kind: 'disputed', amount, invoice: invoicePaidBy(charge, after) },
      }),
    ),
    ...(state === disputeOf(before) ? [] : [{ event: { kind: 'dispute' as const, state } }]),
  ];
}

export function refundEvents(diff: OrderDiff): Draft[] {
  const { before, after } = diff;
  const cameBack = movedOf(diff, (charge, was) => was.refundedCents - charge.refundedCents);
  const isRefunded = after.status === 'refunded';
  const isToldByStatus = isRefunded && before.status !== 'refunded';
  // Where staff have set the status, both sides were told then.
  const quietly = isRefunded && refundedOf(before) === 0;
  const went = isToldByStatus ? [] : moneyWentBack(diff).filter(({ amount }) => amount > 0);
  return [
    ...(cameBack.amount > 0 ? [{ event: { kind: 'refund-failed' as const, ...cameBack } }] : []),
    ...went.map((event) => ({ event, quietly })),
  ];
}

/** Of a status that staff have set, nothing may have gone back. */
export function refunded(diff: OrderDiff): Draft[] {
  return moneyWentBack(diff).map((event) => ({ event }));
}

/** What a bank gave back by a lost dispute is told apart from what was refunded. */
function moneyWentBack(diff: OrderDiff): EventOf<'refunded'>[] {
  const all = (charge: Charge, was: Gone) => charge.refundedCents - was.refundedCents;
  const byBank = (charge: Charge, was: Gone) =>
    Math.min(all(charge, was), charge.lostCents - was.lostCents);
  const lost = movedOf(diff, byBank);
  const others = movedOf(diff, (...of) => all(...of) - Math.max(0, byBank(...of)));
  const told = { kind: 'refunded' as const, running: !isOver(diff.after.status) };
  return [
    ...(others.amount > 0 || lost.amount === 0 ? [{ ...told, ...others, lost: false }] : []),
    ...(lost.amount > 0 ? [{ ...told, ...lost, lost: true }] : []),
  ];
}

type Gone = Pick<Charge, 'refundedCents' | 'lostCents'>;
const NOTHING: Gone = { refundedCents: cents(0), lostCents: cents(0) };

/** How much moved, and of which payments, counting the sums above zero. */
function movedOf({ before, after }: OrderDiff, sumOf: (charge: Charge, was: Gone) => number) {
  const moved = after.charges.flatMap((charge) => {
    const was = before.charges.find(({ id }) => id === charge.id) ?? NOTHING;
    const amount = cents(sumOf(charge, was));
    return amount > 0 ? [{ invoice: invoicePaidBy(charge, after), amount }] : [];
  });
  return {
    amount: totalOf(moved),
    total: refundedOf(after),
    of: moved.flatMap(({ invoice, amount }) => (invoice ? [{ invoice, amount }] : [])),
  };
}

function invoicePaidBy(
  { invoiceId }: Pick<Charge, 'invoiceId'>,
  order: Order,
): EventInvoice | undefined {
  const invoice = order.invoices.find(({ id }) => id === invoiceId);
  return invoice && invoiceOf(order, invoice);
}
