/** A webhook that never came makes no difference in the end: Stripe is asked for its events, and about undecided orders. */
import type { Kysely } from 'kysely';
import { cancelOrphanedSubscriptions } from '../../orders/abandon-order.server.ts';
import { followNow } from '../../orders/follow-payment.server.ts';
import { undecidedOrders } from '../../orders/order-store.server.ts';
import { isDatabaseAway } from '../../platform/database/database-away.server.ts';
import type { Tables } from '../../platform/database/tables.server.ts';
import { Interval } from '../../platform/interval.server.ts';
import { logEvent, logFault } from '../../platform/log.server.ts';
import { orUnavailable } from './stripe-client.server.ts';
import { EVENT_TYPES, type EventDeps, receiveEvent, settledAmong } from './stripe-events.server.ts';

const EVERY_MS = 15 * 60 * 1000;
/** An order that is undecided for this long is asked after. */
const UNDECIDED_MS = 10 * 60 * 1000;
const DAY_MS = 24 * 60 * 60 * 1000;
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
    for (const order of await undecidedOrders(db, gateway, before)) {
      if (isStopped()) return;
      await isolated({ orderId: order.id }, () => followNow(deps, order, 'Stripe: status checked'));
    }
    await cancelOrphanedSubscriptions(deps);
    await deleteOldEvents(db);
  });
}

/** One that cannot be dealt with, now or ever, must not keep the others waiting. */
async function isolated(what: Record<string, unknown>, act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (isDatabaseAway(error)) throw error;
    logFault('reconcile-failed', error, what);
  }
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
    await isolated({ eventId: event.id }, () => receiveEvent(deps, event));
  }
  if (missed.length > 0) logEvent('info', 'stripe-events-missed', { count: missed.length });
  return true;
}

/** Those that Stripe lists no more. */
async function deleteOldEvents(db: Kysely<Tables>): Promise<void> {
  await db
    .deleteFrom('stripeEvents')
    .where('receivedAt', '<', Date.now() - LISTED_MS)
    .execute();
}
