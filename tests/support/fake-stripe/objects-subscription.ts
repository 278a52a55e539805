import { absent, type Interval, type Price, planOf, type Recurring } from './objects-catalogue.ts';
import { newId, type World } from './world.ts';

export type SubscriptionStatus =
  | 'active'
  | 'canceled'
  | 'incomplete'
  | 'incomplete_expired'
  | 'past_due'
  | 'trialing'
  | 'unpaid';

const addMonths = (date: Date, months: number): Date => {
  const moved = new Date(date);
  moved.setUTCDate(1);
  moved.setUTCMonth(moved.getUTCMonth() + months);
  const lastDay = new Date(
    Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0),
  ).getUTCDate();
  moved.setUTCDate(Math.min(date.getUTCDate(), lastDay));
  return moved;
};

const daysIn: Partial<Record<Interval, number>> = { day: 1, week: 7 };

/** The n-th period end after the anchor: counted from the anchor, so that the 31st comes back after February. */
export const periodEnd = (anchor: number, recurring: Recurring | null, periods: number): number => {
  const interval = recurring?.interval ?? 'month';
  const count = (recurring?.interval_count ?? 1) * periods;
  const days = daysIn[interval];
  if (days !== undefined) return anchor + days * count * 86_400;
  return (
    addMonths(new Date(anchor * 1000), interval === 'year' ? count * 12 : count).getTime() / 1000
  );
};

export const makeItem = (
  world: World,
  input: {
    subscription: string;
    price: Price;
    quantity: number;
    metadata: Record<string, string>;
    start: number;
    end: number;
  },
) => ({
  id: newId('si').slice(0, 17),
  object: 'subscription_item' as const,
  billing_thresholds: null,
  created: world.now(),
  current_period_end: input.end,
  current_period_start: input.start,
  current_trial: null,
  discounts: [],
  metadata: input.metadata,
  plan: planOf(input.price),
  price: input.price,
  quantity: input.quantity,
  subscription: input.subscription,
  tax_rates: [],
});

export type SubscriptionItem = ReturnType<typeof makeItem>;

interface PaymentSettings {
  payment_method_options: object | null;
  payment_method_types: string[] | null;
  save_default_payment_method: 'off' | 'on_subscription' | null;
}

interface CancellationDetails {
  comment: string | null;
  feedback: string | null;
  feedback_option: string | null;
  reason: string | null;
}

export interface List<T> {
  object: 'list';
  data: T[];
  has_more: boolean;
  url: string;
  total_count?: number;
}

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
    automatic_tax: { disabled_reason: null, enabled: false, liability: absent<{ type: 'self' }>() },
    billing_cycle_anchor: world.now(),
    billing_cycle_anchor_config: null,
    billing_mode: { flexible: { proration_discounts: 'included' }, type: 'flexible' },
    billing_schedules: [],
    billing_thresholds: null,
    cancel_at: absent<number>(),
    cancel_at_period_end: false,
    canceled_at: absent<number>(),
    cancellation_details: {
      comment: null,
      feedback: null,
      feedback_option: null,
      reason: null,
    } as CancellationDetails,
    collection_method: 'charge_automatically',
    created: world.now(),
    currency: input.currency,
    customer: input.customer,
    customer_account: absent<string>(),
    days_until_due: null,
    default_payment_method: absent<string>(),
    default_source: null,
    default_tax_rates: [],
    description: absent<string>(),
    discounts: [],
    ended_at: absent<number>(),
    invoice_settings: {
      account_tax_ids: null,
      custom_fields: null,
      description: null,
      footer: null,
      issuer: { type: 'self' },
    },
    items,
    latest_invoice: absent<string>(),
    livemode: false,
    managed_payments: null,
    metadata: {} as Record<string, string>,
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: null,
    payment_settings: {
      payment_method_options: null,
      payment_method_types: null,
      save_default_payment_method: 'off',
    } as PaymentSettings,
    pending_invoice_item_interval: null,
    pending_setup_intent: absent<string>(),
    pending_update: null,
    schedule: null,
    start_date: world.now(),
    status: 'incomplete' as SubscriptionStatus,
    test_clock: null,
    transfer_data: null,
    trial_end: null,
    trial_settings: {
      end_behavior: { billing_cycle_anchor: null, missing_payment_method: 'create_invoice' },
    },
    trial_start: null,
  };
};

export type Subscription = ReturnType<typeof makeSubscription>;
