/** What settling and reconciling Stripe's events need: the database, Stripe's stand-in, and what the gateway says. */
import { randomUUID } from 'node:crypto';
import { onTestFinished, vi } from 'vitest';
import * as follow from '../../src/orders/follow-payment.server.ts';
import { readNotes } from '../../src/orders/order-billing-store.server.ts';
import {
  type SettleDeps,
  settleEvent,
} from '../../src/payment/stripe/events/settle-stripe-event.server.ts';
import {
  type StripeGateway,
  stripeGateway,
} from '../../src/payment/stripe/stripe-gateway.server.ts';
import type { NewRow, Row } from '../../src/platform/database/tables.server.ts';
import { clientOf, type NewOrder } from './order-at-stripe.ts';
import { rowOf, type StripeShop, stripeEnv } from './stripe-shop.ts';

/**
 * The gateway says of each order that its payment has succeeded, finds nothing and ends what it is asked to end, until
 * a test changes it.
 */
export function stripeDeps(shop: StripeShop, { live = false } = {}) {
  const { db } = shop.app.database;
  const stripe = clientOf(shop);
  const fetchPaymentState = vi.fn<StripeGateway['fetchPaymentState']>(async () => ({
    status: 'succeeded',
    refused: false,
  }));
  const find = vi.fn<StripeGateway['find']>(async () => null);
  const cancel = vi.fn<StripeGateway['cancel']>(async () => 'done');
  const gateway = {
    ...stripeGateway(stripe, stripeEnv(shop.fake), db),
    fetchPaymentState,
    find,
    cancel,
    live,
  };
  const notify = async () => undefined;
  const ground: SettleDeps = { stripe, db, gateway, notify };
  return { ground, stripe, fetchPaymentState, find, cancel };
}

/** What orders are told from now on until the test ends. */
function listen() {
  const told = vi.spyOn(follow, 'followPayment');
  onTestFinished(() => told.mockRestore());
  const before = told.mock.calls.length;
  return () =>
    told.mock.calls.slice(before).map(([, orderId, state, cause]) => ({ orderId, state, cause }));
}

/** The events that the database remembers. */
export function eventsIn({ app }: StripeShop): Promise<Row<'stripeEvents'>[]> {
  return app.database.db.selectFrom('stripeEvents').selectAll().orderBy('id').execute();
}

/** The orders of earlier tests are over and charged no more, so that nobody asks after them. */
export async function closeOrders({ app }: StripeShop): Promise<void> {
  const over = { status: 'canceled', subscriptionEnded: 1 } as const;
  await app.database.db.updateTable('orders').set(over).execute();
}

/** In which the site's keys ask for events. */
export const VERSION = '2026-10-28.endive';

/** An order that has been started at Stripe, and what is heard of it. */
export async function openStage(
  shop: StripeShop,
  newOrder: NewOrder,
  change: Partial<NewRow<'orders'>> = {},
  mode = {},
) {
  const on = stripeDeps(shop, mode);
  const ids = { subscriptionId: `sub_${randomUUID()}`, paymentId: `pi_${randomUUID()}` };
  const row = await newOrder({ ...ids, dueCents: null, live: 0, ...change });
  const hear = (
    type: string,
    object: object,
    { signed = true, ...change }: { signed?: boolean; [field: string]: unknown } = {},
  ) => settleEvent(on.ground, eventOf(type, object, change), signed);
  const of = { subscription: row.subscriptionId, metadata: { orderId: String(row.id) } };
  const invoice = {
    id: `in_${randomUUID()}`,
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
    id: `ch_${randomUUID()}`,
    amount: row.amountCents,
    amount_refunded: 5,
    currency: 'usd',
    payment_intent: row.paymentId,
  };
  const subscription = { id: row.subscriptionId, status: 'active', metadata: of.metadata };
  const notes = async () => (await readNotes(on.ground.db, [row.id])).map(({ note }) => note);
  const now = () => rowOf(shop, row.id);
  const followed = listen();
  return { ...on, row, now, hear, invoice, charge, subscription, notes, followed };
}

/** An event as Stripe tells of it. */
export function eventOf(type: string, object: object, change: object = {}) {
  const event = { id: 'evt_1', object: 'event', type, created: 9, livemode: false };
  return {
    ...JSON.parse(JSON.stringify({ ...event, api_version: VERSION, ...change })),
    data: { object },
  };
}
