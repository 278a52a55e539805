import { invalid, notModelled } from './errors.ts';
import { type Address, makePrice, type Price, type PriceInput } from './objects.ts';
import { refer, save, type World } from './world.ts';

const maxItems = 20;

/** The price that an item brings with it, for a product that is there. */
export const priceAt = (world: World, data: PriceInput, place: number): Price => {
  refer(world, 'product', data.product, `items[${place}][price_data][product]`);
  return save(world, 'price', makePrice(world, data));
};

export const checkPrices = (prices: readonly Price[]): void => {
  const [first] = prices;
  if (prices.length > maxItems)
    throw invalid(`Subscriptions can have at most ${maxItems} items.`, 'items');
  for (const { currency, recurring } of prices) {
    if (currency !== first?.currency) {
      throw invalid(
        `The price specified only supports \`${currency}\`. This doesn't match the expected currency: \`${first?.currency}\`.`,
        'items',
      );
    }
    const { interval, interval_count: count } = first.recurring;
    if (interval !== recurring.interval || count !== recurring.interval_count)
      throw notModelled('A subscription whose items have different intervals', 'items');
  }
};

/** Automatic tax needs a place to tax, and prices that say whether tax is in them. */
export const checkTax = (
  { address }: { address: Address | null },
  prices: readonly Price[],
): void => {
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
