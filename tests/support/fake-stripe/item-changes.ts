/** Changes to a subscription's items and their prorations, in Stripe's flexible billing mode. */
import {
  type LineSource,
  makeItem,
  roundedQuotient,
  type Span,
  type Subscription,
  type SubscriptionItem,
  wholeOf,
} from './billing-objects.ts';
import { invalid, noSuch } from './errors.ts';
import { type Address, isLocated } from './objects.ts';
import type { ItemChange } from './schema.ts';
import { retrieve, type World } from './world.ts';

/** Automatic tax needs the customer's location. */
export const checkTax = (customer: { address: Address | null }): void => {
  if (!isLocated(customer)) {
    throw invalid(
      "The customer's location isn't recognized. Set a valid customer address in order to automatically calculate tax.",
      { code: 'customer_tax_location_invalid' },
    );
  }
};

/** A charge for an item, credited back for the time before `until`, by what was charged. */
interface Debit extends Span {
  amount: number;
  until: number;
}

const debits = new WeakMap<SubscriptionItem, Debit[]>();

/** The whole period of an item. */
export const spanOf = (item: SubscriptionItem): Span => ({
  start: item.current_period_start,
  end: item.current_period_end,
});

/** Records the charge for a whole period. */
export const beginPeriod = (item: SubscriptionItem): void => {
  const amount = wholeOf(item);
  debits.set(item, [{ ...spanOf(item), amount, until: item.current_period_end }]);
};

const prorated = (
  { price, quantity }: SubscriptionItem,
  amount: number,
  period: Span,
): LineSource => ({ amount, price, quantity, period, proration: true });

/** One credit for the rest of each charge that extends beyond the date. */
const creditsFor = (item: SubscriptionItem, date: number): LineSource[] =>
  (debits.get(item) ?? [])
    .filter(({ until }) => until > date)
    .map(({ amount, start, end, until }) => {
      const from = Math.max(start, date);
      const credit = roundedQuotient(amount * (until - from), end - start);
      return prorated(item, 0 - credit, { start: from, end: until });
    });

/** Charges an item for the rest of the period; `before` is the item that it replaces. */
const chargeFor = (
  item: SubscriptionItem,
  before: SubscriptionItem | undefined,
  date: number,
): LineSource => {
  const { start, end } = spanOf(item);
  const amount = roundedQuotient(wholeOf(item) * (end - date), end - start);
  const earlier = ((before && debits.get(before)) ?? [])
    .filter((debit) => debit.start < date)
    .map((debit) => ({ ...debit, until: Math.min(debit.until, date) }));
  debits.set(item, [...earlier, { amount, start: date, end, until: end }]);
  return prorated(item, amount, { start: date, end });
};

/** Applies the entries; naming an item twice is refused. */
const itemsAfter = (
  world: World,
  before: readonly SubscriptionItem[],
  changes: readonly ItemChange[],
  period: Span,
): SubscriptionItem[] => {
  const now = new Map<string, SubscriptionItem | null>(before.map((item) => [item.id, item]));
  for (const { id, price_data: price, quantity, deleted } of changes) {
    if (price) retrieve(world.product, price.product);
    if (id === undefined) {
      if (!price) throw invalid('Missing required param: price_data.');
      const item = makeItem(price, quantity ?? 1, period);
      now.set(item.id, item);
      continue;
    }
    const item = before.find((each) => each.id === id);
    if (item === undefined || now.get(id) !== item) throw noSuch('subscription_item', id);
    const after = { price: price ?? item.price, quantity: quantity ?? (price ? 1 : item.quantity) };
    if (deleted) now.set(id, null);
    else if (price || after.quantity !== item.quantity) now.set(id, { ...item, ...after });
  }
  return [...now.values()].filter((item) => item !== null);
};

export type Prorating = 'create_prorations' | 'none';

/** The items after a change and its prorations, or Stripe's refusal; changes nothing. */
export const changeItems = (
  world: World,
  { items: { data: before }, status }: Subscription,
  changes: readonly ItemChange[],
  date: number,
  asked: Prorating = 'create_prorations',
): { items: SubscriptionItem[]; prorations: LineSource[] } => {
  const prorating = status === 'trialing' ? 'none' : asked;
  const period = before[0] ? spanOf(before[0]) : { start: 0, end: 0 };
  if (prorating !== 'none' && (date < period.start || date > period.end))
    throw invalid(`The proration date ${date} is outside of the current period.`);
  const items = itemsAfter(world, before, changes, period);
  if (items.length === 0) throw invalid('A subscription must have at least one active plan.');
  const gone = before.filter((item) => !items.includes(item));
  const fresh = items.filter((item) => !before.includes(item));
  if (prorating === 'none') {
    // Later credits go by what was really charged.
    for (const item of fresh) {
      const replaced = before.find(({ id }) => id === item.id);
      debits.set(item, (replaced && debits.get(replaced)) ?? []);
    }
    return { items, prorations: [] };
  }
  const credits = gone.flatMap((item) => creditsFor(item, date));
  const charges = fresh.map((item) => {
    const replaced = before.find(({ id }) => id === item.id);
    return chargeFor(item, replaced, date);
  });
  return { items, prorations: [...credits, ...charges] };
};
