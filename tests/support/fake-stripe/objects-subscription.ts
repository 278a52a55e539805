import type { List } from './listing.ts';
import { absent, type Price, planOf } from './objects-catalogue.ts';
import { newId, type World } from './world.ts';

export type SubscriptionStatus =
  | 'active'
  | 'canceled'
  | 'incomplete'
  | 'incomplete_expired'
  | 'past_due'
  | 'unpaid';

/** The n-th period end after the anchor: counted from the anchor, so that the 31st comes back after February. */
export const periodEnd = (
  anchor: number,
  { interval, interval_count }: Price['recurring'],
  periods: number,
): number => {
  const months = (interval === 'year' ? 12 : 1) * interval_count * periods;
  const date = new Date(anchor * 1000);
  const day = date.getUTCDate();
  date.setUTCMonth(date.getUTCMonth() + months, 1);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, lastDay));
  return date.getTime() / 1000;
};

export const makeItem = (
  world: World,
  subscription: { id: string; billing_cycle_anchor: number },
  price: Price,
  quantity: number,
) => ({
  id: newId('si').slice(0, 17),
  object: 'subscription_item' as const,
  billing_thresholds: null,
  created: world.now(),
  current_period_end: periodEnd(subscription.billing_cycle_anchor, price.recurring, 1),
  current_period_start: subscription.billing_cycle_anchor,
  current_trial: null,
  discounts: [],
  metadata: {},
  plan: planOf(price),
  price,
  quantity,
  subscription: subscription.id,
  tax_rates: [],
});

export type SubscriptionItem = ReturnType<typeof makeItem>;

export const makeSubscription = (world: World, input: { customer: string; currency: string }) => {
  const id = newId('sub');
  const items: List<SubscriptionItem> = {
    object: 'list',
    data: [],
    has_more: false,
    total_count: 0,
    url: `/v1/subscription_items?subscription=${id}`,
  };
  return {
    id,
    object: 'subscription' as const,
    application: null,
    application_fee_percent: null,
    automatic_tax: { enabled: false },
    billing_cycle_anchor: world.now(),
    billing_cycle_anchor_config: null,
    billing_mode: { type: 'flexible' },
    billing_schedules: [],
    billing_thresholds: null,
    cancel_at: absent<number>(),
    cancel_at_period_end: false,
    canceled_at: absent<number>(),
    cancellation_details: { reason: absent<string>() },
    collection_method: 'charge_automatically',
    created: world.now(),
    currency: input.currency,
    customer: input.customer,
    customer_account: null,
    days_until_due: null,
    default_payment_method: absent<string>(),
    default_source: null,
    description: null,
    discounts: [],
    ended_at: absent<number>(),
    invoice_settings: { issuer: { type: 'self' } },
    items,
    latest_invoice: absent<string>(),
    livemode: false,
    managed_payments: null,
    metadata: {} as Record<string, string>,
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: null,
    payment_settings: { save_default_payment_method: 'off' as 'off' | 'on_subscription' },
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    start_date: world.now(),
    status: 'incomplete' as SubscriptionStatus,
    test_clock: absent<string>(),
    transfer_data: null,
    trial_end: null,
    trial_settings: null,
    trial_start: null,
  };
};

export type Subscription = ReturnType<typeof makeSubscription>;
