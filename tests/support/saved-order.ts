/** Orders inserted into the database without a purchase. */

import type { Order } from '../../src/billing/billed-order.server.ts';
import type { Cause } from '../../src/billing/cause.server.ts';
import type { EventInvoice } from '../../src/billing/order-event.server.ts';
import { readEvents } from '../../src/billing/order-event-store.server.ts';
import { insertOrder, type NewOrder } from '../../src/billing/order-store.server.ts';
import type { SubscriptionStatus } from '../../src/billing/subscription.ts';
import type { NewSubscription } from '../../src/billing/subscription-store.server.ts';
import type { PriceLine } from '../../src/catalogue/pricing.ts';
import { describeEvent } from '../../src/orders/describe-event.server.ts';
import { chunk } from '../../src/platform/database/queries.server.ts';
import type { Db, NewRow } from '../../src/platform/database/tables.server.ts';
import { cents } from '../../src/platform/money.ts';
import { isoTime } from '../../src/platform/time.ts';

/** A price line; `unit` is in cents. */
export const line = (kind: PriceLine['kind'], unit: number, quantity = 1): PriceLine => ({
  kind,
  label: kind,
  unitPrice: cents(unit),
  quantity,
  amount: cents(unit * quantity),
});

const ORDER = {
  name: 'Jane Doe',
  email: 'jane@dealer.example',
  phone: null,
  planId: 1,
  planName: 'Essential',
  ms365Option: 'none',
  requestHash: '',
  createdAt: Date.UTC(2026, 0, 15),
  status: 'pending',
} satisfies NewRow<'orders'>;

/** Columns of both tables. `status` is the order's; what was bought is what runs. */
type Change = Partial<Omit<NewRow<'orders'>, 'boughtLines'> & Omit<NewSubscription, 'status'>> & {
  subscriptionStatus?: SubscriptionStatus;
};

function newOrder(change: Change): NewOrder {
  const { provider = 'stripe', live = 0, collection = 'card', daysUntilDue, ...others } = change;
  const { paymentId, clientSecret, customerId, subscriptionId, cancelAt, ...more } = others;
  const { totalCents, attempt, subscriptionStatus: status, ...last } = more;
  const { amountCents = cents(450_00), priceLines = '[]', ...columns } = last;
  const order = { ...ORDER, ...columns, boughtLines: priceLines };
  return {
    ...order,
    subscription: {
      ...{ provider, live, collection, daysUntilDue, status, attempt, cancelAt },
      ...{ paymentId, clientSecret, customerId, subscriptionId },
      ...{ amountCents, priceLines, totalCents },
    },
  };
}

export async function savedOrder(db: Db, change: Change = {}): Promise<Order> {
  // In one transaction: an old order without history counts as never paid, and the site deletes it.
  const order = await db.transaction().execute((trx) => insertOrder(trx, newOrder(change)));
  if (!order) throw new Error('an order with this key already exists');
  return order;
}

/** Inserts `count` orders in a few statements. */
export async function savedOrders(db: Db, count: number, change: Change = {}): Promise<void> {
  const { id } = await savedOrder(db, change);
  const { subscription, ...order } = newOrder(change);
  const ids = Array.from({ length: count - 1 }, (_, index) => id + 1 + index);
  for (const some of chunk(ids)) {
    await db
      .insertInto('orders')
      .values(some.map((number) => ({ ...order, id: number })))
      .execute();
    await db
      .insertInto('subscriptions')
      .values(some.map((orderId) => ({ ...subscription, orderId })))
      .execute();
  }
}

/** As events keep an invoice. */
export const INVOICE: EventInvoice = {
  id: 'in_1',
  number: 'I-1',
  amount: cents(450_00),
  tax: cents(0),
  periodStart: null,
  periodEnd: null,
  remaining: cents(0),
  dueDay: null,
  card: null,
};

/** Reads as 'test'. */
export const TEST_CAUSE: Cause = { actor: { is: 'staff', account: 0, name: 'test' } };

/** With days as times in ISO 8601. */
export async function historyOf(db: Db, orderId: number) {
  const events = await readEvents(db, orderId);
  const day = (time: number) => isoTime(time);
  return { events, references: new Map(), nameOf: () => null, day };
}

/** All notes, also those that staff read in what came of them. */
export async function notesOf(db: Db, orderId: number): Promise<string[]> {
  const history = await historyOf(db, orderId);
  return history.events.flatMap((event) => describeEvent(event, history));
}
