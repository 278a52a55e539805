/**
 * Stripe's events: stored first, settled once. An event only says whose order to look at; what is true now is what Stripe's
 * API answers, so that events may come late, twice, in any order, and in the version of any endpoint.
 */
import type { Kysely } from 'kysely';
import Stripe from 'stripe';
import { cancelOrphanedSubscriptions } from '../../orders/abandon-order.server.ts';
import { type FollowDeps, followNow } from '../../orders/follow-payment.server.ts';
import {
  findOrder,
  findOrderBy,
  type Order,
  savePayment,
} from '../../orders/order-store.server.ts';
import type { Flag, Tables } from '../../platform/database/tables.server.ts';
import { readId } from '../../platform/http/call.server.ts';
import { recordAudit } from '../../staff/audit-store.server.ts';
import { orUnavailable } from './stripe-client.server.ts';
import type { StripeGateway } from './stripe-gateway.server.ts';

declare module '../../platform/database/tables.server.ts' {
  interface Tables {
    stripeEvents: StripeEventTable;
    stripeCursors: StripeCursorTable;
  }
}

/** `settled` 0: Stripe's API could not be asked about it yet. */
interface StripeEventTable {
  id: string;
  type: string;
  orderId: number | null;
  settled: Flag;
  receivedAt: number;
}

/** Until when all of Stripe's events have been listed. */
interface StripeCursorTable {
  mode: 'live' | 'test';
  until: number;
}

type Db = Kysely<Tables>;

