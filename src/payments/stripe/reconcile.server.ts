/** A webhook that never came makes no difference in the end: Stripe is asked for its events, and about undecided orders. */
import type { Kysely } from 'kysely';
import { cancelOrphanedSubscriptions } from '../../orders/abandon-order.server.ts';
import { followNow } from '../../orders/follow-payment.server.ts';
import { findOrder, undecidedOrders } from '../../orders/order-store.server.ts';
import { wasStarted } from '../../orders/payment.ts';
import { isDatabaseAway } from '../../platform/database/database-away.server.ts';
import type { Tables } from '../../platform/database/tables.server.ts';
import { Interval } from '../../platform/interval.server.ts';
import { logEvent, logFault } from '../../platform/log.server.ts';
import { orUnavailable } from './stripe-client.server.ts';
import {
  EVENT_TYPES,
  type EventDeps,
  receiveEvent,
  settledAmong,
  settleEvent,
  startedOrder,
  unsettledEvents,
} from './stripe-events.server.ts';

const EVERY_MS = 15 * 60 * 1000;
/** An order that is undecided for this long is asked after. */
const UNDECIDED_MS = 10 * 60 * 1000;
const DAY_MS = 24 * 60 * 60 * 1000;
/** How far back events are looked through at least: as long as Stripe would have repeated them. */
const REPEATED_MS = 3 * DAY_MS;
/** And at most: Stripe keeps no older ones. */
const LISTED_MS = 30 * DAY_MS;
/** Events may show in Stripe's list a little after they happened. */
const LATE_MS = 60 * 60 * 1000;

/** Goes on from its start until it is stopped. Several instances may: each step is made once. */
export function reconciling(deps: EventDeps): Interval {
  return new Interval('reconcile-failed', EVERY_MS, (isStopped) => reconcile(deps, isStopped));
}

/** Once through all that may have been missed. */
export async function reconcile(deps: EventDeps, isStopped: () => boolean): Promise<void> {
  const { db, stripe, gateway } = deps;
  for (const id of await unsettledEvents(db)) {
    if (isStopped()) return;
    await isolated({ eventId: id }, async () => {
      const event = await orUnavailable('reconcile', stripe.events.retrieve(id));
      if (event !== 'unavailable') await settleEvent(deps, event);
    });
  }
  await receiveMissedEvents(deps, isStopped);
  const before = Date.now() - UNDECIDED_MS;
  for (const order of await undecidedOrders(db, gateway.provider, gateway.live, before)) {
    if (isStopped()) return;
    await isolated({ orderId: order.id }, () => checkOrder(deps, order.id));
  }
  await cancelOrphanedSubscriptions(deps);
  await deleteOldEvents(db);
}

/** One that cannot be dealt with, now or ever, must not keep the others waiting. */
async function isolated(what: Record<string, unknown>, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (isDatabaseAway(error)) throw error;
    logFault('reconcile-failed', error, what);
  }
}

/** Events since the site last listed them all that no webhook brought, oldest first. */
async function receiveMissedEvents(deps: EventDeps, isStopped: () => boolean): Promise<void> {
  const { db, stripe, gateway } = deps;
  const { live } = gateway;
  const now = Date.now();
  const synced = (await lastSyncedAt(db, live)) ?? 0;
  const since = Math.max(now - LISTED_MS, Math.min(now - REPEATED_MS, synced - LATE_MS));
  const events = await orUnavailable(
    'reconcile',
    stripe.events
      .list({ types: EVENT_TYPES, created: { gte: Math.floor(since / 1000) }, limit: 100 })
      .autoPagingToArray({ limit: 10_000 }),
  );
  if (events === 'unavailable') return;
  const ids = events.map(({ id }) => id);
  const settled = await settledAmong(db, ids);
  const missed = events.filter(({ id }) => !settled.has(id)).reverse();
  for (const event of missed) {
    if (isStopped()) return;
    await isolated({ eventId: event.id }, () => receiveEvent(deps, event));
  }
  await saveCursor(db, live, now);
  if (missed.length > 0) logEvent('info', 'stripe-events-missed', { count: missed.length });
}

async function checkOrder(deps: EventDeps, orderId: number): Promise<void> {
  const known = await findOrder(deps.db, orderId);
  const order = known && !wasStarted(known) ? await startedOrder(deps, known) : known;
  if (!order || order === 'unavailable') return;
  await followNow(deps, order, 'Stripe: status checked');
}

/** Until when Stripe's events have all been listed, in milliseconds; undefined when they never have. */
async function lastSyncedAt(db: Kysely<Tables>, live: boolean): Promise<number | undefined> {
  const row = await db
    .selectFrom('stripeCursors')
    .select('until')
    .where('mode', '=', live ? 'live' : 'test')
    .executeTakeFirst();
  return row?.until;
}

async function saveCursor(db: Kysely<Tables>, live: boolean, until: number): Promise<void> {
  await db
    .insertInto('stripeCursors')
    .values({ mode: live ? 'live' : 'test', until })
    .onConflict((conflict) => conflict.column('mode').doUpdateSet({ until }))
    .execute();
}

/** Those that Stripe lists no more. */
async function deleteOldEvents(db: Kysely<Tables>): Promise<void> {
  await db
    .deleteFrom('stripeEvents')
    .where('receivedAt', '<', Date.now() - LISTED_MS)
    .where('settled', '=', 1)
    .execute();
}
