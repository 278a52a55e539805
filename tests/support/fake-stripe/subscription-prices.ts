import { invalid, notModelled } from './errors.ts';
import type { Address, Price } from './objects-catalogue.ts';
import { refer, type World } from './world.ts';

const maxItems = 20;

export const priceAt = (world: World, id: string, place: number): Price => {
  const path = `items[${place}][price]`;
  const price = refer(world, 'price', id, path);
  if (price.active) return price;
  throw invalid('The price specified is inactive. This field only accepts active prices.', path);
};

export const checkPrices = (prices: readonly Price[]): void => {
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
