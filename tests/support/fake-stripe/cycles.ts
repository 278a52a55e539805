/** The end of a period: the next invoice and its payment, or the end; and previews. */
import {
  bill,
  dropPending,
  endSubscription,
  invoiceUnpaid,
  methodCharged,
  settleInvoice,
  subscriptionOf,
} from './billing.ts';
import {
  fullLines,
  type Invoice,
  makeInvoice,
  monthsAfter,
  type PendingItem,
  type Span,
  type Subscription,
} from './billing-objects.ts';
import { invalid } from './errors.ts';
import { beginPeriod, changeItems, checkTax, type Prorating, spanOf } from './item-changes.ts';
import { attemptInvoice } from './payments.ts';
import type { ItemChange } from './schema.ts';
import { filter, retrieve, type World } from './world.ts';

export const isOver = ({ status }: Subscription): boolean =>
  status === 'canceled' || status === 'incomplete_expired';

const isEnding = (subscription: Subscription): boolean =>
  subscription.cancel_at !== null && subscription.cancel_at <= presentPeriod(subscription).end;

/** Prorations for the next invoice, newest first. */
const pendingOf = (world: World, { id }: Subscription): PendingItem[] =>
  filter(world.invoiceitem, ({ subscription }) => subscription === id).toReversed();

export const presentPeriod = ({ items: { data } }: Subscription): Span =>
  data[0] ? spanOf(data[0]) : { start: 0, end: 0 };

const nextPeriod = (subscription: Subscription): Span => {
  const { end: start } = presentPeriod(subscription);
  const { interval, interval_count: count = 1 } = subscription.items.data[0]?.price.recurring ?? {
    interval: 'month',
  };
  const step = count * (interval === 'year' ? 12 : 1);
  const end = (months: number): number => monthsAfter(subscription.billing_cycle_anchor, months);
  let months = step;
  while (end(months) <= start) months += step;
  return { start, end: end(months) };
};

/** The last invoice of a subscription that ends; null when nothing is left to bill. */
export const billPending = (world: World, subscription: Subscription): Invoice | null => {
  const { end: periodEnd } = presentPeriod(subscription);
  const sources = pendingOf(world, subscription);
  if (sources.length === 0) return null;
  dropPending(world, subscription);
  return bill(world, subscription, { reason: 'subscription_cycle', sources, periodEnd });
};

/** Starts the next period; null when the subscription ends instead and nothing is left to bill. */
const endPeriod = (world: World, subscription: Subscription): Invoice | null => {
  const { end: periodEnd } = presentPeriod(subscription);
  const pending = pendingOf(world, subscription);
  const reason = 'subscription_cycle';
  if (isEnding(subscription)) {
    const last = billPending(world, subscription);
    endSubscription(world, subscription);
    return last;
  }
  dropPending(world, subscription);
  if (subscription.status === 'trialing') subscription.status = 'active';
  const next = nextPeriod(subscription);
  for (const item of subscription.items.data) {
    item.current_period_start = next.start;
    item.current_period_end = next.end;
    beginPeriod(item);
  }
  const month = subscription.items.data.flatMap((item) => fullLines(item, next));
  const sources = [...pending, ...month];
  const invoice = bill(world, subscription, { reason, sources, periodEnd });
  const isLasting = (id: string) => !world.discount.get(id)?.once;
  subscription.discounts = subscription.discounts.filter(isLasting);
  return invoice;
};

/** Charges an open invoice. `succeeds`: the outcome; without it, the card decides. */
export const collect = (world: World, invoice: Invoice, succeeds?: boolean): void => {
  if (invoice.amount_due === 0) {
    settleInvoice(world, invoice, null);
    return;
  }
  const id = methodCharged(world, subscriptionOf(world, invoice));
  // Staff may have detached it in the dashboard.
  if (id) attemptInvoice(world, invoice, retrieve(world.payment_method, id), succeeds);
  else invoiceUnpaid(world, invoice, false);
};

/** Ends the current period at once; `succeeds` is the outcome of the only attempt to charge. */
export const renew = (
  world: World,
  id: string,
  succeeds?: boolean,
  draft = false,
): Invoice | null => {
  const subscription = retrieve(world.subscription, id);
  const invoice = endPeriod(world, subscription);
  if (subscription.status !== 'canceled') world.emit('customer.subscription.updated', subscription);
  // A renewal is a draft for about an hour.
  const isKept = subscription.pause_collection?.behavior === 'keep_as_draft';
  if (invoice && (draft || isKept))
    Object.assign(invoice, {
      status: 'draft',
      number: null,
      ...(isKept && { auto_advance: false }),
    });
  // Once all retries have failed, Stripe no longer charges new months.
  else if (invoice && subscription.status === 'unpaid')
    Object.assign(invoice, { status: 'draft', auto_advance: false });
  else if (invoice && subscription.collection_method === 'charge_automatically')
    collect(world, invoice, succeeds);
  return invoice;
};

/** The hour of a renewal's draft is over. */
export const chargeDraft = (world: World, id: string, succeeds?: boolean): void => {
  const invoice = retrieve(world.invoice, id);
  if (!invoice.auto_advance) return;
  Object.assign(invoice, { status: 'open', number: `FAKE-${id.slice(-8)}` });
  collect(world, invoice, succeeds);
};

interface PreviewDetails {
  items: ItemChange[];
  proration_behavior?: Prorating;
  proration_date?: number;
}

/** Previews the next invoice, with or without a change. Stores nothing. */
export const previewInvoice = (
  world: World,
  id: string,
  details?: PreviewDetails,
  extra: readonly { amount: number }[] = [],
  tax?: { enabled: boolean },
): Invoice => {
  const found = retrieve(world.subscription, id);
  const subscription = tax
    ? { ...found, automatic_tax: { ...found.automatic_tax, ...tax } }
    : found;
  const customer = retrieve(world.customer, subscription.customer);
  if (subscription.automatic_tax.enabled && !world.uncertain) checkTax(customer);
  const pending = pendingOf(world, subscription);
  const ending = isEnding(subscription);
  if (isOver(subscription) || (ending && pending.length === 0)) {
    const message = `No upcoming invoices for customer: ${subscription.customer}`;
    throw invalid(message, { status: 404, code: 'invoice_upcoming_none' });
  }
  const { items, prorations } = details
    ? changeItems(
        world,
        subscription,
        details.items,
        details.proration_date ?? world.now(),
        details.proration_behavior,
      )
    : { items: subscription.items.data, prorations: [] };
  const next = nextPeriod(subscription);
  const more = extra.flatMap(({ amount }) =>
    subscription.items.data.slice(0, 1).map(({ price }) => ({
      amount,
      price,
      quantity: 1,
      period: presentPeriod(subscription),
      proration: true,
    })),
  );
  const full = ending ? [] : items.flatMap((item) => fullLines(item, next));
  return makeInvoice(world, {
    customer,
    subscription,
    reason: 'subscription_cycle',
    sources: [...more, ...prorations.toReversed(), ...pending, ...full],
    periodEnd: presentPeriod(subscription).end,
  });
};
