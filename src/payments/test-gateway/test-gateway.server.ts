/** The built-in provider: it takes no real card, and keeps its payments and subscriptions in the database. */
import { type Kysely, sql } from 'kysely';
import { type FollowDeps, followPayment } from '../../orders/follow-payment.server.ts';
import type {
  Gateway,
  PaymentState,
  ReversedCharge,
  StaffOutcome,
  Subscriptions,
} from '../../orders/gateway.server.ts';
import { lockOrder } from '../../orders/order-store.server.ts';
import type { Row, Tables } from '../../platform/database/tables.server.ts';
import { cents } from '../../platform/money.ts';
import { chargeOf, monthly, priceChange } from './proration.ts';
import { cardOf } from './test-cards.ts';
import { testNow } from './test-clock.server.ts';
import {
  cancelPayment,
  findBySecret,
  findPayment,
  insertCard,
  insertPayment,
  stateOf,
} from './test-payments.server.ts';
import {
  billOf,
  findSubscription,
  linesOf,
  lockSubscription,
  PAID,
  type Subscription,
  updateSubscription,
} from './test-subscription.server.ts';

type Db = Kysely<Tables>;

const NOT_RUNNING = { refused: 'No subscription is running for this order.' };
const DECLINED = { refused: 'This card couldn’t pay what is overdue. Please try another card.' };
const NO_CARD = { refused: 'No card has been entered yet. Please enter one.' };
const NOT_THIS_MONTH = { refused: 'The price has changed. Please look at it again.' };

export function testGateway(deps: FollowDeps): Gateway {
  const { db } = deps;
  return {
    provider: 'test',
    live: false,
    tax: false,
    start: (order) => insertPayment(db, order),
    checkPostalCode: async () => 'known',
    async fetchPaymentState({ id }) {
      const subscription = await findSubscription(db, id);
      return {
        ...stateOf(await findPayment(db, id)),
        ...(subscription?.status === 'ended' ? { ended: true } : {}),
        ...(subscription?.ending ? { endsAt: subscription.periodEnd } : {}),
      };
    },
    cancelPayment: ({ id }) => db.transaction().execute((trx) => cancelPayment(trx, id)),
    refund: (order, amount) => refund(deps, order.id, amount),
    cancel: (order, when) => cancel(deps, order.id, when),
    now: () => testNow(db),
    subscriptions: testSubscriptions(deps),
    staffPage: () => null,
  };
}

function refund(
  { db, notify }: FollowDeps,
  orderId: number,
  amount: number | undefined,
): ReturnType<Gateway['refund']> {
  return db.transaction().execute(async (trx) => {
    await lockOrder(trx, orderId);
    const bill = await newestCharge(trx, orderId);
    if (!bill) return { refused: 'No payment found' };
    const refunded = amount === undefined ? bill.amountCents : (bill.refundedCents ?? 0) + amount;
    if (refunded > bill.amountCents) return { refused: 'That’s more than is left to refund' };
    const charge: ReversedCharge = {
      id: `charge_${bill.id}`,
      amount: cents(bill.amountCents),
      refunded: cents(refunded),
    };
    const state = { ...PAID, charges: [charge] };
    await followPayment({ db: trx, notify }, orderId, state, 'test refund');
    return charge;
  });
}

/** The newest bill that was paid, and what of it has been refunded. */
async function newestCharge(trx: Db, orderId: number) {
  return trx
    .selectFrom('orderInvoices')
    .leftJoin('orderCharges', (join) =>
      join.on('orderCharges.id', '=', sql<string>`'charge_' || "orderInvoices"."id"`),
    )
    .select(['orderInvoices.id', 'orderInvoices.amountCents', 'refundedCents'])
    .where('orderInvoices.orderId', '=', orderId)
    .where('paid', '=', 1)
    .where('orderInvoices.amountCents', '>', 0)
    .orderBy('orderInvoices.createdAt', 'desc')
    .limit(1)
    .executeTakeFirst();
}

function cancel(
  { db, notify }: FollowDeps,
  orderId: number,
  when: 'now' | 'period-end',
): Promise<StaffOutcome> {
  return db.transaction().execute(async (trx): Promise<StaffOutcome> => {
    const found = await lockSubscription(trx, orderId);
    const lasts = when === 'period-end' && found?.status === 'active';
    await updateSubscription(trx, orderId, lasts ? { ending: 1 } : { status: 'ended' });
    const state: PaymentState = {
      ...PAID,
      // Nothing has been paid, so there is no month to use to its end.
      ...(!found && { status: 'requires_payment_method' }),
      ...(lasts ? { endsAt: found.periodEnd } : { ended: true }),
    };
    await followPayment({ db: trx, notify }, orderId, state, 'test subscription ended');
    return 'done';
  });
}

