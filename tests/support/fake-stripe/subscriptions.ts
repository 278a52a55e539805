import { emit, endSubscription, expireIncomplete, invoiceFor, settleInvoice } from './billing.ts';
import { invalid, missing, noSuch, notModelled } from './errors.ts';
import { type Price, planOf } from './objects-catalogue.ts';
import {
  makeItem,
  makeSubscription,
  periodEnd,
  type Subscription,
  type SubscriptionItem,
} from './objects-subscription.ts';
import { list, maybe, need, object, oneOf, type Parsed, text } from './schema.ts';
import {
  applyCommon,
  changedItem,
  checkPrices,
  checkTax,
  commonFields,
  keepPrices,
  newItem,
  priceFor,
} from './subscription-params.ts';
import { patchMetadata, refer, retrieve, save, type World } from './world.ts';

export const createFields = { ...commonFields, customer: need(text()), items: need(list(newItem)) };

export const cancellation = object({
  comment: maybe(text()),
  feedback: maybe(
    oneOf(
      'customer_service',
      'low_quality',
      'missing_features',
      'other',
      'switched_service',
      'too_complex',
      'too_expensive',
      'unused',
    ),
  ),
});

export const updateFields = {
  ...commonFields,
  items: maybe(list(changedItem)),
  cancellation_details: maybe(cancellation),
};

const addItem = (
  world: World,
  subscription: Subscription,
  price: Price,
  given: { quantity?: number; metadata?: Record<string, string> },
): SubscriptionItem => {
  const [sibling] = subscription.items.data;
  const start = sibling?.current_period_start ?? subscription.billing_cycle_anchor;
  const end =
    sibling?.current_period_end ?? periodEnd(subscription.billing_cycle_anchor, price.recurring, 1);
  return makeItem(world, {
    subscription: subscription.id,
    price,
    quantity: given.quantity ?? 1,
    metadata: patchMetadata({}, given.metadata),
    start,
    end,
  });
};

const setItems = (subscription: Subscription, items: SubscriptionItem[]): void => {
  subscription.items.data = items;
  subscription.items.total_count = items.length;
};

export const create = (world: World, params: Parsed<typeof createFields>): Subscription => {
  const customer = refer(world, 'customer', params.customer, 'customer');
  if (params.default_payment_method !== undefined)
    throw notModelled('default_payment_method at creation', 'default_payment_method');
  if (params.items.length === 0) throw missing('items');
  const prices = params.items.map((item, place) => priceFor(world, item, `items[${place}]`));
  checkPrices(prices);
  const [first] = prices;
  const subscription = makeSubscription(world, {
    customer: customer.id,
    currency: first?.currency ?? 'usd',
  });
  if (params.automatic_tax?.enabled === true) checkTax(world, customer.id, prices);
  applyCommon(subscription, params);
  subscription.metadata = patchMetadata({}, params.metadata);
  subscription.cancel_at_period_end = params.cancel_at_period_end ?? false;
  setItems(
    subscription,
    prices.map((price, place) => addItem(world, subscription, price, params.items[place] ?? {})),
  );
  if (subscription.cancel_at_period_end)
    subscription.cancel_at = subscription.items.data[0]?.current_period_end ?? null;
  const due = subscription.items.data.reduce(
    (sum, item) => sum + Math.round(Number(item.price.unit_amount_decimal) * item.quantity),
    0,
  );
  if (due > 0 && params.payment_behavior !== 'default_incomplete') {
    throw invalid(
      'This customer has no attached payment source or default payment method. Please consider adding a default payment method. For more information, visit https://stripe.com/docs/billing/subscriptions/payment-methods-setting#error.',
      undefined,
      'resource_missing',
    );
  }
  keepPrices(world, prices);
  save(world, 'subscription', subscription);
  const invoice = invoiceFor(world, subscription, 'subscription_create');
  if (invoice.amount_due === 0) subscription.status = 'active';
  emit(world, 'customer.subscription.created', subscription);
  if (invoice.amount_due === 0) settleInvoice(world, invoice, null);
  return subscription;
};

