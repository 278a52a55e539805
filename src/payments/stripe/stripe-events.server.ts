/**
 * Stripe's events: stored first, settled once. An event only says whose order to look at; what is true now is what Stripe's
 * API answers, so that events may come late, twice, in any order, and in the version of any endpoint.
 */
import type { Kysely } from 'kysely';
import type Stripe from 'stripe';
import * as z from 'zod/mini';
import { cancelOrphanedSubscriptions } from '../../orders/cancel-subscription.server.ts';
import { type FollowDeps, followNow } from '../../orders/follow-payment.server.ts';
import {
  findOrder,
  findOrderBy,
  type Order,
  savePayment,
} from '../../orders/order-store.server.ts';
import type { Tables } from '../../platform/database/tables.server.ts';
import { refuse } from '../../platform/http/answer.server.ts';
import { type Call, oldCall, readId } from '../../platform/http/call.server.ts';
import type { Contract } from '../../platform/old/contract.ts';
import { orAway } from './stripe-client.server.ts';
import type { StripeGateway } from './stripe-gateway.server.ts';
import { idOf } from './stripe-subscription.server.ts';

export interface SettleDeps extends FollowDeps {
  stripe: Stripe;
  gateway: StripeGateway;
}

/** Checked and parsed only after the signature. */
const signedText = z.string();
const received = z.strictObject({ received: z.literal(true) });

const STRIPE_WEBHOOK: Contract<typeof signedText, typeof received> = 'POST /api/stripe/webhook';

/** `receive` tells whether the signature was valid; it is null where Stripe is not configured. */
export function stripeWebhook(
  receive: ((body: string, signature: string) => Promise<boolean>) | null,
): Call {
  return oldCall(STRIPE_WEBHOOK, {
    access: 'anyone',
    limit: null,
    signed: true,
    body: signedText,
    answer: received,
    handle: async ({ body, headers }) => {
      if (!receive) return refuse(503, 'Stripe is not configured');
      const valid = await receive(body, headers.get('stripe-signature') ?? '');
      return valid ? { received: true } : refuse(400, 'The signature is not valid');
    },
  });
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

/** Stores an event, and settles it unless that has been done. */
export async function receiveEvent(
  deps: SettleDeps,
  event: Stripe.Event,
  signed: boolean,
): Promise<void> {
  const { id, type } = event;
  await deps.db
    .insertInto('stripeEvents')
    .values({ id, type, orderId: null, signed: signed ? 1 : 0, settled: 0, receivedAt: Date.now() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  if (!(await settledAmong(deps.db, [id])).has(id)) await settleEvent(deps, event);
}

/** The order follows what Stripe says now; while Stripe does not answer, the event waits. */
export async function settleEvent(deps: SettleDeps, event: Stripe.Event): Promise<void> {
  const { db, gateway } = deps;
  const order = event.livemode === gateway.live ? await orderOf(deps, event) : undefined;
  if (order === 'away') return;
  if (order) {
    const now = await followNow(deps, order, `Stripe: ${event.type} (${event.id})`);
    if (now === 'away') return;
    await cancelOrphanedSubscriptions(deps, order.id);
  }
  await db
    .updateTable('stripeEvents')
    .set({ settled: 1, orderId: order?.id ?? null })
    .where('id', '=', event.id)
    .execute();
}

/** The order of this site, placed in this mode, that the event is about. */
async function orderOf(deps: SettleDeps, event: Stripe.Event): Promise<Order | 'away' | undefined> {
  const named = await namedBy(deps.stripe, event);
  if (named === 'away') return named;
  const order = await orderNamed(deps, named);
  if (!order || order === 'away' || order.provider !== 'stripe') return undefined;
  return order.live === null || (order.live === 1) === deps.gateway.live ? order : undefined;
}

interface Named {
  subscriptionId?: string | undefined;
  paymentId?: string | undefined;
  /** As the site marks a subscription with its order. */
  metadata?: Stripe.Metadata | null | undefined;
}

async function namedBy(stripe: Stripe, event: Stripe.Event): Promise<Named | 'away'> {
  switch (event.type) {
    case 'payment_intent.succeeded':
    case 'payment_intent.processing':
    case 'payment_intent.payment_failed':
      return { paymentId: event.data.object.id };
    case 'invoice.paid':
    case 'invoice.payment_failed':
    case 'invoice.payment_action_required':
      return namedByInvoice(event.data.object);
    case 'customer.subscription.updated':
    case 'customer.subscription.deleted':
      return { subscriptionId: event.data.object.id, metadata: event.data.object.metadata };
    case 'charge.refunded':
    case 'charge.dispute.created':
    case 'charge.dispute.closed': {
      const { payment_intent: payment } = event.data.object;
      return payment ? namedByPayment(stripe, idOf(payment)) : {};
    }
    default:
      return {};
  }
}

function namedByInvoice({ parent }: Stripe.Invoice): Named {
  const details = parent?.subscription_details;
  return details ? { subscriptionId: idOf(details.subscription), metadata: details.metadata } : {};
}

/** Of a later month only Stripe knows to which subscription its payment belongs. */
async function namedByPayment(stripe: Stripe, paymentId: string): Promise<Named | 'away'> {
  const paid = await orAway(
    'whose-charge',
    stripe.invoicePayments.list({
      payment: { type: 'payment_intent', payment_intent: paymentId },
      expand: ['data.invoice'],
    }),
  );
  if (paid === 'away') return paid;
  const invoice = paid.data[0]?.invoice;
  return typeof invoice === 'object' && !invoice.deleted ? namedByInvoice(invoice) : { paymentId };
}

async function orderNamed(
  deps: SettleDeps,
  { subscriptionId, paymentId, metadata }: Named,
): Promise<Order | 'away' | undefined> {
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
  { gateway, db }: SettleDeps,
  order: Order,
): Promise<Order | 'away' | undefined> {
  if (order.subscriptionId || order.provider !== 'stripe') return order;
  const started = await gateway.find(order);
  if (started === 'away') return started;
  return started ? savePayment(db, order.id, started) : order;
}

type Db = Kysely<Tables>;

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

/** Stripe repeats an event for three days and keeps it for thirty. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;

export async function forgetOldEvents(db: Db): Promise<void> {
  await db
    .deleteFrom('stripeEvents')
    .where('receivedAt', '<', Date.now() - KEPT_MS)
    .where('settled', '=', 1)
    .execute();
}

/** Until when Stripe's events have all been listed, in milliseconds; undefined when they never have. */
export async function lastSyncedAt(db: Db, live: boolean): Promise<number | undefined> {
  const row = await db
    .selectFrom('stripeHeard')
    .select('until')
    .where('mode', '=', live ? 'live' : 'test')
    .executeTakeFirst();
  return row?.until;
}

export async function saveCursor(db: Db, live: boolean, until: number): Promise<void> {
  await db
    .insertInto('stripeHeard')
    .values({ mode: live ? 'live' : 'test', until })
    .onConflict((conflict) => conflict.column('mode').doUpdateSet({ until }))
    .execute();
}