export interface EventDeps extends FollowDeps {
  stripe: Stripe;
  gateway: StripeGateway;
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

const TOLERANCE_SECONDS = 300;

/**
 * The event in a webhook's raw body; undefined unless one of the secrets signed it, of which there are two while it is being
 * rotated. 'unreadable': it is signed, and no event.
 */
export function signedEvent(
  stripe: Stripe,
  secrets: readonly string[],
  body: string,
  signature: string,
): Stripe.Event | 'unreadable' | undefined {
  // The library takes the last of several times, and refuses only one that is too old.
  const [time, ...more] = signature.split(',').filter((part) => part.trim().startsWith('t='));
  const signedAt = Number(time?.trim().slice(2));
  if (more.length > 0 || !(signedAt <= Date.now() / 1000 + TOLERANCE_SECONDS)) return undefined;
  for (const secret of secrets) {
    try {
      const event = stripe.webhooks.constructEvent(body, signature, secret, TOLERANCE_SECONDS);
      return isEvent(event) ? event : 'unreadable';
    } catch (error) {
      if (error instanceof Stripe.errors.StripeSignatureVerificationError) continue;
      // What it has verified, the library parses; it takes no 'thin' events, which say less.
      if (error instanceof SyntaxError || body.includes('"v2.core.event"')) return 'unreadable';
      throw error;
    }
  }
  return undefined;
}

/** As far as every event goes; what its type promises is looked at where it is needed. */
function isEvent(event: Stripe.Event | null): boolean {
  const { id, type, data }: Partial<Stripe.Event> = event ?? {};
  return isId(id) && /^[\w.]{1,100}$/.test(`${type}`) && isObject(data?.object);
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && /^[a-z]+_\w{1,200}$/.test(value);
}

/** Staff find in the audit that somebody who has the secret sends what makes no sense. */
export async function noteUnreadable(db: Db, detail: string): Promise<void> {
  await recordAudit(db, { kind: 'stripe-event-unreadable', username: 'stripe', detail });
}

/** Stores an event, and settles it unless that has been done. */
export async function receiveEvent(deps: EventDeps, event: Stripe.Event): Promise<void> {
  const { id, type } = event;
  await deps.db
    .insertInto('stripeEvents')
    .values({ id, type, orderId: null, settled: 0, receivedAt: Date.now() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  if (!(await settledAmong(deps.db, [id])).has(id)) await settleEvent(deps, event);
}

/** The order follows what Stripe says now; while Stripe does not answer, the event waits. */
export async function settleEvent(deps: EventDeps, event: Stripe.Event): Promise<void> {
  const { db, gateway } = deps;
  const { id, type } = event;
  const order = event.livemode === gateway.live ? await orderOf(deps, event) : undefined;
  if (order === 'unavailable') return;
  if (order === 'unreadable') await noteUnreadable(db, `${type} (${id})`);
  else if (order) {
    const now = await followNow(deps, order, `Stripe: ${type} (${id})`);
    if (now === 'unavailable') return;
    await cancelOrphanedSubscriptions(deps, order.id);
  }
  const orderId = typeof order === 'object' ? order.id : null;
  await db.updateTable('stripeEvents').set({ settled: 1, orderId }).where('id', '=', id).execute();
}

/** The order of this site, placed in this mode, that the event is about. */
async function orderOf(
  deps: EventDeps,
  event: Stripe.Event,
): Promise<Order | 'unavailable' | 'unreadable' | undefined> {
  const reference = await referenceIn(deps.stripe, event);
  if (reference === 'unavailable' || reference === 'unreadable') return reference;
  const order = await findReferenced(deps, reference);
  if (!order || order === 'unavailable' || order.provider !== 'stripe') return undefined;
  return order.live === null || (order.live === 1) === deps.gateway.live ? order : undefined;
}

interface Reference {
  subscriptionId?: string;
  paymentId?: string;
  /** As the site marks a subscription with its order. */
  metadata?: Stripe.Metadata | null;
}

/** What an event names. A signature does not say that what is signed has the shape of its type. */
async function referenceIn(
  stripe: Stripe,
  event: Stripe.Event,
): Promise<Reference | 'unavailable' | 'unreadable'> {
  switch (event.type) {
    case 'payment_intent.succeeded':
    case 'payment_intent.processing':
    case 'payment_intent.payment_failed': {
      const { id: paymentId } = event.data.object;
      return isId(paymentId) ? { paymentId } : 'unreadable';
    }
    case 'invoice.paid':
    case 'invoice.payment_failed':
    case 'invoice.payment_action_required':
      return referenceOfInvoice(event.data.object);
    case 'customer.subscription.updated':
    case 'customer.subscription.deleted': {
      const { id: subscriptionId, metadata } = event.data.object;
      return isId(subscriptionId) ? { subscriptionId, metadata } : 'unreadable';
    }
    case 'charge.refunded':
    case 'charge.dispute.created':
    case 'charge.dispute.closed': {
      const { payment_intent: payment } = event.data.object;
      if (!payment) return {};
      const id = typeof payment === 'string' ? payment : payment.id;
      return isId(id) ? referenceOfPayment(stripe, id) : 'unreadable';
    }
    default:
      return {};
  }
}

function referenceOfInvoice({ parent }: Stripe.Invoice): Reference | 'unreadable' {
  const details = parent?.subscription_details;
  if (!details) return {};
  const { subscription, metadata } = details;
  const subscriptionId = typeof subscription === 'string' ? subscription : subscription?.id;
  return isId(subscriptionId) ? { subscriptionId, metadata } : 'unreadable';
}

/** Of a later month only Stripe knows to which subscription its payment belongs. */
async function referenceOfPayment(
  stripe: Stripe,
  paymentId: string,
): Promise<Reference | 'unavailable' | 'unreadable'> {
  const paid = await orUnavailable(
    'whose-charge',
    stripe.invoicePayments.list({
      payment: { type: 'payment_intent', payment_intent: paymentId },
      expand: ['data.invoice'],
    }),
  );
  if (paid === 'unavailable') return paid;
  const invoice = paid.data[0]?.invoice;
  return typeof invoice === 'object' && !invoice.deleted
    ? referenceOfInvoice(invoice)
    : { paymentId };
}

async function findReferenced(
  deps: EventDeps,
  { subscriptionId, paymentId, metadata }: Reference,
): Promise<Order | 'unavailable' | undefined> {
  const { db } = deps;
  const known =
    (subscriptionId && (await findOrderBy(db, 'subscriptionId', subscriptionId))) ||
    (paymentId && (await findOrderBy(db, 'paymentId', paymentId)));
  if (known) return known;
  const id = readId(metadata?.orderId);
  const order = id === undefined ? undefined : await findOrder(db, id);
  return order && metadata?.orderedAt === String(order.createdAt)
    ? startedOrder(deps, order)
    : undefined;
}

/** An event may be faster than the answer that tells which subscription was made. */
export async function startedOrder(
  { gateway, db }: EventDeps,
  order: Order,
): Promise<Order | 'unavailable' | undefined> {
  if (order.subscriptionId || order.provider !== 'stripe') return order;
  const started = await gateway.find(order);
  if (started === 'unavailable') return started;
  return started ? savePayment(db, order.id, started) : order;
}

export async function unsettledEvents(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('stripeEvents')
    .select('id')
    .where('settled', '=', 0)
    .orderBy('receivedAt')
    .limit(100)
    .execute();
  return rows.map(({ id }) => id);
}

/** Which of these have been settled, to tell those that were never received. */
export async function settledAmong(db: Db, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .selectFrom('stripeEvents')
    .select('id')
    .where('settled', '=', 1)
    .where('id', 'in', ids)
    .execute();
  return new Set(rows.map(({ id }) => id));
}