/** Which changes a subscription still takes, by its status. */
const checkChangeable = (subscription: Subscription, params: Parsed<typeof updateFields>): void => {
  const given = Object.keys(params);
  const only = (allowed: string[], message: string): void => {
    const refusedKey = given.find((key) => !allowed.includes(key));
    if (refusedKey !== undefined)
      throw invalid(message, refusedKey, 'invalid_canceled_subscription_fields');
  };
  if (subscription.status === 'canceled' || subscription.status === 'incomplete_expired') {
    only(
      ['metadata', 'cancellation_details'],
      'A canceled subscription can only update its cancellation_details and metadata.',
    );
  }
  if (subscription.status === 'incomplete') {
    only(
      ['metadata', 'default_payment_method'],
      'A subscription with status `incomplete` can only have its metadata and default payment method updated.',
    );
  }
};

const changeItems = (
  world: World,
  subscription: Subscription,
  changes: NonNullable<Parsed<typeof updateFields>['items']>,
): void => {
  const kept = new Map(subscription.items.data.map((item) => [item.id, { ...item }]));
  const added: SubscriptionItem[] = [];
  for (const [place, change] of changes.entries()) {
    const path = `items[${place}]`;
    const priced = change.price !== undefined || change.price_data !== undefined;
    if (change.id === undefined) {
      added.push(addItem(world, subscription, priceFor(world, change, path), change));
      continue;
    }
    const item = kept.get(change.id);
    if (item === undefined) throw noSuch('subscription_item', change.id, `${path}[id]`, 400);
    if (change.deleted === true) kept.delete(item.id);
    item.quantity = change.quantity ?? item.quantity;
    item.metadata = patchMetadata(item.metadata, change.metadata);
    if (priced) {
      item.price = priceFor(world, change, path);
      item.plan = planOf(item.price);
    }
  }
  const items = [...kept.values(), ...added];
  if (items.length === 0)
    throw invalid('A subscription must have at least one active plan.', 'items');
  checkPrices(items.map((item) => item.price));
  keepPrices(
    world,
    items.map((item) => item.price),
  );
  setItems(subscription, items);
};

export const update = (
  world: World,
  params: Parsed<typeof updateFields>,
  id: string,
): Subscription => {
  const subscription = retrieve(world, 'subscription', id);
  checkChangeable(subscription, params);
  if (params.proration_behavior === 'always_invoice')
    throw notModelled('proration_behavior=always_invoice', 'proration_behavior');
  const method = params.default_payment_method;
  if (method !== undefined) refer(world, 'payment_method', method, 'default_payment_method');
  const before = JSON.parse(JSON.stringify(subscription)) as Record<string, unknown>;
  applyCommon(subscription, params);
  if (params.items !== undefined) changeItems(world, subscription, params.items);
  subscription.metadata = patchMetadata(subscription.metadata, params.metadata);
  subscription.default_payment_method = method ?? subscription.default_payment_method;
  if (params.cancellation_details !== undefined)
    Object.assign(subscription.cancellation_details, params.cancellation_details);
  if (params.cancel_at_period_end !== undefined) {
    const ending = params.cancel_at_period_end;
    subscription.cancel_at_period_end = ending;
    subscription.cancel_at = ending
      ? (subscription.items.data[0]?.current_period_end ?? null)
      : null;
    subscription.canceled_at = ending ? world.now() : null;
    subscription.cancellation_details.reason = ending ? 'cancellation_requested' : null;
  }
  const after = Object.entries(subscription).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(before[key]),
  );
  const previous = Object.fromEntries(after.map(([key]) => [key, before[key]]));
  if (after.length > 0) emit(world, 'customer.subscription.updated', subscription, previous);
  return subscription;
};

/** As the address `DELETE /v1/subscriptions/:id`: an unpaid first invoice makes it expire instead. */
export const cancel = (
  world: World,
  id: string,
  details: Parsed<{ comment: typeof commonFields.default_payment_method }> = {},
): Subscription => {
  const subscription = retrieve(world, 'subscription', id);
  if (subscription.status === 'canceled' || subscription.status === 'incomplete_expired')
    throw noSuch('subscription', id, 'id');
  Object.assign(subscription.cancellation_details, details);
  if (subscription.status === 'incomplete') expireIncomplete(world, subscription);
  else endSubscription(world, subscription, 'cancellation_requested');
  return subscription;
};
