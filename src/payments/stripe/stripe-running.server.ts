/** A running subscription at Stripe as its customer sees it: changed, resumed, another card. */
import type Stripe from 'stripe';
import type { Order } from '../../billing/billed-order.server.ts';
import type {
  PricesToCome,
  RunningSubscription,
  Subscriptions,
} from '../../billing/gateway.server.ts';
import type { Refused } from '../../billing/outcome.server.ts';
import { cents } from '../../platform/money.ts';
import { finishCard, methodCharged, startCard, WITH_CUSTOMER } from './stripe-card.server.ts';
import { callStripe } from './stripe-client.server.ts';
import { changeEnd, hasEnded } from './stripe-end.server.ts';
import { previewNextInvoice, taxOnTop } from './stripe-invoices.server.ts';
import { itemsAtPrices, paidMonth } from './stripe-items.server.ts';
import { changePlan, previewChange } from './stripe-plan-change.server.ts';
import { isPaused } from './stripe-state.server.ts';

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
