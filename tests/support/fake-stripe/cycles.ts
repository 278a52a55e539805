/** The end of a billing period: the next invoice and its payment, or the end of the subscription; and invoice previews. */
import {
  draftInvoice,
  endSubscription,
  finalizeInvoice,
  settleInvoice,
  subscriptionOf,
} from './billing.ts';
import {
  fullLine,
  type Invoice,
  type LineSource,
  makeInvoice,
  monthsAfter,
  type Span,
  type Subscription,
} from './billing-objects.ts';
import { defaultMethodOf } from './cards.ts';
import { invalid, missing, notModelled, StripeFailure } from './errors.ts';
import { beginPeriod, changeItems, checkTax, type ItemChange } from './item-changes.ts';
import type { Address } from './objects.ts';
import { attemptInvoice } from './payments.ts';
import { emit, filter, newId, retrieve, retrieveParam, type World } from './world.ts';

export const isOver = ({ status }: Subscription): boolean =>
  status === 'canceled' || status === 'incomplete_expired';

const isEnding = (subscription: Subscription): boolean =>
  subscription.cancel_at !== null && subscription.cancel_at <= presentPeriod(subscription).end;

/** Prorations for the next invoice, newest first. */
const pendingSources = (world: World, subscription: Subscription): LineSource[] =>
  filter(world, 'invoiceitem', (row) => row.subscription === subscription.id)
    .toReversed()
    .map((proration) => ({ ...proration, proration: true }));

export const presentPeriod = ({ items }: Subscription): Span => ({
  start: items.data[0]?.current_period_start ?? 0,
  end: items.data[0]?.current_period_end ?? 0,
});

const nextPeriod = (subscription: Subscription): Span => {
  const { end: start } = presentPeriod(subscription);
  const end = (months: number): number => monthsAfter(subscription.billing_cycle_anchor, months);
  let months = 1;
  while (end(months) <= start) months += 1;
  return { start, end: end(months) };
};

/** Starts the next period; null when the subscription ends instead and nothing is left to bill. */
const endPeriod = (world: World, subscription: Subscription): Invoice | null => {
  const period = presentPeriod(subscription);
  const pending = pendingSources(world, subscription);
  const draft = (sources: LineSource[]) =>
    draftInvoice(world, subscription, { reason: 'subscription_cycle', sources, period });
  if (isEnding(subscription)) {
    const last = pending.length > 0 ? finalizeInvoice(world, draft(pending)) : null;
    endSubscription(world, subscription);
    return last;
  }
  for (const { id } of filter(world, 'invoiceitem', (row) => row.subscription === subscription.id))
    world.tables.invoiceitem.delete(id);
  const next = nextPeriod(subscription);
  for (const item of subscription.items.data) {
    item.current_period_start = next.start;
    item.current_period_end = next.end;
    beginPeriod(item);
  }
  return draft([...pending, ...subscription.items.data.map((item) => fullLine(item, next))]);
};

/** Finalizes a draft and charges it. `succeeds` is the outcome that the test wants. */
export const collect = (world: World, invoice: Invoice, succeeds: boolean): void => {
  if (invoice.status === 'draft') finalizeInvoice(world, invoice);
  const subscription = subscriptionOf(world, invoice);
  if (invoice.amount_due === 0) {
    settleInvoice(world, invoice, null);
    return;
  }
  const method = defaultMethodOf(world, subscription);
  if (method === undefined)
    throw invalid(`The subscription ${subscription.id} has no stored payment method to pay with.`);
  attemptInvoice(world, invoice, method, succeeds);
};

/** Ends the current period at once; `succeeds` is the outcome of the only attempt to charge. */
export const renew = (world: World, id: string, succeeds: boolean): Invoice | null => {
  const subscription = retrieve(world, 'subscription', id);
  if (!['active', 'past_due'].includes(subscription.status))
    throw invalid(`The subscription ${id} is ${subscription.status}; it does not renew.`);
  const invoice = endPeriod(world, subscription);
  if (subscription.status !== 'canceled')
    emit(world, 'customer.subscription.updated', subscription);
  if (invoice) collect(world, invoice, succeeds);
  return invoice;
};

interface PreviewDetails {
  items?: ItemChange[] | undefined;
  proration_date?: number | undefined;
}

/** Previews the next invoice, with or without a change. Stores nothing. */
export const previewInvoice = (
  world: World,
  id: string,
  { items, proration_date: date }: PreviewDetails = {},
): Invoice => {
  const subscription = retrieveParam(world, 'subscription', id, 'subscription');
  if (subscription.status === 'incomplete')
    throw notModelled('A preview for an unpaid subscription', 'subscription');
  const pending = pendingSources(world, subscription);
  const ending = isEnding(subscription);
  if (isOver(subscription) || (ending && pending.length === 0)) {
    throw new StripeFailure({
      status: 404,
      type: 'invalid_request_error',
      code: 'invoice_upcoming_none',
      message: `No upcoming invoices for customer: ${subscription.customer}`,
    });
  }
  const changed = items && changeItems(world, subscription, items, date ?? world.now());
  const next = nextPeriod(subscription);
  const full = (changed?.items ?? subscription.items.data).map((item) => fullLine(item, next));
  const fresh = (changed?.prorations ?? []).toReversed();
  const { invoice } = makeInvoice(world, {
    customer: retrieve(world, 'customer', subscription.customer),
    subscription,
    reason: 'subscription_cycle',
    sources: [
      ...fresh.map((each) => ({ ...each, proration: true })),
      ...pending,
      ...(ending ? [] : full),
    ],
    period: presentPeriod(subscription),
    preview: true,
  });
  return invoice;
};

interface PreviewItems {
  automatic_tax?: { enabled: boolean } | undefined;
  customer_details?: { address: Address } | undefined;
  invoice_items?: { amount: number }[] | undefined;
}

/** A preview without a customer or subscription: only checks whether tax can be computed. */
export const previewItems = ({
  automatic_tax: tax,
  customer_details: customer,
  invoice_items: items,
}: PreviewItems) => {
  if (!items || !customer) throw missing(items ? 'customer_details' : 'invoice_items');
  if (tax?.enabled) checkTax(customer);
  return { id: newId('upcoming_in'), object: 'invoice' as const };
};
