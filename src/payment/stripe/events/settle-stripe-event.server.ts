/** One event of Stripe's, signed or found by asking: whose is it, does it fit, what is true now, and the order follows. */
import Stripe from 'stripe';
import * as z from 'zod/mini';
import { cancelLeftOver } from '../../../orders/cancel-subscription.server.ts';
import { type FollowDeps, followPayment } from '../../../orders/follow-payment.server.ts';
import type { PaymentState } from '../../../orders/gateway.server.ts';
import { awaitsPayment, firstDue } from '../../../orders/order.ts';
import { addNote, orderOfCharge } from '../../../orders/order-billing-store.server.ts';
import { findOrder, findOrderBy, savePayment } from '../../../orders/order-store.server.ts';
import { wasStarted } from '../../../orders/payment.ts';
import type { Row } from '../../../platform/database/tables.server.ts';
import { readId } from '../../../platform/http/call.server.ts';
import { logEvent } from '../../../platform/log.server.ts';
import { CURRENCY, orAway } from '../stripe-client.server.ts';
import type { StripeGateway } from '../stripe-gateway.server.ts';
import { idOf } from '../stripe-subscription.server.ts';
import { isSettled, markSigned, takeEvent } from './received-events.server.ts';
import { type Mark, readStripeEvent, type StripeNews } from './stripe-event.server.ts';

export interface SettleDeps extends FollowDeps {
  stripe: Stripe;
  gateway: StripeGateway;
}

type Order = Row<'orders'>;

/** Settles an event that is of interest and has not been settled; `signed` when it came by the webhook. */
export async function settleEvent(
  deps: SettleDeps,
  event: Stripe.Event,
  signed: boolean,
): Promise<void> {
  const { db, notify, gateway } = deps;
  const { live } = gateway;
  if (await isSettled(db, { id: event.id, signed })) {
    if (signed) await markSigned(db, event.id);
    return;
  }
  const object = signed ? event.data.object : await inOurVersion(deps.stripe, event);
  const seen = { id: event.id, type: event.type, signed };
  const news = object === 'away' ? undefined : readNews(event, object);
  const ignore = (why: string, orderId: number | null = null, settled = true) =>
    db.transaction().execute(async (trx) => {
      const taken = await takeEvent(trx, { ...seen, orderId, settled });
      if (taken && orderId !== null && settled) {
        await addNote(trx, orderId, `Not applied: ${event.type} (${event.id}): ${why}`);
      }
      if (news) logEvent('info', 'stripe-event-set-aside', { ...seen, orderId, why });
    });

  if (object === 'away') return ignore('Stripe cannot be asked for the bill', null, false);
  if (!news || typeof news === 'string') return ignore(news ?? 'nothing follows from its type');
  const order = await orderOf(deps, news.mark);
  if (order === 'away') return ignore('Stripe cannot be asked whose it is', null, false);
  if (!order) return ignore('it belongs to no order here');
  const placedLive = order.live === null ? live : order.live === 1;
  if (event.livemode !== live || placedLive !== live)
    return ignore(`its mode is ${event.livemode ? 'live' : 'test'}`, order.id);
  const misfit = whyNot(news, order);
  if (misfit) return ignore(misfit, order.id);

  const now = news.ask ? await gateway.fetchPaymentState(order) : null;
  await db.transaction().execute(async (trx) => {
    const settled = now !== 'away' && !now?.partial;
    if (!(await takeEvent(trx, { ...seen, orderId: order.id, settled }))) return;
    const state =
      now === 'away' || now === null ? { ...news.says, partial: true } : together(news.says, now);
    const cause = `Stripe: ${news.cause} (${event.id})`;
    await followPayment({ db: trx, notify }, order.id, state, cause);
  });
  await cancelLeftOver(deps, order.id);
}

