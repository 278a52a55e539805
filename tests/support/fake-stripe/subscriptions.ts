/** The endpoints that create, update and cancel a subscription. */
import { bill, endSubscription, expireIncomplete, settleInvoice } from './billing.ts';
import {
  fullLines,
  makeItem,
  makeSchedule,
  makeSubscription,
  monthsAfter,
  type Schedule,
  type Subscription,
} from './billing-objects.ts';
import { methodOf } from './cards.ts';
import { billPending, collect, isOver, presentPeriod } from './cycles.ts';
import { invalid, noSuch } from './errors.ts';
import { beginPeriod, changeItems, checkTax, type Prorating } from './item-changes.ts';
import { makeSetupIntent } from './objects.ts';
import type { ItemChange, OnceItem, PriceInput } from './schema.ts';
import { newId, retrieve, save, type World } from './world.ts';

interface NewSubscription {
  customer: string;
  items: { price_data: PriceInput; quantity: number }[];
  /** Charged with the first invoice alone. */
  add_invoice_items?: OnceItem[] | undefined;
  /** In the future: the first month is charged then. */
  trial_end?: number | undefined;
  automatic_tax?: { enabled: boolean };
  collection_method?: 'send_invoice';
  days_until_due?: number;
  invoice_settings?: { custom_fields: { name: string; value: string }[] };
  metadata: Record<string, string>;
}

export const create = (world: World, params: NewSubscription): Subscription => {
  const customer = retrieve(world.customer, params.customer);
  // An inline price needs an existing product.
  for (const { price_data: price } of params.items) retrieve(world.product, price.product);
  const tax = params.automatic_tax?.enabled === true;
  if (tax) checkTax(customer);
  const { trial_end: trialEnd = null, add_invoice_items: once = [] } = params;
  if (trialEnd !== null && trialEnd <= world.now())
    throw invalid('Invalid trial_end: it must be in the future.');
  const period = { start: world.now(), end: trialEnd ?? monthsAfter(world.now(), 1) };
  const subscription = makeSubscription(trialEnd ?? period.start, customer.id);
  subscription.trial_end = trialEnd;
  if (trialEnd !== null && world.uncertain) subscription.status = 'trialing';
  subscription.automatic_tax.enabled = tax;
  subscription.metadata = params.metadata;
  if (params.collection_method) {
    if (!customer.email || !params.days_until_due)
      throw invalid('An invoice is sent to an email address, and has a due date.');
    // Whatever becomes of its first invoice.
    subscription.status = trialEnd === null ? 'active' : 'trialing';
    subscription.collection_method = params.collection_method;
    subscription.days_until_due = params.days_until_due;
    subscription.invoice_settings.custom_fields = params.invoice_settings?.custom_fields ?? null;
  }
  const items = params.items.map((item) => makeItem(item.price_data, item.quantity, period));
  subscription.items.data = items;
  save(world.subscription, subscription);
  if (trialEnd === null) for (const item of items) beginPeriod(item);
  const month = items.flatMap((item) => fullLines(item, period));
  const others = once.map(({ price_data: { product, unit_amount: amount } }) => {
    const { name: description } = retrieve(world.product, product);
    return { amount, description, quantity: 1, period, proration: false };
  });
  const invoice = bill(world, subscription, {
    reason: 'subscription_create',
    sources: [
      ...month.map((line) => (trialEnd === null ? line : { ...line, amount: 0 })),
      ...others,
    ],
    periodEnd: period.start,
  });
  if (invoice.amount_due === 0) settleInvoice(world, invoice, null);
  if (trialEnd !== null && invoice.amount_due === 0 && !params.collection_method)
    subscription.pending_setup_intent = save(world.setup_intent, makeSetupIntent(customer.id)).id;
  return subscription;
};

interface SubscriptionChange {
  cancel_at?: '';
  cancel_at_period_end?: boolean;
  default_payment_method?: string;
  invoice_settings?: { custom_fields: '' | { name: string; value: string }[] };
  items?: ItemChange[];
  /** Merged into the existing metadata. */
  metadata?: Record<string, string>;
  automatic_tax?: { enabled: boolean };
  proration_behavior?: Prorating;
  proration_date?: number;
}

