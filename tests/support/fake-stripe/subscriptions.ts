/** The endpoints that create, update and cancel a subscription. */
import {
  draftInvoice,
  endSubscription,
  expireIncomplete,
  finalizeInvoice,
  settleInvoice,
} from './billing.ts';
import { fullLine, makeItem, makeSubscription, type Subscription } from './billing-objects.ts';
import { methodOf } from './cards.ts';
import { isOver, presentPeriod } from './cycles.ts';
import { invalid, noSuch, notModelled } from './errors.ts';
import { beginPeriod, changeItems, checkTax, type ItemChange, priceAt } from './item-changes.ts';
import type { PriceInput } from './objects.ts';
import { emit, newId, retrieve, retrieveParam, save, type World } from './world.ts';

interface NewSubscription {
  customer: string;
  items: { price_data: PriceInput; quantity?: number | undefined }[];
  automatic_tax?: { enabled: boolean } | undefined;
  metadata?: Record<string, string> | undefined;
}

export const create = (world: World, params: NewSubscription): Subscription => {
  const customer = retrieveParam(world, 'customer', params.customer, 'customer');
  const prices = params.items.map(({ price_data: data }, place) => priceAt(world, data, place));
  const tax = params.automatic_tax?.enabled === true;
  if (tax) checkTax(customer);
  const subscription = makeSubscription(world, customer.id);
  subscription.automatic_tax.enabled = tax;
  subscription.metadata = params.metadata ?? {};
  const items = prices.map((price, place) =>
    makeItem(subscription, price, params.items[place]?.quantity ?? 1),
  );
  subscription.items.data = items;
  save(world, 'subscription', subscription);
  for (const item of items) beginPeriod(item);
  const draft = draftInvoice(world, subscription, {
    reason: 'subscription_create',
    sources: items.map((item) => fullLine(item, presentPeriod(subscription))),
    period: { start: world.now(), end: world.now() },
  });
  const invoice = finalizeInvoice(world, draft);
  if (invoice.amount_due === 0) settleInvoice(world, invoice, null);
  return subscription;
};

interface SubscriptionChange {
  cancel_at?: '' | undefined;
  cancel_at_period_end?: boolean | undefined;
  default_payment_method?: string | undefined;
  items?: ItemChange[] | undefined;
  /** Merged into the existing metadata. */
  metadata?: Record<string, string> | undefined;
  proration_behavior?: 'create_prorations' | undefined;
  proration_date?: number | undefined;
}

const checkChangeable = (subscription: Subscription, param?: string): void => {
  const { id, status } = subscription;
  if (isOver(subscription) || status === 'incomplete') {
    const words = `The subscription ${id} is ${status} and cannot be changed.`;
    throw invalid(words, param, 'invalid_canceled_subscription_fields');
  }
};

/** `POST /v1/subscriptions/:id` */
export const update = (world: World, id: string, params: SubscriptionChange): Subscription => {
  const subscription = retrieve(world, 'subscription', id);
  const { items, proration_date: date, cancel_at_period_end: ending, cancel_at } = params;
  checkChangeable(subscription, Object.keys(params)[0]);
  if (items === undefined && date !== undefined)
    throw notModelled('A proration date without items', 'proration_date');
  if (cancel_at !== undefined && ending !== undefined)
    throw invalid('You may only specify one of cancel_at and cancel_at_period_end.', 'cancel_at');
  const { default_payment_method: wanted } = params;
  const method = wanted && methodOf(world, wanted, subscription.customer, 'default_payment_method');
  const before = JSON.stringify(subscription);
  if (items !== undefined) changeNow(world, subscription, items, date ?? world.now());
  if (method) subscription.default_payment_method = method.id;
  Object.assign(subscription.metadata, params.metadata);
  if (cancel_at === '' && subscription.cancel_at !== null) endWithPeriod(subscription, false);
  // A `cancel_at` that was set on its own stays.
  if (ending !== undefined && ending !== subscription.cancel_at_period_end)
    endWithPeriod(subscription, ending);
  if (JSON.stringify(subscription) !== before)
    emit(world, 'customer.subscription.updated', subscription);
  return subscription;
};

const changeNow = (
  world: World,
  subscription: Subscription,
  changes: readonly ItemChange[],
  date: number,
): void => {
  const { items, prorations, commit } = changeItems(world, subscription, changes, date);
  commit();
  for (const proration of prorations)
    save(world, 'invoiceitem', { ...proration, id: newId('ii'), subscription: subscription.id });
  subscription.items.data = items;
};

const endWithPeriod = (subscription: Subscription, ending: boolean): void => {
  subscription.cancel_at_period_end = ending;
  subscription.cancel_at = ending ? presentPeriod(subscription).end : null;
};

/** `DELETE /v1/subscriptions/:id`: an unpaid subscription expires instead. */
export const cancel = (world: World, id: string): Subscription => {
  const subscription = retrieve(world, 'subscription', id);
  if (isOver(subscription)) throw noSuch('subscription', id, 'id');
  if (subscription.status === 'incomplete') expireIncomplete(world, subscription);
  else endSubscription(world, subscription);
  return subscription;
};
