/** What a payment provider may tell of an order, and how the order stands once it has been heard. */
import { randomUUID } from 'node:crypto';
import type { Notify } from '../../src/notifications/outbox.server.ts';
import { followPayment } from '../../src/orders/follow-payment.server.ts';
import type {
  BilledInvoice,
  PaymentState,
  ReversedCharge,
} from '../../src/orders/gateway.server.ts';
import { staffOrderJson } from '../../src/orders/order-calls.server.ts';
import { findOrder } from '../../src/orders/order-store.server.ts';
import { cents } from '../../src/platform/money.ts';
import { makeScene } from './every-call.ts';
import { permutations } from './permutations.ts';
import type { TestApp } from './test-app.ts';

export interface FollowedOrder {
  /** The order hears each of the facts in a transaction of its own, and is read as staff see it. */
  hear(...facts: Partial<PaymentState>[]): Promise<{
    status: string;
    refunded: number;
    dispute: string | null;
    endsAt: string | null;
    /** Whether the provider has said that it charges no more. */
    ended: boolean;
    /** The statuses that it has had. */
    way: string[];
    notes: string[];
  }>;
  /** The kinds of what staff and the customer were notified of, in their order. */
  notified: string[];
}

const SILENT: PaymentState = { status: 'requires_payment_method', refused: false };

/** A pending order, and nothing heard of it. */
export async function followedOrder(app: TestApp): Promise<FollowedOrder> {
  const { db } = app.database;
  const { orderId } = await makeScene(app);
  const notified: string[] = [];
  const notify: Notify = async (_trx, { kind }) => {
    notified.push(kind);
  };
  return {
    notified,
    async hear(...facts) {
      for (const fact of facts) {
        await followPayment({ db, notify }, orderId, { ...SILENT, ...fact }, 'test');
      }
      const order = await findOrder(db, orderId);
      if (!order) throw new Error('the order is gone');
      const { history, notes, ...seen } = await staffOrderJson(
        db,
        { staffPage: () => null },
        order,
      );
      const way = history.map(({ status }) => status);
      const ended = order.subscriptionEnded === 1;
      return { ...seen, way, ended, notes: notes.map(({ note }) => note) };
    },
  };
}

export const JANUARY = Date.UTC(2026, 0, 15);
export const MONTH_MS = 31 * 24 * 60 * 60 * 1000;

/** The bill of the month; the first comes with the order. */
export function bill(month: number, change: Partial<BilledInvoice> = {}): BilledInvoice {
  const createdAt = JANUARY + month * MONTH_MS;
  const paid = { amount: cents(450_00), paid: true, renewal: month > 0 };
  return { id: randomUUID(), createdAt, ...paid, ...change };
}

export function charge(change: Partial<ReversedCharge> = {}): ReversedCharge {
  return { id: randomUUID(), amount: cents(450_00), refunded: cents(0), ...change };
}

export const billed = (...invoices: BilledInvoice[]) => ({ invoices });
export const charged = (...charges: ReversedCharge[]) => ({ charges });

/** The facts in each order in which they may be heard, made afresh each time. */
export function inAnyOrder(make: () => Partial<PaymentState>[]): Partial<PaymentState>[][] {
  const ways = permutations(make().map((_, index) => index));
  return ways.map((way) => {
    const facts = make();
    return way.map((index) => facts[index] ?? {});
  });
}
