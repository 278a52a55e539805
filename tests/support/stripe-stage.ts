/** What settling and reconciling Stripe's events need: the database, Stripe's stand-in, and what the gateway says. */
import { randomUUID } from 'node:crypto';
import { vi } from 'vitest';
import {
  type SettleDeps,
  settleEvent,
} from '../../src/payment/stripe/settle-stripe-event.server.ts';
import {
  type StripeGateway,
  stripeGateway,
} from '../../src/payment/stripe/stripe-gateway.server.ts';
import type { Row } from '../../src/platform/database/tables.server.ts';
import { clientOf, type newOrders, OrderMemory } from './order-at-stripe.ts';
import { type StripeShop, stripeEnv } from './stripe-shop.ts';

/** The gateway says of each order that its payment has succeeded, and finds nothing, until a test changes it. */
export function stripeDeps(shop: StripeShop, { live = false } = {}) {
  const book = new OrderMemory();
  const stripe = clientOf(shop);
  const fetchPaymentState = vi.fn<StripeGateway['fetchPaymentState']>(async () => ({
    status: 'succeeded',
    refused: false,
  }));
  const find = vi.fn<StripeGateway['find']>(async () => null);
  const gateway = {
    ...stripeGateway(stripe, stripeEnv(shop.fake), book),
    fetchPaymentState,
    find,
    live,
  };
  const ground: SettleDeps = { stripe, db: shop.app.database.db, gateway, book, live };
  return { ground, book, stripe, fetchPaymentState, find };
}

/** The events that the database remembers. */
export function eventsIn({ app }: StripeShop): Promise<Row<'stripeEvents'>[]> {
  return app.database.db.selectFrom('stripeEvents').selectAll().orderBy('id').execute();
}

/** In which the site's keys ask for events. */
export const VERSION = '2026-10-28.endive';

/** An order that has been started at Stripe, and what is heard of it. */
export function openStage(
  shop: StripeShop,
  newOrder: ReturnType<typeof newOrders>,
  change: Partial<Row<'orders'>> = {},
  mode = {},
) {
  const on = stripeDeps(shop, mode);
  const ids = { subscriptionId: `sub_${randomUUID()}`, paymentId: `pi_${randomUUID()}` };
  const row = newOrder(on.book, { ...ids, dueCents: null, live: 0, ...change });
  const hear = (
    type: string,
    object: object,
    { signed = true, ...change }: { signed?: boolean; [field: string]: unknown } = {},
  ) => settleEvent(on.ground, eventOf(type, object, change), signed);
  const of = { subscription: row.subscriptionId, metadata: { orderId: String(row.id) } };
  const invoice = {
    id: 'in_1',
    object: 'invoice',
    created: 5,
    status: 'paid',
    amount_due: row.amountCents,
    amount_paid: row.amountCents,
    currency: 'usd',
    billing_reason: 'subscription_create',
    parent: { subscription_details: of },
  };
  const charge = {
    id: 'ch_1',
    amount: row.amountCents,
    amount_refunded: 5,
    currency: 'usd',
    payment_intent: row.paymentId,
  };
  const subscription = { id: row.subscriptionId, status: 'active', metadata: of.metadata };
  const notes = () => on.book.heard.filter((each) => each.startsWith('note '));
  return { ...on, row, hear, invoice, charge, subscription, notes };
}

/** An event as Stripe tells of it. */
export function eventOf(type: string, object: object, change: object = {}) {
  const event = { id: 'evt_1', object: 'event', type, created: 9, livemode: false };
  return {
    ...JSON.parse(JSON.stringify({ ...event, api_version: VERSION, ...change })),
    data: { object },
  };
}
