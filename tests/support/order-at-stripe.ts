/** An order that the site has saved, and Stripe as its provider, without the site around them. */
import { beforeAll } from 'vitest';
import type {
  OrderBook,
  OrderKey,
  PaymentState,
  StartedAtProvider,
} from '../../src/orders/gateway.server.ts';
import { stripeClient } from '../../src/payment/stripe/stripe-client.server.ts';
import type { Row } from '../../src/platform/database/tables.server.ts';
import type { StripeEnv } from '../../src/platform/env/env.server.ts';
import { order, rowOf, type StripeShop, stripeEnv } from './stripe-shop.ts';

type Order = Row<'orders'>;

/** Remembers what it is told of orders, and nothing else. */
export class OrderMemory implements OrderBook {
  readonly orders = new Map<number, Order>();
  /** Whose charge it is. */
  readonly charges = new Map<string, number>();
  readonly heard: string[] = [];
  readonly followed: { orderId: number; state: PaymentState; cause: string }[] = [];

  find: OrderBook['find'] = async (by) => this.#find(by);
  undecided: OrderBook['undecided'] = async (provider, live, time) => {
    this.heard.push(`undecided ${provider} ${live} ${time}`);
    return [...this.orders.values()];
  };
  charged: OrderBook['charged'] = async (provider, live, id) => {
    this.heard.push(`charged ${provider} ${live} ${id}`);
    return [];
  };
  keepAttempt: OrderBook['keepAttempt'] = (id, attempt) =>
    this.#keep(id, `attempt ${attempt}`, { attempt: attempt + 1 });
  keepCustomer: OrderBook['keepCustomer'] = (id, customerId) =>
    this.#keep(id, `customer ${customerId}`, { customerId });
  keepEnded: OrderBook['keepEnded'] = (id) => this.#keep(id, 'ended', { subscriptionEnded: 1 });
  keepStarted: OrderBook['keepStarted'] = (id, { due, ...started }: StartedAtProvider) =>
    this.#keep(id, `started ${started.subscriptionId}`, { ...started, dueCents: due });
  follow: OrderBook['follow'] = async (_trx, orderId, state, cause) => {
    this.followed.push({ orderId, state, cause });
    const known = this.#find({ id: orderId });
    if (!known) throw new Error('the order is gone');
    return known;
  };
  note: OrderBook['note'] = (_trx, id, note) => this.#keep(id, `note ${note}`);
  noteOnce: OrderBook['noteOnce'] = (id, note) => this.#keep(id, `note ${note}`);

  #find(by: OrderKey): Order | undefined {
    if ('chargeId' in by) return this.orders.get(this.charges.get(by.chargeId) ?? 0);
    const wanted = Object.entries(by);
    return [...this.orders.values()].find((order) => {
      const fields: Record<string, unknown> = { ...order };
      return wanted.every(([name, value]) => fields[name] === value);
    });
  }

  async #keep(id: number, what: string, change: Partial<Order> = {}): Promise<void> {
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
