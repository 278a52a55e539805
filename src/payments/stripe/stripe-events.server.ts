/**
 * Stripe's webhook events: stored first, processed once. An event only names an order; its state is then fetched from Stripe's
 * API. So events may arrive late, twice, out of order, or in another API version. What could not be processed is tried again
 * within a minute, and missed webhooks are made up for by listing events and fetching undecided orders.
 */
import { sql } from 'kysely';
import Stripe from 'stripe';
import * as z from 'zod/mini';
import { cancelIfOver, cancelOrphanedSubscriptions } from '../../orders/abandon-order.server.ts';
import { followNow, type OrderDeps } from '../../orders/follow-payment.server.ts';
import { findUnpaidOrders } from '../../orders/order-store.server.ts';
import type { Db } from '../../platform/database/tables.server.ts';
import { Interval, logFailure } from '../../platform/interval.server.ts';
import { logEvent } from '../../platform/log.server.ts';
import { DAY_MS, HOUR_MS } from '../../platform/time.ts';
import { idOf, orUnavailable } from './stripe-client.server.ts';

declare module '../../platform/database/tables.server.ts' {
  interface Tables {
    /** `settled` stays 0 until the order has been updated from Stripe's API. */
    stripeEvents: {
      id: string;
      type: string;
      settled: Flag;
      receivedAt: number;
    };
  }
}

interface EventDeps extends OrderDeps {
  stripe: Stripe;
}

/** The event types that the webhook endpoint must be subscribed to: 20 at most, or Stripe would not list them. */
export const EVENT_TYPES = [
  'payment_intent.succeeded',
  'payment_intent.processing',
  'payment_intent.payment_failed',
  'invoice.paid',
  'invoice.payment_failed',
  'invoice.payment_action_required',
  'invoice.finalization_failed',
  'invoice.voided',
  'invoice.marked_uncollectible',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  'customer.subscription.resumed',
  'charge.refunded',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.closed',
] satisfies Stripe.Event['type'][];

const TOLERANCE_SECONDS = 5 * 60;

/**
 * Parses a webhook's raw body. 'forged' unless it was signed with the secret, at most five minutes off this clock;
 * 'not-an-event' for what was signed but has not the fields that are read here.
 */
export function verifyEvent(
  stripe: Stripe,
  secret: string,
  body: string,
  header: string,
): Stripe.Event | 'forged' | 'not-an-event' {
  if (isFromTheFuture(header)) return 'forged';
  try {
    const event: unknown = stripe.webhooks.constructEvent(body, header, secret, TOLERANCE_SECONDS);
    return isEvent(event) ? event : 'not-an-event';
  } catch (error) {
    return error instanceof Stripe.errors.StripeSignatureVerificationError
      ? 'forged'
      : 'not-an-event';
  }
}

/** Stripe's library refuses only what was signed too long ago. A header with several times, or an unclear one, counts too. */
function isFromTheFuture(header: string): boolean {
  const times = header.split(',').filter((part) => part.split('=')[0] === 't');
  const [, seconds] = /^t=(\d+)$/.exec(times.join()) ?? [];
  return !(Number(seconds) <= Date.now() / 1000 + TOLERANCE_SECONDS);
}

const reference = z.optional(z.nullable(z.union([z.string(), z.looseObject({ id: z.string() })])));

const eventSchema = z.looseObject({
  id: z.string(),
  type: z.string(),
  livemode: z.boolean(),
  data: z.looseObject({
    object: z
      .looseObject({ customer: reference, charge: reference })
      .check(z.refine(({ object, charge }) => object !== 'dispute' || Boolean(charge))),
  }),
});

function isEvent(value: unknown): value is Stripe.Event {
  return eventSchema.safeParse(value).success;
}

