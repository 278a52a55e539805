/** A running subscription at Stripe as its customer sees it: changed, resumed, another card. */

import type Stripe from 'stripe';
import type { Order } from '../../billing/billed-order.server.ts';
import type {
  ChangePreview,
  PricesToCome,
  RunningSubscription,
  SubscriptionChange,
  Subscriptions,
} from '../../billing/gateway.server.ts';
import type { Outcome, Refused } from '../../billing/outcome.server.ts';
import { payingWords } from '../../billing/subscription.ts';
import { isAtPrices, type PriceLine, repriced } from '../../catalogue/pricing.ts';
import { cents, totalOf } from '../../platform/money.ts';
import { finishCard, methodCharged, startCard, WITH_CUSTOMER } from './stripe-card.server.ts';
import {
  CURRENCY,
  callStripe,
  makeOnce,
  NOT_PRORATED,
  previewItems,
  updateSubscription,
} from './stripe-client.server.ts';
import { changeEnd, hasEnded } from './stripe-end.server.ts';
import { monthSum, previewNextInvoice, taxOnTop } from './stripe-invoices.server.ts';
import {
  billedEvery,
  ensureProducts,
  itemChanges,
  itemsAtPrices,
  paidMonth,
  type SubscriptionLine,
  subscriptionLines,
} from './stripe-items.server.ts';
import { CHANGE_PRESS, isPaused } from './stripe-state.server.ts';

const NOT_RUNNING = { refused: 'This plan isn’t running.' };
const ENDED = { refused: 'This plan has ended.' };

export function stripeSubscriptions(stripe: Stripe): Subscriptions {
  /** Acts on the running subscription, or refuses when there is none. */
  const withRunning = <const Done>(
    during: string,
    order: Order,
    act: (running: Stripe.Subscription) => Promise<Done>,
  ) =>
    callStripe(during, async () => {
      const subscription = await retrievePaid(stripe, order);
      if ('refused' in subscription) return subscription;
      return hasEnded(subscription) ? ENDED : act(subscription);
    });

  return {
    getSubscription: (order, toCome) =>
      callStripe('getSubscription', () => getSubscription(stripe, order, toCome)),
    preview: (order, change) =>
      withRunning('preview', order, (running) => previewChange(stripe, running, order, change)),
    change: (order, change, pressId) =>
      withRunning('change', order, (running) =>
        changePlan(stripe, running, order, change, pressId),
      ),
    resume: (order, pressId) =>
      withRunning('resume', order, async ({ id, cancel_at, cancel_at_period_end }) => {
        // Stripe's customer portal sets `cancel_at` rather than `cancel_at_period_end`.
        if (cancel_at_period_end)
          await changeEnd(stripe, id, { cancel_at_period_end: false }, pressId);
        else if (cancel_at) await changeEnd(stripe, id, { cancel_at: '' }, pressId);
        return 'done';
      }),
    startCard: (order) =>
      withRunning('start-card', order, (running) => startCard(stripe, running, order)),
    finishCard: (order, secret) =>
      withRunning('finish-card', order, (running) => finishCard(stripe, running, order, secret)),
  };
}

/** Returns the order's subscription unless its first invoice is unpaid. It may have ended. */
async function retrievePaid(
  stripe: Stripe,
  { subscription: { subscriptionId } }: Order,
  expand: string[] = [],
): Promise<Stripe.Subscription | Refused> {
  const running =
    subscriptionId && (await stripe.subscriptions.retrieve(subscriptionId, { expand }));
  return running && running.status !== 'incomplete' ? running : NOT_RUNNING;
}

async function getSubscription(
  stripe: Stripe,
  order: Order,
  toCome?: PricesToCome,
): Promise<RunningSubscription | Refused> {
  const subscription = await retrievePaid(stripe, order, WITH_CUSTOMER);
  if ('refused' in subscription) return subscription;
  const nothingDue = hasEnded(subscription) || isPaused(subscription);
  const items = itemsToCome(order, subscription, toCome);
  const next = nothingDue ? undefined : await previewNextInvoice(stripe, subscription.id, items);
  return {
    periodEnd: paidMonth(subscription).end,
    next: next ? { total: cents(next.amount_due), tax: taxOnTop(next.total_taxes) } : null,
    card: methodCharged(subscription),
  };
}

/** What to change for the next invoice at the prices that will hold then. */
function itemsToCome(order: Order, running: Stripe.Subscription, toCome: PricesToCome | undefined) {
  const { cancel_at, items } = running;
  const endsFirst =
    cancel_at !== null && items.data.some((item) => cancel_at <= item.current_period_end);
  return !toCome || endsFirst || paidMonth(running).end < toCome.at
    ? undefined
    : itemsAtPrices(order, running, toCome.prices);
}

/** Why a change was refused, as the customer reads it. */
const REFUSALS = {
  paused: 'Billing for your plan is paused. Please contact us to change it.',
  renewed: 'Your plan renewed in the meantime. Please review the change again.',
  changed: 'Your plan changed in the meantime. Please review the change again.',
  individual: 'Our team set up your plan for you. Please contact us to change it.',
};

