/**
 * Stripe's events: stored first, settled once. An event only says whose orders to look at; what is true now is what Stripe's
 * API answers, so that events may come late, twice, in any order, and in the version of any endpoint.
 */
import type { Kysely } from 'kysely';
import type Stripe from 'stripe';
import { cancelOrphanedSubscriptions } from '../../orders/abandon-order.server.ts';
import { followNow, type OrderDeps } from '../../orders/follow-payment.server.ts';
import type { Flag, Tables } from '../../platform/database/tables.server.ts';
import { idOf, orUnavailable } from './stripe-client.server.ts';

declare module '../../platform/database/tables.server.ts' {
  interface Tables {
    stripeEvents: StripeEventTable;
  }
}

/** `settled` 0: Stripe's API could not be asked about it yet. */
interface StripeEventTable {
  id: string;
  type: string;
  settled: Flag;
  receivedAt: number;
}

export interface EventDeps extends OrderDeps {
  stripe: Stripe;
}

/** The types that a webhook endpoint at Stripe must be switched on for. */
export const EVENT_TYPES = [
  'payment_intent.succeeded',
  'payment_intent.processing',
  'payment_intent.payment_failed',
  'invoice.paid',
  'invoice.payment_failed',
  'invoice.payment_action_required',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'charge.refunded',
  'charge.dispute.created',
  'charge.dispute.closed',
] satisfies Stripe.Event['type'][];

/** The event in a webhook's raw body; undefined unless the secret signed it within the last five minutes. */
export function signedEvent(
  stripe: Stripe,
  secret: string,
  body: string,
  signature: string,
): Stripe.Event | undefined {
  try {
    return stripe.webhooks.constructEvent(body, signature, secret);
  } catch {
    return undefined;
  }
}

/** Stores an event, and settles it unless that has been done: while Stripe does not answer, it waits. */
export async function receiveEvent(deps: EventDeps, event: Stripe.Event): Promise<void> {
  const { id, type } = event;
  const { db } = deps;
  await db
    .insertInto('stripeEvents')
    .values({ id, type, settled: 0, receivedAt: Date.now() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  if ((await settledAmong(db, [id])).has(id)) return;
  const orders = await ordersOf(deps, event);
  if (orders === 'unavailable') return;
  for (const order of orders) {
    const after = await followNow(deps, order, `Stripe: ${type} (${id})`);
    if (after === 'unavailable') return;
    await cancelOrphanedSubscriptions(deps, order.id);
  }
  await db.updateTable('stripeEvents').set({ settled: 1 }).where('id', '=', id).execute();
}

/** The orders of this mode whose customer the event is about; one customer has one, or those of one browser. */
async function ordersOf({ db, stripe, gateway }: EventDeps, event: Stripe.Event) {
  if (event.livemode !== gateway.live) return [];
  const customer = await customerOf(stripe, event);
  if (customer === 'unavailable') return customer;
  if (customer === null) return [];
  return db
    .selectFrom('orders')
    .selectAll()
    .where('customerId', '=', customer)
    .where('provider', '=', 'stripe')
    .where('live', '=', gateway.live ? 1 : 0)
    .orderBy('id')
    .execute();
}

async function customerOf(
  stripe: Stripe,
  event: Stripe.Event,
): Promise<string | null | 'unavailable'> {
  switch (event.type) {
    case 'payment_intent.succeeded':
    case 'payment_intent.processing':
    case 'payment_intent.payment_failed':
    case 'invoice.paid':
    case 'invoice.payment_failed':
    case 'invoice.payment_action_required':
    case 'customer.subscription.updated':
    case 'customer.subscription.deleted':
    case 'charge.refunded': {
      const { customer } = event.data.object;
      return customer ? idOf(customer) : null;
    }
    case 'charge.dispute.created':
    case 'charge.dispute.closed': {
      const charge = stripe.charges.retrieve(idOf(event.data.object.charge));
      const found = await orUnavailable('whose-dispute', charge);
      if (found === 'unavailable') return found;
      return found.customer ? idOf(found.customer) : null;
    }
    default:
      return null;
  }
}

/** Which of these have been settled, to tell those that were never received. */
export async function settledAmong(
  db: Kysely<Tables>,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .selectFrom('stripeEvents')
    .select('id')
    .where('settled', '=', 1)
    .where('id', 'in', ids)
    .execute();
  return new Set(rows.map(({ id }) => id));
}
