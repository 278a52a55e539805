/**
 * Stripe's events: stored first, settled once. An event only says which order to look at; what is true now is what Stripe's
 * API answers, so that events may come late, twice, in any order, and in the version of any endpoint. A webhook that never came
 * makes no difference in the end: events and undecided orders are retrieved from Stripe too.
 */
import type { Kysely } from 'kysely';
import type Stripe from 'stripe';
import { cancelIfOver, cancelOrphanedSubscriptions } from '../../orders/abandon-order.server.ts';
import { followNow, type OrderDeps } from '../../orders/follow-payment.server.ts';
import { findUnpaidOrders } from '../../orders/order-store.server.ts';
import type { Flag, Tables } from '../../platform/database/tables.server.ts';
import { Interval, isolated } from '../../platform/interval.server.ts';
import { logEvent } from '../../platform/log.server.ts';
import { DAY_MS } from '../../platform/time.ts';
import { idOf, orUnavailable } from './stripe-client.server.ts';

declare module '../../platform/database/tables.server.ts' {
  interface Tables {
    stripeEvents: StripeEventTable;
  }
}

/** `settled` 0: Stripe's API could not be reached about it yet. */
interface StripeEventTable {
  id: string;
  type: string;
  settled: Flag;
  receivedAt: number;
}

interface EventDeps extends OrderDeps {
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
  const order = await orderOf(deps, event);
  if (order === 'unavailable') return;
  if (order) {
    const after = await followNow(deps, order, `Stripe: ${type} (${id})`);
    if (after === 'unavailable') return;
    await cancelIfOver(deps, after);
  }
  await db.updateTable('stripeEvents').set({ settled: 1 }).where('id', '=', id).execute();
}

/** The order of this mode whose customer the event is about: each order has its own. */
async function orderOf({ db, stripe, gateway }: EventDeps, event: Stripe.Event) {
  if (event.livemode !== gateway.live) return undefined;
  const customer = await customerOf(stripe, event);
  if (customer === 'unavailable') return customer;
  if (customer === null) return undefined;
  return db
    .selectFrom('orders')
    .selectAll()
    .where('customerId', '=', customer)
    .where('provider', '=', 'stripe')
    .where('live', '=', gateway.live ? 1 : 0)
    .executeTakeFirst();
}

/** Of a dispute only Stripe knows whose charge it is about. */
async function customerOf(
  stripe: Stripe,
  { data: { object } }: Stripe.Event,
): Promise<string | null | 'unavailable'> {
  const about =
    object.object === 'dispute'
      ? await orUnavailable('whose-dispute', stripe.charges.retrieve(idOf(object.charge)))
      : object;
  if (about === 'unavailable') return about;
  const customer = 'customer' in about && about.customer;
  return customer ? idOf(customer) : null;
}

/** Which of these have been settled, to tell those that were never received. */
async function settledAmong(db: Kysely<Tables>, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .selectFrom('stripeEvents')
    .select('id')
    .where('settled', '=', 1)
    .where('id', 'in', ids)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

const EVERY_MS = 15 * 60 * 1000;
/** An order that is undecided for this long is retrieved. */
const UNDECIDED_MS = 10 * 60 * 1000;
/** As long as Stripe keeps events: the site may have been off. */
const LISTED_MS = 30 * DAY_MS;
/** As long as Stripe would have repeated them. */
const REPEATED_MS = 3 * DAY_MS;

/** Goes on from its start until it is stopped. Several instances may: each step is made once. */
export function reconciling(deps: EventDeps): Interval {
  let since = LISTED_MS;
  return new Interval('reconcile-failed', EVERY_MS, async (isStopped) => {
    if (await receiveMissedEvents(deps, Date.now() - since, isStopped)) since = REPEATED_MS;
    const { db, gateway } = deps;
    const before = Date.now() - UNDECIDED_MS;
    for (const order of await findUnpaidOrders(db, gateway, before)) {
      if (isStopped()) return;
      await isolated('reconcile-failed', { orderId: order.id }, () =>
        followNow(deps, order, 'Stripe: status checked'),
      );
    }
    await cancelOrphanedSubscriptions(deps);
    await deleteOldEvents(db);
  });
}

/** Events since then that no webhook brought or that have waited, oldest first; true when Stripe listed them. */
async function receiveMissedEvents(
  deps: EventDeps,
  since: number,
  isStopped: () => boolean,
): Promise<boolean> {
  const created = { gte: Math.floor(since / 1000) };
  const listed = deps.stripe.events.list({ types: EVENT_TYPES, created, limit: 100 });
  const events = await orUnavailable('reconcile', listed.autoPagingToArray({ limit: 10_000 }));
  if (events === 'unavailable') return false;
  const settled = await settledAmong(
    deps.db,
    events.map(({ id }) => id),
  );
  const missed = events.filter(({ id }) => !settled.has(id)).reverse();
  for (const event of missed) {
    if (isStopped()) return false;
    await isolated('reconcile-failed', { eventId: event.id }, () => receiveEvent(deps, event));
  }
  if (missed.length > 0) logEvent('info', 'stripe-events-missed', { count: missed.length });
  return true;
}

/** Deletes the events that Stripe no longer lists. */
async function deleteOldEvents(db: Kysely<Tables>): Promise<void> {
  await db
    .deleteFrom('stripeEvents')
    .where('receivedAt', '<', Date.now() - LISTED_MS)
    .execute();
}
