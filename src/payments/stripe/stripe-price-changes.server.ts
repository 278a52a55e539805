/**
 * Gives Stripe the new prices that customers were given notice of. Stripe's items have no prices to
 * come, and a change of seats is prorated at their present price: so each swap is made in the last
 * hours before the renewal that is the first at the new price.
 */
import { setTimeout } from 'node:timers/promises';
import type Stripe from 'stripe';
import type { NotDone, Outcome } from '../../billing/gateway.server.ts';
import type { PriceLine } from '../../catalogue/pricing.ts';
import type { OrderContext } from '../../orders/follow-payment.server.ts';
import { bySite } from '../../orders/order-event.server.ts';
import { insertEvent } from '../../orders/order-event-store.server.ts';
import { alertStaff } from '../../orders/order-mails.server.ts';
import { getOrder, lockOrder, type Order } from '../../orders/order-store.server.ts';
import {
  findPriceChangesToSetUp,
  type PriceChange,
  pricesOf,
  repriced,
  updatePriceChange,
} from '../../orders/price-change-store.server.ts';
import { Interval, logFailure } from '../../platform/interval.server.ts';
import { callStripe, makeOnce } from './stripe-client.server.ts';
import { billedMonth, previewNextInvoice } from './stripe-invoices.server.ts';
import { itemsAtPrices, subscriptionLines } from './stripe-subscription.server.ts';

interface PriceChangeContext extends Pick<OrderContext, 'db' | 'gateway' | 'notify'> {
  stripe: Stripe;
}

const EVERY_MS = 5 * 60 * 1000;
/** Stripe gets at most ten calls a second, however fast it answers. */
const CALL_EVERY_MS = 100;
/** How many subscriptions are changed at once, so that slow answers do not slow all down. */
const AT_ONCE = 3;
/** After this many failures in a row Stripe counts as away until the next run. */
const MAX_FAILURES = 3;

export function stripePriceChanges(context: PriceChangeContext): Interval {
  return new Interval('stripe-price-change-failed', EVERY_MS, (isStopped) =>
    setUpPriceChanges(context, isStopped),
  );
}

export async function setUpPriceChanges(
  context: PriceChangeContext,
  isStopped: () => boolean,
  everyMs = CALL_EVERY_MS,
): Promise<void> {
  const { db, gateway } = context;
  const waiting = await findPriceChangesToSetUp(db, gateway, Date.now());
  const pace = pacer(everyMs);
  let failures = 0;
  async function work(): Promise<void> {
    for (;;) {
      const next = isStopped() || failures >= MAX_FAILURES ? undefined : waiting.shift();
      if (!next) return;
      const { id, orderId } = next;
      const outcome = await logFailure('stripe-price-change-failed', { orderId }, () =>
        setUp(context, id, pace),
      );
      failures = outcome === 'unavailable' ? failures + 1 : 0;
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/** Resolves for one caller after another, so many milliseconds apart. */
function pacer(everyMs: number): () => Promise<void> {
  let last = Number.NEGATIVE_INFINITY;
  return async () => {
    const now = performance.now();
    last = Math.max(now, last + everyMs);
    await setTimeout(last - now, undefined, { ref: false });
  };
}

/** Each step can be repeated: the process may die after any of them. */
async function setUp(
  context: PriceChangeContext,
  id: number,
  pace: () => Promise<void>,
): Promise<Outcome> {
  const { db, stripe, gateway } = context;
  // Another instance may have been here, and staff may have taken the change back since.
  const [found] = await findPriceChangesToSetUp(db, gateway, Date.now(), id);
  if (!found) return 'done';
  const order = await getOrder(db, { id: found.orderId });
  const outcome = await callStripe(
    'price-change',
    () => swapPrices(stripe, order, found, pace),
    ({ message }) => message,
  );
  if (outcome === 'unavailable') return outcome;
  const isNew = found.state === 'announced';
  const which = isNew ? 'new' : 'old';
  if (outcome !== 'done') {
    const alert = { kind: 'price-not-set-up', which, reason: outcome.refused } as const;
    await alertStaff(context, order.id, alert);
    return outcome;
  }
  await db.transaction().execute(async (trx) => {
    await lockOrder(trx, order.id);
    await updatePriceChange(trx, found, { setUpAt: isNew ? Date.now() : null });
    const event = { kind: 'price-set-up', which, effectiveAt: found.effectiveAt } as const;
    await insertEvent(trx, order.id, event, bySite());
  });
  return outcome;
}

/** 'done' once Stripe's next invoice shows the prices. */
async function swapPrices(
  stripe: Stripe,
  order: Order,
  change: PriceChange,
  pace: () => Promise<void>,
): Promise<'done' | Exclude<NotDone, 'unavailable'>> {
  const { from, to } = pricesOf(change);
  const prices = change.state === 'announced' ? to : from;
  await pace();
  let running = await stripe.subscriptions.retrieve(order.subscription.subscriptionId ?? '');
  const items = itemsAtPrices(order, running, prices);
  if (!items) return { refused: 'it has prices that are not whole cents' };
  if (items.length > 0) {
    const quantities = items.map(({ quantity }) => quantity).join('-');
    const key = `prices-${change.id}-${change.state}-${quantities}-${order.version}`;
    running = await makeOnce(order, key, async (options) => {
      await pace();
      return stripe.subscriptions.update(
        running.id,
        { items, proration_behavior: 'none' },
        options,
      );
    });
  }
  await pace();
  const next = await previewNextInvoice(stripe, running.id);
  // A subscription that ends first is never charged them.
  if (!next) return 'done';
  const wanted = repriced(subscriptionLines(running, order) ?? [], prices);
  const shown = billedMonth(order, next).lines ?? [];
  // A preview has ten lines; prorations of earlier changes come first.
  const agrees = wanted.every((line) => isAmong(shown, line) || next.lines.has_more);
  return agrees ? 'done' : { refused: 'its next invoice does not show the price' };
}

function isAmong(lines: readonly PriceLine[], { kind, unitPrice, quantity }: PriceLine): boolean {
  return lines.some(
    (line) => line.kind === kind && line.unitPrice === unitPrice && line.quantity === quantity,
  );
}
