/** The orders as a payment provider that calls back sees them. */
import type { Kysely } from 'kysely';
import type { Follow, OrderBook } from '../payment/gateway.server.ts';
import type { Tables } from '../platform/tables.server.ts';
import { addNote, noteOnce, orderOfCharge } from './order-billing-store.server.ts';
import { saveCustomer } from './order-customer.server.ts';
import {
  chargedOrders,
  countAttempt,
  findOrder,
  findOrderBy,
  savePayment,
  setBilling,
  undecidedOrders,
} from './order-store.server.ts';

export function orderBook(db: Kysely<Tables>, follow: Follow): OrderBook {
  return {
    async find(by) {
      if ('id' in by) return findOrder(db, by.id);
      if ('subscriptionId' in by) return findOrderBy(db, 'subscriptionId', by.subscriptionId);
      if ('paymentId' in by) return findOrderBy(db, 'paymentId', by.paymentId);
      const id = await orderOfCharge(db, by.chargeId);
      return id === undefined ? undefined : findOrder(db, id);
    },
    undecided: (provider, live, time) => undecidedOrders(db, provider, live, time),
    keepStarted: (orderId, started) => savePayment(db, orderId, started),
    keepCustomer: (orderId, customerId) => saveCustomer(db, orderId, customerId),
    keepAttempt: (orderId, attempt) => countAttempt(db, orderId, attempt),
    keepEnded: (orderId) => setBilling(db, orderId, { subscriptionEnded: 1 }),
    charged: (provider, live, orderId) => chargedOrders(db, provider, live, orderId),
    follow,
    note: addNote,
    noteOnce: (orderId, note) => noteOnce(db, orderId, note),
  };
}
