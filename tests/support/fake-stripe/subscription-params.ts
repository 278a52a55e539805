import { invalid, missing, notModelled, refused } from './errors.ts';
import { makePrice, type Price } from './objects-catalogue.ts';
import type { Subscription } from './objects-subscription.ts';
import { amountOf, recurring, taxBehavior } from './price-params.ts';
import {
  bool,
  currency,
  decimal,
  emptyable,
  int,
  list,
  maybe,
  metadata,
  need,
  object,
  oneOf,
  type Parsed,
  text,
} from './schema.ts';
import { refer, save, type World } from './world.ts';

const priceData = object({
  currency: need(currency),
  product: need(text()),
  recurring: need(recurring),
  tax_behavior: maybe(taxBehavior),
  unit_amount: maybe(int(0, 99_999_999)),
  unit_amount_decimal: maybe(decimal),
});

const itemFields = {
  metadata: maybe(metadata),
  price: maybe(text()),
  price_data: maybe(priceData),
  quantity: maybe(int(0)),
};

const itemExtras = ['billing_thresholds', 'current_trial', 'discounts', 'plan', 'tax_rates'];

export const newItem = object(itemFields, itemExtras);
export const changedItem = object({ ...itemFields, id: maybe(text()), deleted: maybe(bool) }, [
  ...itemExtras,
  'clear_usage',
]);

const maxItems = 20;

const cardOptions = object(
  { request_three_d_secure: maybe(oneOf('any', 'automatic', 'challenge')) },
  ['mandate_options', 'network'],
);

export const commonFields = {
  automatic_tax: maybe(
    object({
      enabled: need(bool),
      liability: maybe(object({ type: need(oneOf('self')) }, ['account'])),
    }),
  ),
  cancel_at_period_end: maybe(bool),
  collection_method: maybe(oneOf('charge_automatically', 'send_invoice')),
  default_payment_method: maybe(text()),
  description: maybe(emptyable(text(500))),
  metadata: maybe(emptyable(metadata)),
  off_session: maybe(bool),
  payment_behavior: maybe(
    oneOf('allow_incomplete', 'default_incomplete', 'error_if_incomplete', 'pending_if_incomplete'),
  ),
  payment_settings: maybe(
    object({
      payment_method_options: maybe(
        object({ card: maybe(cardOptions) }, [
          'acss_debit',
          'bancontact',
          'customer_balance',
          'konbini',
          'sepa_debit',
          'us_bank_account',
        ]),
      ),
      payment_method_types: maybe(emptyable(list(text()))),
      save_default_payment_method: maybe(oneOf('off', 'on_subscription')),
    }),
  ),
  proration_behavior: maybe(oneOf('always_invoice', 'create_prorations', 'none')),
};

export const commonExtras = [
  'add_invoice_items',
  'application_fee_percent',
  'billing_cycle_anchor',
  'billing_schedules',
  'billing_thresholds',
  'cancel_at',
  'days_until_due',
  'default_source',
  'default_tax_rates',
  'discounts',
  'invoice_settings',
  'on_behalf_of',
  'pending_invoice_item_interval',
  'transfer_data',
  'trial_end',
  'trial_from_plan',
  'trial_settings',
];

export const createExtras = [
  'backdate_start_date',
  'billing_cycle_anchor_config',
  'billing_mode',
  'currency',
  'customer_account',
  'trial_period_days',
];
export const updateExtras = ['pause_collection', 'proration_date'];

type Item = Parsed<typeof itemFields>;

/** The price an item names or describes; an inline one is made on the spot. */
export const priceFor = (world: World, item: Item, path: string): Price => {
  if (item.price !== undefined && item.price_data !== undefined) {
    throw refused(
      'You may only specify one of these parameters: price, price_data.',
      `${path}[price]`,
      'parameters_exclusive',
    );
  }
  if (item.price !== undefined) {
    const price = refer(world, 'price', item.price, `${path}[price]`);
    if (!price.active) {
      throw invalid(
        'The price specified is inactive. This field only accepts active prices.',
        `${path}[price]`,
      );
    }
    if (price.recurring === null) {
      throw invalid(
        'The price specified is set to `type=one_time` but this field only accepts prices with `type=recurring`.',
        `${path}[price]`,
      );
    }
    return price;
  }
  const data = item.price_data;
  if (data === undefined) throw missing(`${path}[price]`);
  const unitAmountDecimal = amountOf(data, (name) => `${path}[price_data][${name}]`);
  refer(world, 'product', data.product, `${path}[price_data][product]`);
  const price = makePrice(world, {
    currency: data.currency,
    product: data.product,
    unitAmountDecimal,
    recurring: data.recurring,
    taxBehavior: data.tax_behavior,
  });
  // Made for this one item, so not to be used again.
  price.active = false;
  return price;
};

export const keepPrices = (world: World, prices: readonly Price[]): void => {
  for (const price of prices) save(world, 'price', price);
};

export const checkPrices = (prices: readonly Price[]): void => {
  const [first] = prices;
  if (first === undefined) return;
  if (prices.length > maxItems) {
    throw invalid(`Subscriptions can have at most ${maxItems} items.`, 'items');
  }
  const twice = prices.find((price, place) => prices.indexOf(price) !== place);
  if (twice !== undefined)
    throw invalid(
      `Cannot add multiple subscription items with the same plan: ${twice.id}`,
      'items',
    );
  const other = prices.find((price) => price.currency !== first.currency);
  if (other !== undefined) {
    throw invalid(
      `The price specified only supports \`${other.currency}\`. This doesn't match the expected currency: \`${first.currency}\`.`,
      'items',
    );
  }
  const mixed = prices.some(
    (price) =>
      price.recurring?.interval !== first.recurring?.interval ||
      price.recurring?.interval_count !== first.recurring?.interval_count,
  );
  if (mixed) throw notModelled('A subscription whose items have different intervals', 'items');
};

/** Automatic tax needs a place to tax, and prices that say whether tax is in them. */
export const checkTax = (world: World, customerId: string, prices: readonly Price[]): void => {
  const { address } = refer(world, 'customer', customerId, 'customer');
  const placed =
    address?.country != null &&
    (address.country !== 'US' || ![null, '00000'].includes(address.postal_code));
  if (!placed) {
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
};

export const applyCommon = (
  subscription: Subscription,
  given: Parsed<typeof commonFields>,
): void => {
  if (given.collection_method === 'send_invoice')
    throw notModelled('collection_method=send_invoice', 'collection_method');
  if (given.automatic_tax !== undefined) {
    subscription.automatic_tax.enabled = given.automatic_tax.enabled;
    subscription.automatic_tax.liability = given.automatic_tax.enabled ? { type: 'self' } : null;
  }
  if (given.description !== undefined) subscription.description = given.description;
  const settings = given.payment_settings;
  if (settings === undefined) return;
  const kept = subscription.payment_settings;
  if (settings.payment_method_options !== undefined)
    kept.payment_method_options = settings.payment_method_options;
  if (settings.payment_method_types !== undefined)
    kept.payment_method_types = settings.payment_method_types;
  kept.save_default_payment_method =
    settings.save_default_payment_method ?? kept.save_default_payment_method;
};
