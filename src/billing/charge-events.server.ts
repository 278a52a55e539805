/** What happened to the money that an order's charges brought: disputes, and what went back. */
import { type Cents, cents, sumOf, totalOf } from '../platform/money.ts';
import { disputeOf, type Order, refundedOf } from './billed-order.server.ts';
import type { Charge, NewsOfCharges } from './charge-store.server.ts';
import { invoiceOf } from './event-facts.server.ts';
import type { EventInvoice } from './order-event.server.ts';
import type { Draft } from './order-event-store.server.ts';
import { isOver } from './order-status.ts';
import { happened, type Passing } from './passing.server.ts';

export function disputeEvents(
  { before, after }: Passing,
  { newlyDisputed }: NewsOfCharges,
): Draft[] {
  const state = disputeOf(after);
  return [
    ...newlyDisputed.flatMap(({ amountCents: amount, ...charge }) =>
      happened({ kind: 'disputed', amount, invoice: invoicePaidBy(charge, after) }),
    ),
    ...(state === disputeOf(before) ? [] : happened({ kind: 'dispute', state })),
  ];
}

export function refundEvents(passing: Passing): Draft[] {
  const { before, after } = passing;
  const cameBack = movedOf(passing, (amount) => amount < 0);
  const hasGone = movedOf(passing, (amount) => amount > 0).amount > 0;
  const isRefunded = after.status === 'refunded';
  const isToldByStatus = isRefunded && before.status !== 'refunded';
  // Where staff have set the status, both sides were told then.
  const isTold = isRefunded && refundedOf(before) === 0;
  return [
    ...(cameBack.amount > 0 ? happened({ kind: 'refund-failed', ...cameBack }) : []),
    ...(hasGone && !isToldByStatus ? moneyWentBack(passing, isTold) : []),
  ];
}

/** By a refund, or a lost dispute. */
export function moneyWentBack(passing: Passing, quietly = false): Draft[] {
  const { before, after } = passing;
  const lostOf = ({ charges }: Order) => sumOf(charges.map(({ lostCents }) => lostCents));
  return happened(
    {
      kind: 'refunded',
      ...movedOf(passing, (amount) => amount > 0),
      running: !isOver(after.status),
      lost: lostOf(after) > lostOf(before),
    },
    quietly,
  );
}

/** How much more, or less, of which payments has gone back, counting the changes that are such. */
function movedOf({ before, after }: Passing, isSuch: (amount: Cents) => boolean) {
  const changes = after.charges.flatMap((charge) => {
    const was = before.charges.find(({ id }) => id === charge.id)?.refundedCents ?? 0;
    const amount = cents(charge.refundedCents - was);
    return isSuch(amount) ? [{ invoice: invoicePaidBy(charge, after), amount }] : [];
  });
  return {
    amount: cents(Math.abs(totalOf(changes))),
    total: refundedOf(after),
    of: changes.flatMap(({ invoice, amount }) => (invoice ? [{ invoice, amount }] : [])),
  };
}

function invoicePaidBy(
  { invoiceId }: Pick<Charge, 'invoiceId'>,
  order: Order,
): EventInvoice | undefined {
  const invoice = order.invoices.find(({ id }) => id === invoiceId);
  return invoice && invoiceOf(order, invoice);
}