/** A fetched event is in the version that the account had when it happened, where a bill may not tell whose it is. */
async function inOurVersion(
  stripe: Stripe,
  { api_version, data: { object } }: Stripe.Event,
): Promise<unknown> {
  if (api_version === Stripe.API_VERSION || object.object !== 'invoice' || !object.id)
    return object;
  return orAway('read-invoice', stripe.invoices.retrieve(object.id));
}

/** What the event says, or why it cannot be read; undefined when nothing follows from its type. */
function readNews(event: Stripe.Event, object: unknown): StripeNews | string | undefined {
  try {
    return readStripeEvent(event, object);
  } catch (error) {
    if (!(error instanceof z.core.$ZodError)) throw error;
    return `it cannot be read: ${z.prettifyError(error)}`;
  }
}

async function orderOf(deps: SettleDeps, mark: Mark): Promise<Order | 'away' | undefined> {
  const { db, stripe } = deps;
  const id = readId(mark.orderId);
  if (id !== undefined) {
    const order = await findOrder(db, id);
    const sameOrder = !mark.orderedAt || mark.orderedAt === String(order?.createdAt);
    return order && sameOrder ? startedOrder(deps, order) : undefined;
  }
  const { subscriptionId, paymentId, chargeId } = mark;
  const known =
    (subscriptionId && (await findOrderBy(db, 'subscriptionId', subscriptionId))) ||
    (paymentId && (await findOrderBy(db, 'paymentId', paymentId))) ||
    (chargeId && (await orderOfCharge(db, chargeId)));
  if (known) return known;
  if (!paymentId || !chargeId) return undefined;
  // The payment of a later month: only Stripe knows to which subscription it belongs.
  const paid = await orAway(
    'whose-charge',
    stripe.invoicePayments.list({
      payment: { type: 'payment_intent', payment_intent: paymentId },
      expand: ['data.invoice'],
    }),
  );
  if (paid === 'away') return 'away';
  const invoice = paid.data[0]?.invoice;
  const details =
    typeof invoice === 'object' && !invoice.deleted ? invoice.parent?.subscription_details : null;
  return details ? findOrderBy(db, 'subscriptionId', idOf(details.subscription)) : undefined;
}

/** An event may be faster than the answer that tells which subscription was made. */
export async function startedOrder(
  { gateway, db }: SettleDeps,
  order: Order,
): Promise<Order | 'away' | undefined> {
  if (order.subscriptionId || order.provider !== 'stripe') return order;
  const started = await gateway.find(order);
  if (started === 'away') return 'away';
  if (started) await savePayment(db, order.id, started);
  return findOrder(db, order.id);
}

/** Why the event does not fit the order, in words for staff; undefined when it does. */
function whyNot({ mark, sum, contradiction }: StripeNews, order: Order): string | undefined {
  if (order.provider !== 'stripe' || !wasStarted(order))
    return 'the order was not placed with Stripe';
  if (mark.subscriptionId && mark.subscriptionId !== order.subscriptionId) {
    return `its subscription is ${mark.subscriptionId}, the order’s is ${order.subscriptionId}`;
  }
  if (contradiction) return contradiction;
  if (!sum) return undefined;
  if (sum.currency !== CURRENCY) return `its currency is ${sum.currency}`;
  const due = firstDue(order);
  const own = sum.first || awaitsPayment(order.status) || mark.paymentId === order.paymentId;
  return own && sum.amount !== due
    ? `its amount is ${sum.amount} cents, the order’s is ${due}`
    : undefined;
}

/** What Stripe's API says counts first; what the event says is added, for neither is ever taken back. */
function together(says: PaymentState, now: PaymentState): PaymentState {
  const silent = now.status === 'requires_payment_method' && !now.refused;
  return {
    ...(silent ? says : now),
    invoices: [...(says.invoices ?? []), ...(now.invoices ?? [])],
    charges: [...(says.charges ?? []), ...(now.charges ?? [])],
    ended: Boolean(says.ended || now.ended),
    ...('endsAt' in now ? { endsAt: now.endsAt } : {}),
    ...(now.notes ? { notes: now.notes } : {}),
  };
}
