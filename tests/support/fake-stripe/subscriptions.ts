import { emit, endSubscription, expireIncomplete, invoiceFor, settleInvoice } from './billing.ts';
import { invalid, noSuch, notModelled } from './errors.ts';
import type { Customer, Price } from './objects-catalogue.ts';
import type { Invoice } from './objects-invoice.ts';
import {
  makeItem,
  makeSubscription,
  periodEnd,
  type Subscription,
} from './objects-subscription.ts';
import { attemptInvoice } from './payments.ts';
import { refer, retrieve, save, type World } from './world.ts';

export interface NewSubscription {
  customer: string;
  items: { price: string; quantity?: number | undefined }[];
  payment_behavior?: string | undefined;
  automatic_tax?: { enabled: boolean } | undefined;
  payment_settings?: { save_default_payment_method: 'off' | 'on_subscription' } | undefined;
  metadata?: Record<string, string> | undefined;
}

const maxItems = 20;

const priceAt = (world: World, id: string, place: number): Price => {
  const path = `items[${place}][price]`;
  const price = refer(world, 'price', id, path);
  if (price.active) return price;
  throw invalid('The price specified is inactive. This field only accepts active prices.', path);
};

const checkPrices = (prices: readonly Price[]): void => {
  const [first] = prices;
  if (prices.length > maxItems)
    throw invalid(`Subscriptions can have at most ${maxItems} items.`, 'items');
  for (const [place, price] of prices.entries()) {
    if (prices.indexOf(price) !== place) {
      throw invalid(
        `Cannot add multiple subscription items with the same plan: ${price.id}`,
        'items',
      );
    }
    if (price.currency !== first?.currency) {
      throw invalid(
        `The price specified only supports \`${price.currency}\`. This doesn't match the expected currency: \`${first?.currency}\`.`,
        'items',
      );
    }
    const { interval, interval_count: count } = price.recurring;
    if (interval !== first.recurring.interval || count !== first.recurring.interval_count)
      throw notModelled('A subscription whose items have different intervals', 'items');
  }
};

/** Automatic tax needs a place to tax, and prices that say whether tax is in them. */
const checkTax = ({ address }: Customer, prices: readonly Price[]): void => {
  const code = address?.postal_code ?? '00000';
  if (!address?.country || (address.country === 'US' && code === '00000')) {
    throw invalid(
      "The customer's location isn't recognized. Set a valid customer address in order to automatically calculate tax.",
      'automatic_tax',
      'customer_tax_location_invalid',
    );
  }
  const vague = prices.find((price) => price.tax_behavior === 'unspecified');
  if (vague !== undefined) {
    throw invalid(
      `The price ${vague.id} does not have a \`tax_behavior\`, which is required for automatic tax computation.`,
      'automatic_tax',
    );
  }
  if (prices.some((price) => price.tax_behavior === 'inclusive'))
    throw notModelled('Automatic tax of a price with the tax in it', 'automatic_tax');
};

export const create = (world: World, params: NewSubscription): Subscription => {
  const customer = refer(world, 'customer', params.customer, 'customer');
  const prices = params.items.map(({ price }, place) => priceAt(world, price, place));
  checkPrices(prices);
  const tax = params.automatic_tax?.enabled === true;
  if (tax) checkTax(customer, prices);
  const currency = prices[0]?.currency ?? '';
  const subscription = makeSubscription(world, { customer: customer.id, currency });
  subscription.automatic_tax.enabled = tax;
  Object.assign(subscription.payment_settings, params.payment_settings);
  subscription.metadata = params.metadata ?? {};
  const items = prices.map((price, place) =>
    makeItem(world, subscription, price, params.items[place]?.quantity ?? 1),
  );
  Object.assign(subscription.items, { data: items, total_count: items.length });
  const due = items.some(({ price, quantity }) => price.unit_amount * quantity > 0);
  if (due && params.payment_behavior !== 'default_incomplete') {
    throw invalid(
      'This customer has no attached payment source or default payment method. Please consider adding a default payment method. For more information, visit https://stripe.com/docs/billing/subscriptions/payment-methods-setting#error.',
      undefined,
      'resource_missing',
    );
  }
  save(world, 'subscription', subscription);
  const invoice = invoiceFor(world, subscription, 'subscription_create');
  if (invoice.amount_due === 0) subscription.status = 'active';
  emit(world, 'customer.subscription.created', subscription);
  if (invoice.amount_due === 0) settleInvoice(world, invoice, null);
  return subscription;
};

const isOver = ({ status }: Subscription): boolean =>
  status === 'canceled' || status === 'incomplete_expired';

/** To end with the period that has been paid, or no longer. */
export const endWithPeriod = (world: World, id: string, ending: boolean): Subscription => {
  const subscription = retrieve(world, 'subscription', id);
  if (isOver(subscription) || subscription.status === 'incomplete') {
    throw invalid(
      isOver(subscription)
        ? 'A canceled subscription can only update its cancellation_details and metadata.'
        : 'A subscription with status `incomplete` can only have its metadata and default payment method updated.',
      'cancel_at_period_end',
      'invalid_canceled_subscription_fields',
    );
  }
  if (subscription.cancel_at_period_end === ending) return subscription;
  const [item] = subscription.items.data;
  subscription.cancel_at_period_end = ending;
  subscription.cancel_at = ending ? (item?.current_period_end ?? null) : null;
  subscription.canceled_at = ending ? world.now() : null;
  subscription.cancellation_details.reason = ending ? 'cancellation_requested' : null;
  emit(world, 'customer.subscription.updated', subscription);
  return subscription;
};

/** As the address `DELETE /v1/subscriptions/:id`: an unpaid first invoice makes it expire instead. */
export const cancel = (world: World, id: string): Subscription => {
  const subscription = retrieve(world, 'subscription', id);
  if (isOver(subscription)) throw noSuch('subscription', id, 'id');
  if (subscription.status === 'incomplete') expireIncomplete(world, subscription);
  else endSubscription(world, subscription);
  return subscription;
};

/** The turn of the period: a new invoice and one attempt to have it paid, or the end when that was asked for. */
export const renew = (world: World, id: string, succeeds: boolean): Invoice | null => {
  const subscription = retrieve(world, 'subscription', id);
  if (!['active', 'past_due'].includes(subscription.status))
    throw invalid(`The subscription ${id} is ${subscription.status}; it does not renew.`);
  if (subscription.cancel_at_period_end) {
    endSubscription(world, subscription);
    return null;
  }
  for (const item of subscription.items.data) {
    const end = (periods: number): number =>
      periodEnd(subscription.billing_cycle_anchor, item.price.recurring, periods);
    let periods = 1;
    while (end(periods) <= item.current_period_end) periods += 1;
    item.current_period_start = item.current_period_end;
    item.current_period_end = end(periods);
  }
  const invoice = invoiceFor(world, subscription, 'subscription_cycle');
  emit(world, 'customer.subscription.updated', subscription);
  if (invoice.amount_due === 0) settleInvoice(world, invoice, null);
  else attemptInvoice(world, invoice, succeeds);
  return invoice;
};
