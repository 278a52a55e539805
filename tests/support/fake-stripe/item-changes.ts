/** Changes to a subscription's items and their prorations, in Stripe's flexible billing mode. */
import {
  makeItem,
  type Proration,
  roundedQuotient,
  type Span,
  type Subscription,
  type SubscriptionItem,
} from './billing-objects.ts';
import { invalid, missing, noSuch } from './errors.ts';
import { type Address, makePrice, type Price, type PriceInput } from './objects.ts';
import { retrieve, retrieveParam, save, type World } from './world.ts';

/** Creates an item's inline price, for an existing product. */
export const priceAt = (world: World, data: PriceInput, place: number): Price => {
  retrieveParam(world, 'product', data.product, `items[${place}][price_data][product]`);
  return save(world, 'price', makePrice(world, data));
};

/** Automatic tax needs the customer's location. */
export const checkTax = ({ address }: { address: Address | null }): void => {
  const code = address?.postal_code ?? '00000';
  if (!address?.country || (address.country === 'US' && code === '00000')) {
    throw invalid(
      "The customer's location isn't recognized. Set a valid customer address in order to automatically calculate tax.",
      'automatic_tax',
      'customer_tax_location_invalid',
    );
  }
};

/** An entry of `items` in a preview or an update. */
export interface ItemChange {
  id?: string | undefined;
  price_data?: PriceInput | undefined;
  quantity?: number | undefined;
  deleted?: boolean | undefined;
}

/** A charge for an item, credited back only for the time before `until`. Credits go by it, not by the current price. */
interface Debit extends Span {
  amount: number;
  until: number;
}

/** The items after a change, and its prorations. */
export interface ChangedItems {
  items: SubscriptionItem[];
  prorations: Proration[];
  /** Call when the change is made rather than previewed. */
  commit(): void;
}

const debits = new WeakMap<SubscriptionItem, Debit[]>();

const spanOf = (item: SubscriptionItem): Span => ({
  start: item.current_period_start,
  end: item.current_period_end,
});

/** Records the charge for a whole period. */
export const beginPeriod = (item: SubscriptionItem): void => {
  const amount = item.price.unit_amount * item.quantity;
  debits.set(item, [{ ...spanOf(item), amount, until: item.current_period_end }]);
};

/** One credit for the rest of each charge that extends beyond the date. */
const creditsFor = (item: SubscriptionItem, date: number): Proration[] =>
  (debits.get(item) ?? [])
    .filter(({ until }) => until > date)
    .map(({ amount, start, end, until }) => {
      const from = Math.max(start, date);
      return {
        amount: 0 - roundedQuotient(amount * (until - from), end - start),
        price: item.price,
        quantity: item.quantity,
        period: { start: from, end: until },
      };
    });

const chargeFor = (item: SubscriptionItem, date: number): Proration => {
  const { start, end } = spanOf(item);
  const whole = item.price.unit_amount * item.quantity;
  return {
    amount: roundedQuotient(whole * (end - date), end - start),
    price: item.price,
    quantity: item.quantity,
    period: { start: date, end },
  };
};

/** Applies the entries; naming an item twice is refused. */
const itemsAfter = (
  world: World,
  subscription: Subscription,
  changes: readonly ItemChange[],
  period: Pick<SubscriptionItem, 'current_period_end' | 'current_period_start'>,
): SubscriptionItem[] => {
  const before = subscription.items.data;
  const now = new Map<string, SubscriptionItem | null>(before.map((item) => [item.id, item]));
  for (const [place, { id, price_data: data, quantity, deleted }] of changes.entries()) {
    const price = data && priceAt(world, data, place);
    if (id === undefined) {
      if (price === undefined) throw missing(`items[${place}][price_data]`);
      const item = makeItem(subscription, price, quantity ?? 1);
      now.set(item.id, { ...item, ...period });
      continue;
    }
    const item = before.find((each) => each.id === id);
    if (item === undefined || now.get(id) !== item)
      throw noSuch('subscription_item', id, `items[${place}][id]`, 400);
    const after = { price: price ?? item.price, quantity: quantity ?? (price ? 1 : item.quantity) };
    if (deleted) now.set(id, null);
    else if (price || after.quantity !== item.quantity) now.set(id, { ...item, ...after });
  }
  return [...now.values()].filter((item) => item !== null);
};

/** Computes a change, or refuses it as Stripe does. Nothing changes before `commit`. */
export const changeItems = (
  world: World,
  subscription: Subscription,
  changes: readonly ItemChange[],
  date: number,
): ChangedItems => {
  const before = subscription.items.data;
  const [any] = before;
  if (any === undefined) throw new Error(`the subscription ${subscription.id} has no items`);
  const { current_period_start, current_period_end } = any;
  if (date < current_period_start || date > current_period_end) {
    throw invalid(
      `The proration date ${date} is outside of the current period of the subscription.`,
      'proration_date',
    );
  }
  const period = { current_period_start, current_period_end };
  const items = itemsAfter(world, subscription, changes, period);
  if (items.length === 0)
    throw invalid('A subscription must have at least one active plan.', 'items');
  if (subscription.automatic_tax.enabled)
    checkTax(retrieve(world, 'customer', subscription.customer));
  const left = before.filter((item) => !items.includes(item));
  const fresh = items.filter((item) => !before.includes(item));
  const charges = fresh.map((item) => ({ item, charge: chargeFor(item, date) }));
  return {
    items,
    prorations: [
      ...left.flatMap((item) => creditsFor(item, date)),
      ...charges.map(({ charge }) => charge),
    ],
    commit() {
      for (const { item, charge } of charges) {
        const old = (debits.get(before.find(({ id }) => id === item.id) ?? item) ?? []).filter(
          ({ start }) => start < date,
        );
        for (const debit of old) debit.until = Math.min(debit.until, date);
        const { amount, period } = charge;
        debits.set(item, [...old, { amount, ...period, until: period.end }]);
      }
    },
  };
};
