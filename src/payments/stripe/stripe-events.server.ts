/**
 * Stripe's webhook events: stored first, processed once. An event only names an order; its state is
 * then fetched from Stripe's API. So events may arrive late, twice, out of order, or in another API
 * version. What no webhook brought, or could not be processed, is listed every few minutes.
 */

import type Stripe from 'stripe';
import {
  cancelIfOver,
  cancelOrphanedSubscriptions,
} from '../../billing/cancel-at-provider.server.ts';
import { alertStaff, getOrder } from '../../billing/order-store.server.ts';
import type { Outcome } from '../../billing/outcome.server.ts';
import { isAt } from '../../billing/provider-mode.server.ts';
import {
  type OrderContext,
  refreshForEvent,
  refreshOrder,
} from '../../billing/refresh-order.server.ts';
import { Interval, logFailure } from '../../platform/interval.server.ts';
import { logEvent } from '../../platform/log.server.ts';
import { cents } from '../../platform/money.ts';
import { DAY_MS, MINUTE_MS } from '../../platform/time.ts';
import {
  deleteEventsBefore,
  findSettled,
  settleEvent,
  storeEvent,
} from '../provider-events.server.ts';
import { CURRENCY, idOf, ifMissing, orUnavailable } from './stripe-client.server.ts';

export interface StripeEventContext extends OrderContext {
  stripe: Stripe;
}

export const FOLLOWED = [
  'payment_intent.succeeded',
  'payment_intent.processing',
  'payment_intent.payment_failed',
  'setup_intent.succeeded',
  'setup_intent.setup_failed',
  'invoice.finalized',
  'invoice.updated',
  'invoice.paid',
  'invoice.payment_failed',
  'invoice.payment_action_required',
  'invoice.finalization_failed',
  'invoice.voided',
  'invoice.marked_uncollectible',
  'customer.updated',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  'customer.subscription.resumed',
  'charge.refunded',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.closed',
  'radar.early_fraud_warning.created',
] satisfies Stripe.Event['type'][];

/** Stores an event and processes it once. It stays unsettled while Stripe is unavailable. */
export async function receiveEvent(
  context: StripeEventContext,
  event: Stripe.Event,
  follow: typeof refreshOrder = refreshForEvent,
): Promise<'processed' | 'unavailable'> {
  const { id, type } = event;
  if (!FOLLOWED.some((followed) => followed === type)) return 'processed';
  if (!(await storeEvent(context.db, id, type))) return 'processed';
  // Of the other mode, nothing is here.
  const isOurs = event.livemode === context.gateway.chargesRealMoney;
  if (isOurs && (await processEvent(context, event, follow)) === 'unavailable')
    return 'unavailable';
  await settleEvent(context.db, id);
  return 'processed';
}

/** Has the order follow its payment, and tells staff what no payment shows. */
async function processEvent(
  context: StripeEventContext,
  event: Stripe.Event,
  follow: typeof refreshOrder,
): Promise<Outcome> {
  const { id, type } = event;
  const { object } = event.data;
  const named = namedCharge(object);
  const charge = named
    ? await orUnavailable(
        'whose-charge',
        context.stripe.charges.retrieve(named).catch(ifMissing(null)),
      )
    : null;
  if (charge === 'unavailable') return charge;
  const order = await findOrderOfCustomer(context, charge ?? object);
  if (!order) return 'done';
  if (charge && object.object === 'radar.early_fraud_warning')
    await warnOfFraud(context, order.id, charge);
  const actor = { is: 'provider', name: context.gateway.name, event: { id, type } } as const;
  const after = await follow(context, order, { actor });
  return after === 'unavailable' ? after : cancelIfOver(context, after);
}

/** Disputes, refunds and warnings name only their charge, so that its customer must be fetched. */
function namedCharge(object: Stripe.Event['data']['object']): string | undefined {
  const isOfCharge =
    object.object === 'dispute' ||
    object.object === 'refund' ||
    object.object === 'radar.early_fraud_warning';
  return isOfCharge && object.charge ? idOf(object.charge) : undefined;
}

/** The customer has no other. */
async function findOrderOfCustomer(
  { db, gateway }: StripeEventContext,
  about: Stripe.Event['data']['object'],
) {
  const customer = about.object === 'customer' ? about : 'customer' in about && about.customer;
  if (!customer) return undefined;
  const orders = db.selectFrom('subscriptions').select('orderId as id').where(isAt(gateway));
  return orders.where('customerId', '=', idOf(customer)).executeTakeFirst();
}

/** What is refunded in full, or disputed, is past the warning. */
async function warnOfFraud(
  context: StripeEventContext,
  orderId: number,
  { id: charge, amount: all, amount_refunded, currency, refunded, disputed }: Stripe.Charge,
): Promise<void> {
  const amount = cents(all - amount_refunded);
  if (!refunded && !disputed)
    await alertStaff(context, orderId, {
      kind: 'fraud-warned',
      charge,
      amount,
      ...(currency !== CURRENCY && { currency }),
    });
}

const LISTED_TYPES = 20;
/** How long Stripe keeps events; the first run goes back so far, for the site may have been off. */
const LISTED_MS = 30 * DAY_MS;
/** How long Stripe retries a webhook. */
const REPEATED_MS = 3 * DAY_MS;

/** Catches up on missed events, on several instances as well. */
export function stripeReconciliation(context: StripeEventContext): Interval {
  let since = LISTED_MS;
  return new Interval('stripe-reconciliation-failed', 5 * MINUTE_MS, async (isStopped) => {
    if (await receiveMissedEvents(context, Date.now() - since, isStopped)) since = REPEATED_MS;
    await cancelOrphanedSubscriptions(context);
    await deleteEventsBefore(context.db, Date.now() - LISTED_MS);
  });
}

/** Processes the unsettled events since then. Returns whether Stripe was there for all of them. */
async function receiveMissedEvents(
  context: StripeEventContext,
  since: number,
  isStopped: () => boolean,
): Promise<boolean> {
  const created = { gte: Math.floor(since / 1000) };
  const list = (types: string[]) =>
    context.stripe.events.list({ types, created, limit: 100 }).autoPagingToArray({ limit: 10_000 });
  const listed = await orUnavailable(
    'reconcile',
    Promise.all([list(FOLLOWED.slice(0, LISTED_TYPES)), list(FOLLOWED.slice(LISTED_TYPES))]),
  );
  if (listed === 'unavailable') return false;
  const events = listed.flat();
  const settled = await findSettled(
    context.db,
    events.map(({ id }) => id),
  );
  const missed = events.filter(({ id }) => !settled.has(id));
  let wasThere = true;
  const looked = new Set<number>();
  /** One look shows all that was listed before it. */
  const follow: typeof refreshOrder = async (about, order, cause) => {
    if (looked.has(order.id)) return getOrder(about.db, order);
    const after = await refreshOrder(about, order, cause);
    if (after !== 'unavailable') looked.add(order.id);
    return after;
  };
  for (const event of missed) {
    if (isStopped()) return false;
    const received = await logFailure('stripe-reconciliation-failed', { eventId: event.id }, () =>
      receiveEvent(context, event, follow),
    );
    wasThere &&= received !== 'unavailable';
  }
  if (missed.length > 0) logEvent('info', 'stripe-events-missed', { count: missed.length });
  return wasThere;
}