/** Stores an event and processes it once. It stays unsettled while Stripe is unavailable. */
export async function receiveEvent(
  deps: EventDeps,
  event: Stripe.Event,
): Promise<'processed' | 'unavailable'> {
  const { id, type } = event;
  const { db } = deps;
  if (!EVENT_TYPES.some((each) => each === type)) return 'processed';
  await db
    .insertInto('stripeEvents')
    .values({ id, type, settled: 0, receivedAt: Date.now() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  if ((await findSettled(db, [id])).has(id)) return 'processed';
  const order = await findOrderOf(deps, event);
  if (order === 'unavailable') return order;
  if (order) {
    const after = await followNow(deps, order, `Stripe: ${type} (${id})`);
    if (after === 'unavailable') return after;
    await cancelIfOver(deps, after);
  }
  await db.updateTable('stripeEvents').set({ settled: 1 }).where('id', '=', id).execute();
  return 'processed';
}

/** Finds the order by the event's customer, since each order has a customer of its own. Ignores events of the other mode. */
async function findOrderOf({ db, stripe, gateway }: EventDeps, event: Stripe.Event) {
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

/** A dispute or a refund names only its charge, so the customer must be fetched. */
async function customerOf(
  stripe: Stripe,
  { data: { object } }: Stripe.Event,
): Promise<string | null | 'unavailable'> {
  const charge = (object.object === 'dispute' || object.object === 'refund') && object.charge;
  const about = charge
    ? await orUnavailable('whose-charge', stripe.charges.retrieve(idOf(charge)))
    : object;
  if (about === 'unavailable') return about;
  const customer = 'customer' in about && about.customer;
  return customer ? idOf(customer) : null;
}

/** Returns which of these events have been processed. */
async function findSettled(db: Db, ids: readonly string[]): Promise<Set<string>> {
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
const RETRY_EVERY_MS = 30 * 1000;
/** Orders undecided for longer than this are fetched from Stripe. */
const UNDECIDED_MS = 10 * 60 * 1000;
/** How long Stripe keeps events. The first run after a start goes back this far, as the site may have been off. */
const LISTED_MS = 30 * DAY_MS;
/** How long Stripe retries a webhook. */
const REPEATED_MS = 3 * DAY_MS;
/** How long an event may be on its way here. */
const ON_ITS_WAY_MS = HOUR_MS;

/** Catches up on missed events and undecided orders. Safe to run on several instances: each step takes effect once. */
export function stripeReconciliation(deps: EventDeps): Interval {
  let since = LISTED_MS;
  /** Orders placed by then have been looked at; those that stay unpaid expire. */
  let lookedUntil = 0;
  return new Interval('reconcile-failed', EVERY_MS, async (isStopped) => {
    if (await receiveMissedEvents(deps, Date.now() - since, isStopped)) since = REPEATED_MS;
    const { db, gateway } = deps;
    const before = Date.now() - UNDECIDED_MS;
    let missed = false;
    for (const order of await findUnpaidOrders(db, gateway, before, lookedUntil)) {
      if (isStopped()) return;
      const after = await logFailure('reconcile-failed', { orderId: order.id }, () =>
        followNow(deps, order, 'Stripe: status checked'),
      );
      if (after === 'unavailable') missed = true;
    }
    if (!missed) lookedUntil = before;
    await cancelOrphanedSubscriptions(deps);
    await deleteOldEvents(db);
  });
}

/** Processes the events that arrived while Stripe's API was down, soon after it is back. */
export function stripeEventRetries(deps: EventDeps): Interval {
  return new Interval('stripe-event-retries-failed', RETRY_EVERY_MS, async (isStopped) => {
    const { receivedAt } = await deps.db
      .selectFrom('stripeEvents')
      .select(({ fn }) => fn.min('receivedAt').as('receivedAt'))
      // Not as a parameter: the index has these events alone.
      .where('settled', '=', sql.lit(0))
      .executeTakeFirstOrThrow();
    if (receivedAt !== null)
      await receiveMissedEvents(deps, Number(receivedAt) - ON_ITS_WAY_MS, isStopped);
  });
}

/** Processes the events since then that are not settled. Returns whether Stripe could list them. */
async function receiveMissedEvents(
  deps: EventDeps,
  since: number,
  isStopped: () => boolean,
): Promise<boolean> {
  const created = { gte: Math.floor(since / 1000) };
  const listed = deps.stripe.events.list({ types: EVENT_TYPES, created, limit: 100 });
  const events = await orUnavailable('reconcile', listed.autoPagingToArray({ limit: 10_000 }));
  if (events === 'unavailable') return false;
  const settled = await findSettled(
    deps.db,
    events.map(({ id }) => id),
  );
  const missed = events.filter(({ id }) => !settled.has(id));
  for (const event of missed) {
    if (isStopped()) return false;
    await logFailure('reconcile-failed', { eventId: event.id }, () => receiveEvent(deps, event));
  }
  if (missed.length > 0) logEvent('info', 'stripe-events-missed', { count: missed.length });
  return true;
}

/** Deletes the events that Stripe no longer lists. */
async function deleteOldEvents(db: Db): Promise<void> {
  await db
    .deleteFrom('stripeEvents')
    .where('receivedAt', '<', Date.now() - LISTED_MS)
    .execute();
}