/** What a customer does with a running subscription, as with one at Stripe. */
function testSubscriptions({ db, notify }: FollowDeps): Subscriptions {
  const withRunning = <Done>(
    { id }: Pick<Row<'orders'>, 'id'>,
    act: (found: Subscription, trx: Db) => Promise<Done>,
  ) =>
    db.transaction().execute(async (trx) => {
      const found = await lockSubscription(trx, id);
      return found && found.status !== 'ended' ? act(found, trx) : NOT_RUNNING;
    });

  return {
    getSubscription: (order) =>
      withRunning(order, async (found) => {
        const { ending, pendingCents, startedAt, periodEnd, cardLast4: last4 } = found;
        const total = chargeOf((ending ? 0 : monthly(linesOf(found))) + pendingCents);
        // The browser keeps what was typed as expiry: a test card counts as good for three years.
        const expiryYear = new Date(startedAt).getUTCFullYear() + 3;
        return {
          periodEnd,
          next: ending && total === 0 ? null : { total, tax: cents(0) },
          card: { brand: cardOf(last4).brand, last4, expiryMonth: 12, expiryYear },
        };
      }),

    preview: (order, { lines, at }) =>
      withRunning(order, async (found) => {
        if (!isPaidAt(found, at)) return NOT_THIS_MONTH;
        const { difference } = priceChange(linesOf(found), lines, { ...found, at });
        const total = chargeOf(monthly(lines) + found.pendingCents + difference);
        const next = { at: found.periodEnd, total, tax: cents(0) };
        return { monthly: monthly(lines), difference, next };
      }),

    change: (order, { lines, at }) =>
      withRunning<StaffOutcome>(order, async (found, trx) => {
        const wanted = JSON.stringify(lines);
        // It has been made already when an earlier answer was lost.
        if (found.lines === wanted) return 'done';
        if (!isPaidAt(found, at)) return NOT_THIS_MONTH;
        const { difference, peak } = priceChange(linesOf(found), lines, { ...found, at });
        await updateSubscription(trx, order.id, {
          lines: wanted,
          changedAt: at,
          peakCents: peak,
          pendingCents: found.pendingCents + difference,
        });
        const state = { ...PAID, plan: lines };
        await followPayment({ db: trx, notify }, order.id, state, 'changed by the customer');
        return 'done';
      }),

    resume: (order) =>
      withRunning<StaffOutcome>(order, async (_found, trx) => {
        await updateSubscription(trx, order.id, { ending: 0 });
        const state = { ...PAID, endsAt: null };
        await followPayment({ db: trx, notify }, order.id, state, 'changed by the customer');
        return 'done';
      }),

    startCard: (order) =>
      withRunning(order, async (_found, trx) => ({
        clientSecret: await insertCard(trx, order.id),
      })),

    finishCard: (order, clientSecret) =>
      withRunning<StaffOutcome>(order, async (found, trx) => {
        const card = await findBySecret(trx, clientSecret);
        if (card?.orderId !== order.id || card.amountCents !== null) return NO_CARD;
        const { status, last4: cardLast4 } = card;
        if (status !== 'succeeded' || !cardLast4) return NO_CARD;
        const isOverdue = found.status === 'past_due';
        if (isOverdue && !cardOf(cardLast4).chargesLater) return DECLINED;
        await updateSubscription(trx, order.id, {
          cardLast4,
          ...(isOverdue && { status: 'active', openCents: null }),
        });
        if (isOverdue) {
          const due = cents(found.openCents ?? 0);
          const invoices = [billOf({ ...found, cardLast4 }, found.periodStart, due, true)];
          const state = { ...PAID, invoices };
          await followPayment({ db: trx, notify }, order.id, state, 'test card replaced');
        }
        return 'done';
      }),
  };
}

/** A change counts within the month that is paid, and never before the last one. */
function isPaidAt({ status, periodStart, periodEnd, changedAt }: Subscription, at: number) {
  return status === 'active' && at >= Math.max(periodStart, changedAt) && at < periodEnd;
}
