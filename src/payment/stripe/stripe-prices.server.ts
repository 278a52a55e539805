/** What is sold, as Stripe keeps it: a product per thing with a fixed id, a price per amount, found by its lookup key. */
import Stripe from 'stripe';
import type { PriceLine } from '../../catalogue/pricing.ts';
import type { Row } from '../../platform/database/tables.server.ts';
import { CURRENCY } from './stripe-client.server.ts';

interface Sold {
  line: PriceLine;
  productId: string;
  lookupKey: string;
}

/** A line of an order, by Stripe's ids. */
export interface PricedItem {
  price: string;
  productId: string;
  quantity: number;
}

export class StripePrices {
  readonly #stripe: Stripe;
  /** By lookup key, also while it is being asked: a price's amount never changes at Stripe. */
  readonly #known = new Map<string, Promise<string>>();
  /**
   * Part of the idempotency keys: Stripe repeats for a day what it has answered to one, a failure too. Raised no
   * more often than that asks for: two instances with different numbers would make a price each.
   */
  #round = 0;

  constructor(stripe: Stripe) {
    this.#stripe = stripe;
  }

  /** The prices of an order's lines, in their order. Those that Stripe does not have yet are made. */
  async itemsFor(order: Row<'orders'>, lines: readonly PriceLine[]): Promise<PricedItem[]> {
    return Promise.all(
      lines.map(async (line) => {
        const sold = soldAs(order, line);
        const price = await this.#idOf(sold);
        return { price, productId: sold.productId, quantity: line.quantity };
      }),
    );
  }

  /**
   * Somebody may have archived a price; the next order asks again. By other keys where Stripe has refused what the
   * order asked for: the price that was made by these may be the one that it refuses.
   */
  forget(error: unknown): void {
    this.#known.clear();
    if (error instanceof Stripe.errors.StripeInvalidRequestError && isKept(error)) this.#round += 1;
  }

  #idOf(sold: Sold): Promise<string> {
    const known = this.#known.get(sold.lookupKey);
    if (known) return known;
    const asked = this.#findOrMake(sold);
    this.#known.set(sold.lookupKey, asked);
    asked.catch((error) => {
      this.#known.delete(sold.lookupKey);
      if (isKept(error)) this.#round += 1;
    });
    return asked;
  }

  async #findOrMake({ line, productId, lookupKey }: Sold): Promise<string> {
    const { data } = await this.#stripe.prices.list({ lookup_keys: [lookupKey] });
    const [found] = data;
    if (found && charges(found, line)) return found.id;
    await this.#makeProduct(productId, line.label);
    const { id } = await this.#stripe.prices.create(
      {
        product: productId,
        currency: CURRENCY,
        unit_amount: line.unitPrice,
        recurring: { interval: 'month' },
        tax_behavior: 'exclusive',
        lookup_key: lookupKey,
        // A price that is archived or altered keeps its key until another takes it.
        transfer_lookup_key: true,
      },
      // Instances that miss the same price at the same time make one.
      { idempotencyKey: `price-${lookupKey}-after-${found?.id ?? 'none'}-${this.#round}` },
    );
    return id;
  }

  async #makeProduct(id: string, name: string): Promise<void> {
    await this.#stripe.products.create({ id, name }).catch((error: unknown) => {
      const told = error instanceof Stripe.errors.StripeError && error.code;
      if (told !== 'resource_already_exists') throw error;
    });
  }
}

/** What was refused as too busy or under way, or never came back, may have another answer next time. */
function isKept(error: unknown): boolean {
  return (
    error instanceof Stripe.errors.StripeError && ![undefined, 409, 429].includes(error.statusCode)
  );
}

/** Somebody at Stripe's dashboard may move a lookup key to a price that asks for something else. */
function charges(price: Stripe.Price, { unitPrice }: PriceLine): boolean {
  const { active, currency, unit_amount, recurring, tax_behavior } = price;
  return (
    active &&
    currency === CURRENCY &&
    unit_amount === unitPrice &&
    recurring?.interval === 'month' &&
    recurring.interval_count === 1 &&
    recurring.usage_type === 'licensed' &&
    tax_behavior === 'exclusive'
  );
}

function soldAs({ planId, ms365Option }: Row<'orders'>, line: PriceLine): Sold {
  const productId = {
    plan: `plan_${planId}`,
    microsoft365: `microsoft365_${ms365Option}`,
    backup: 'microsoft365_backup',
  }[line.kind];
  return { line, productId, lookupKey: `${productId}_${CURRENCY}_${line.unitPrice}_month` };
}

/** Whether a product is one of those that this site makes. */
export function isSoldHere(productId: string): boolean {
  return /^(plan|microsoft365)_/.test(productId);
}