async function previewChange(
  stripe: Stripe,
  running: Stripe.Subscription,
  order: Order,
  change: SubscriptionChange,
): Promise<ChangePreview | Refused> {
  const planned = await planChange(stripe, running, order, change);
  if ('refused' in planned) return planned;
  const { items, current } = planned;
  const { toCome } = change;
  const others = current.filter(({ kind }) => kind === 'other');
  const subscription = running.id;
  const prices = toCome && paidMonth(running).end >= toCome.at ? toCome.prices : [];
  const wanted = { ...order, ...change.sold };
  const atPrices = itemChanges(wanted, current, repriced(change.lines, prices));
  const [before, next, month] = await Promise.all([
    previewItems(stripe, subscription, [], NOT_PRORATED),
    previewItems(stripe, subscription, items, prorationAt(change.at)),
    previewItems(stripe, subscription, atPrices, NOT_PRORATED),
  ]);
  const charged = isAtPrices(change.lines, prices)
    ? next
    : await previewAtPrices(stripe, subscription, change.at, { next, items: atPrices });
  const more = totalOf(change.lines) + totalOf(others) - totalOf(current);
  return {
    monthly: monthSum(month),
    // From the totals: a preview carries ten lines, earlier changes' prorations among them.
    difference: cents(next.subtotal - before.subtotal - more),
    next: {
      at: next.period_end * 1000,
      total: cents(charged.amount_due),
      tax: taxOnTop(charged.total_taxes),
    },
  };
}

/** The next invoice after a change that comes with other prices, which the month is charged at. */
function previewAtPrices(
  stripe: Stripe,
  subscription: string,
  at: number,
  { next, items }: { next: Stripe.Invoice; items: Stripe.SubscriptionUpdateParams.Item[] },
): Promise<Stripe.Invoice> {
  const prorations = next.lines.data
    .filter(
      ({ parent, period }) =>
        parent?.subscription_item_details?.proration && period.start === at / 1000,
    )
    .map(({ amount }) => ({
      amount,
      currency: CURRENCY,
      tax_behavior: 'exclusive' as const,
      discountable: false,
    }));
  return previewItems(stripe, subscription, items, NOT_PRORATED, prorations);
}

async function changePlan(
  stripe: Stripe,
  running: Stripe.Subscription,
  order: Order,
  change: SubscriptionChange,
  pressId = 0,
): Promise<Outcome> {
  const { at, lines, confirmedAt = at } = change;
  const metadata = { [CHANGED_AT]: String(confirmedAt), [CHANGE_PRESS]: String(pressId) };
  // The same change sent twice at once must not add an item twice.
  const key = `change-${at}-${totalOf(lines)}-${order.version}`;
  return makeOnce(order, key, async (options, attempt): Promise<Outcome> => {
    // What failed may have been made.
    const now = attempt > 1 ? await stripe.subscriptions.retrieve(running.id) : running;
    const planned = await planChange(stripe, now, order, change);
    if ('refused' in planned) return planned;
    const { items } = planned;
    const changed = { items, ...prorationAt(at), metadata };
    if (items.length > 0) await updateSubscription(stripe, now.id, changed, options);
    return 'done';
  });
}

/** Metadata key: the last change's time. What was used since is paid, so no change goes back. */
const CHANGED_AT = 'changedAt';

interface PlannedChange {
  /** The current monthly lines, before discount and tax. */
  current: readonly SubscriptionLine[];
  /** Empty when an earlier request already made the change and its response was lost. */
  items: Stripe.SubscriptionUpdateParams.Item[];
}

async function planChange(
  stripe: Stripe,
  running: Stripe.Subscription,
  order: Order,
  { lines, sold, at }: SubscriptionChange,
): Promise<PlannedChange | Refused> {
  const current = subscriptionLines(running, order);
  const runs = (kind: PriceLine['kind']) => current?.some((line) => line.kind === kind);
  const hasLicense = order.ms365Option === 'none' || runs('microsoft365');
  if (!current || billedEvery(running) || !runs('plan') || !hasLicense)
    return { refused: REFUSALS.individual };
  const wanted = { ...order, ...sold };
  const items = itemChanges(wanted, current, lines);
  const refused = items.length > 0 && reasonNotToChange(running, order, at);
  if (refused) return { refused };
  await ensureProducts(stripe, wanted, lines);
  return { current, items };
}

/** Shared by preview and change, so that the price shown is the price charged. */
function prorationAt(at: number) {
  return { proration_behavior: 'create_prorations', proration_date: at / 1000 } as const;
}

/** Why the subscription cannot be changed as of `at`, or undefined. */
function reasonNotToChange(
  running: Stripe.Subscription,
  { subscription }: Order,
  at: number,
): string | undefined {
  const { status, metadata } = running;
  if (status === 'past_due' || status === 'unpaid') return payingWords(subscription).unpaid;
  const { start, end } = paidMonth(running);
  if (at < start || at >= end) return REFUSALS.renewed;
  if (isPaused(running)) return REFUSALS.paused;
  // The preview did not include a change that came after it.
  return Number(metadata[CHANGED_AT]) > at ? REFUSALS.changed : undefined;
}
