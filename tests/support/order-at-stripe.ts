/** An order that the site has saved, and Stripe as its provider, without the site around them. */
import { beforeAll } from 'vitest';
import type { StartedAtProvider } from '../../src/payment/gateway.server.ts';
import { stripeClient } from '../../src/payment/stripe-client.server.ts';
import type { StripeEnv } from '../../src/platform/env.server.ts';
import type { Row } from '../../src/platform/tables.server.ts';
import { order, rowOf, type StripeShop, stripeEnv } from './stripe-shop.ts';

type Order = Row<'orders'>;

/** Remembers what it is told of orders, as the real one does. */
export class OrderMemory {
  readonly orders = new Map<number, Order>();
  readonly heard: string[] = [];

  find = async (by: object) => ('id' in by ? this.orders.get(Number(by.id)) : undefined);
  keepAttempt = (id: number, attempt: number) =>
    this.#keep(id, `attempt ${attempt}`, { attempt: attempt + 1 });
  keepCustomer = (id: number, customerId: string | null) =>
    this.#keep(id, `customer ${customerId}`, { customerId });
  keepEnded = (id: number) => this.#keep(id, 'ended', { subscriptionEnded: 1 });
  keepStarted = (id: number, { due, ...started }: StartedAtProvider) =>
    this.#keep(id, `started ${started.subscriptionId}`, { ...started, dueCents: due });

  async #keep(id: number, what: string, change: Partial<Order>): Promise<void> {
    this.heard.push(what);
    const known = this.orders.get(id);
    if (known) this.orders.set(id, { ...known, ...change });
  }
}

/** Gives orders that Stripe has not heard of, each with a number of its own. */
export function newOrders(shop: StripeShop) {
  let sample: Order | undefined;
  let last = 1000;
  beforeAll(async () => {
    sample = await rowOf(shop, (await order(shop)).orderId);
  });
  return (book: OrderMemory, change: Partial<Order> = {}): Order => {
    if (!sample) throw new Error('orders are made while tests run, not before');
    last += 1;
    const unknown = { customerId: null, subscriptionId: null, paymentId: null, clientSecret: null };
    const made: Order = { ...sample, ...unknown, id: last, createdAt: last * 7, ...change };
    book.orders.set(made.id, made);
    return made;
  };
}

export const clientOf = ({ fake }: StripeShop, change: Partial<StripeEnv> = {}) =>
  stripeClient(stripeEnv(fake, change));