/** `POST /v1/subscriptions/:id` */
export const update = (world: World, id: string, params: SubscriptionChange): Subscription => {
  const subscription = retrieve(world.subscription, id);
  const { items, proration_date: date, cancel_at_period_end: ending, cancel_at } = params;
  if (isOver(subscription) || subscription.status === 'incomplete')
    throw invalid(`The subscription ${id} is ${subscription.status} and cannot be changed.`);
  if (subscription.schedule && (cancel_at !== undefined || ending !== undefined))
    throw invalid(
      `The subscription is managed by the subscription schedule \`${subscription.schedule}\`, and updating any cancelation behavior directly is not allowed. Please update the schedule instead.`,
    );
  if (cancel_at !== undefined && ending !== undefined)
    throw invalid('You may only specify one of cancel_at and cancel_at_period_end.');
  const { default_payment_method: card } = params;
  if (card) methodOf(world, card, subscription.customer);
  const before = JSON.stringify(subscription);
  const { enabled } = params.automatic_tax ?? subscription.automatic_tax;
  if (enabled && (items !== undefined || card))
    checkTax(retrieve(world.customer, subscription.customer));
  if (params.automatic_tax) subscription.automatic_tax = { enabled, disabled_reason: null };
  if (items !== undefined)
    changeNow(world, subscription, items, date ?? world.now(), params.proration_behavior);
  subscription.default_payment_method = card ?? subscription.default_payment_method;
  Object.assign(subscription.metadata, params.metadata);
  if (params.invoice_settings)
    subscription.invoice_settings.custom_fields = params.invoice_settings.custom_fields || null;
  if (cancel_at === '' && subscription.cancel_at !== null) endWithPeriod(subscription, false);
  // A `cancel_at` that was set on its own stays.
  if (ending !== undefined && ending !== subscription.cancel_at_period_end)
    endWithPeriod(subscription, ending);
  if (JSON.stringify(subscription) !== before)
    world.emit('customer.subscription.updated', subscription);
  return subscription;
};

const changeNow = (
  world: World,
  subscription: Subscription,
  changes: readonly ItemChange[],
  date: number,
  prorating?: Prorating,
): void => {
  const { items, prorations } = changeItems(world, subscription, changes, date, prorating);
  for (const proration of prorations)
    save(world.invoiceitem, { ...proration, id: newId('ii'), subscription: subscription.id });
  subscription.items.data = items;
};

const endWithPeriod = (subscription: Subscription, ending: boolean): void => {
  subscription.cancel_at_period_end = ending;
  subscription.cancel_at = ending ? presentPeriod(subscription).end : null;
};

/** Staff schedule a change in the dashboard: the schedule owns the subscription from then on. */
export const scheduleChange = (world: World, id: string): Schedule => {
  const schedule = save(world.subscription_schedule, makeSchedule(id));
  retrieve(world.subscription, id).schedule = schedule.id;
  return schedule;
};

/** `POST /v1/subscription_schedules/:id/release`: the subscription stays as it is. */
export const release = (world: World, id: string): Schedule => {
  const schedule = retrieve(world.subscription_schedule, id);
  if (schedule.status !== 'active' || !schedule.subscription)
    throw invalid(`The subscription schedule ${id} is ${schedule.status}.`);
  retrieve(world.subscription, schedule.subscription).schedule = null;
  schedule.status = 'released';
  schedule.subscription = null;
  return schedule;
};

/** `DELETE /v1/subscriptions/:id`: an unpaid subscription expires instead. */
export const cancel = (
  world: World,
  id: string,
  {
    comment,
    invoiceNow = false,
  }: { comment?: string | undefined; invoiceNow?: boolean | undefined },
): Subscription => {
  const subscription = retrieve(world.subscription, id);
  if (isOver(subscription)) throw noSuch('subscription', id);
  subscription.cancellation_details = { comment: comment ?? null };
  const last = invoiceNow && billPending(world, subscription);
  if (subscription.status === 'incomplete') expireIncomplete(world, subscription);
  else endSubscription(world, subscription);
  // One that is sent is a draft for an hour.
  if (last && subscription.collection_method === 'charge_automatically') collect(world, last);
  return subscription;
};
