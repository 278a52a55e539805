/** The built-in provider: it takes no real card, and keeps its payments and subscriptions in the database. */
import { type FollowDeps, followPayment } from '../../orders/follow-payment.server.ts';
import type {
  Gateway,
  Outcome,
  PaymentState,
  SubscriptionChange,
  Subscriptions,
} from '../../orders/gateway.server.ts';
import { type Order, readInvoices } from '../../orders/order-store.server.ts';
import type { Db } from '../../platform/database/tables.server.ts';
import { cents } from '../../platform/money.ts';
import { cardOf } from './test-cards.ts';
import {
  cancelPayment,
  findPayment,
  insertCard,
  insertPayment,
  stateOf,
} from './test-payments.server.ts';
import {
  billOf,
  findSubscription,
  lockSubscription,
  monthly,
  nextBill,
  PAID,
  priceDifference,
  type Subscription,
  testNow,
  updateSubscription,
} from './test-subscription.server.ts';

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
        ...stateOf(await findPayment(db, { orderId: id })),
        ...(subscription?.status === 'ended' ? { ended: true } : {}),
        ...(subscription?.ending ? { endsAt: subscription.periodEnd } : {}),
      };
    },
    cancelPayment: ({ id }) => db.transaction().execute((trx) => cancelPayment(trx, id)),
    refund: (order, amount, key) => refund(deps, order.id, amount, key),
    cancel: (order, when) => cancel(deps, order.id, when),
    now: () => testNow(db),
    subscriptions: testSubscriptions(deps),
    staffPage: () => null,
  };
}

/** Of the newest bill that was paid. */
function refund(
  { db, notify }: FollowDeps,
  orderId: number,
  amount: number | undefined,
  key: string,
): ReturnType<Gateway['refund']> {
  return db.transaction().execute(async (trx) => {
    const subscription = await lockSubscription(trx, orderId);
    const bills = await readInvoices(trx, orderId);
    const bill = bills.find(({ paid, amountCents }) => paid && amountCents > 0);
    if (!subscription || !bill) return { refused: 'No payment found' };
    const id = `charge_${bill.id}`;
    const before = await trx
      .selectFrom('orderCharges')
      .select('refundedCents')
      .where('id', '=', id)
      .executeTakeFirst();
    const already = before?.refundedCents ?? 0;
    const refundKey = `${key} ${amount ?? 'all'}`;
    const isRepeated = subscription.refundKey === refundKey;
    const more = isRepeated ? 0 : (amount ?? bill.amountCents - already);
    const refunded = already + more;
    if (refunded > bill.amountCents) return { refused: 'That’s more than is left to refund' };
    await updateSubscription(trx, orderId, { refundKey });
    const charge = { id, amount: cents(bill.amountCents), refunded: cents(refunded) };
    const state = { ...PAID, charges: [charge] };
    await followPayment({ db: trx, notify }, orderId, state, 'test refund');
    return charge;
  });
}

function cancel(
  { db, notify }: FollowDeps,
  orderId: number,
  when: 'now' | 'period-end',
): Promise<Outcome> {
  return db.transaction().execute(async (trx): Promise<Outcome> => {
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
  const withRunning = <Done>({ id }: Order, act: (found: Subscription, trx: Db) => Promise<Done>) =>
    db.transaction().execute(async (trx) => {
      const found = await lockSubscription(trx, id);
      return found && found.status !== 'ended' ? act(found, trx) : NOT_RUNNING;
    });

  /** Stores what a customer has changed, and lets the order follow. */
  async function store(
    trx: Db,
    { id }: Order,
    change: Partial<Subscription>,
    state: Partial<PaymentState>,
  ): Promise<Outcome> {
    await updateSubscription(trx, id, change);
    await followPayment({ db: trx, notify }, id, { ...PAID, ...state }, 'changed by the customer');
    return 'done';
  }

  return {
    getSubscription: (order) =>
      withRunning(order, async (found) => {
        const { ending, startedAt, periodEnd, cardLast4: last4 } = found;
        const { charge: total } = nextBill(found);
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
        const { difference, ...change } = planChange(found, lines, at);
        const { charge: total } = nextBill({ ...found, ...change });
        const next = { at: found.periodEnd, total, tax: cents(0) };
        return { monthly: monthly(lines), difference, next };
      }),

    change: (order, { lines, at }) =>
      withRunning<Outcome>(order, async (found, trx) => {
        const { difference: _, ...change } = planChange(found, lines, at);
        // It has been made already when an earlier answer was lost.
        if (found.lines === change.lines) return 'done';
        if (!isPaidAt(found, at)) return NOT_THIS_MONTH;
        return store(trx, order, { ...change, changedAt: at }, { plan: lines });
      }),

    resume: (order) =>
      withRunning(order, (_found, trx) => store(trx, order, { ending: 0 }, { endsAt: null })),

    startCard: (order) =>
      withRunning(order, async (_found, trx) => ({
        clientSecret: await insertCard(trx, order.id),
      })),

    finishCard: (order, clientSecret) =>
      withRunning<Outcome>(order, async (found, trx) => {
        const card = await findPayment(trx, { clientSecret });
        if (card?.orderId !== order.id || card.amountCents !== null) return NO_CARD;
        const { status, last4: cardLast4 } = card;
        if (status !== 'succeeded' || !cardLast4) return NO_CARD;
        if (found.status !== 'past_due') return store(trx, order, { cardLast4 }, {});
        if (!cardOf(cardLast4).chargesLater) return DECLINED;
        const { due, charge } = nextBill(found);
        const paid = billOf({ ...found, cardLast4 }, found.periodStart, charge, true);
        const change = { cardLast4, status: 'active', pendingCents: due - charge } as const;
        return store(trx, order, change, { invoices: [paid] });
      }),
  };
}

/** What is stored of a change, and what it comes to for the rest of the month. */
function planChange(found: Subscription, lines: SubscriptionChange['lines'], at: number) {
  const difference = priceDifference(found, lines, at);
  const pendingCents = found.pendingCents + difference;
  return { difference, lines: JSON.stringify(lines), pendingCents };
}

/** A change counts within the month that is paid, and never before the last one. */
function isPaidAt({ status, periodStart, periodEnd, changedAt }: Subscription, at: number) {
  return status === 'active' && at >= Math.max(periodStart, changedAt) && at < periodEnd;
}
