/** What the turn of a period does: a bill, an attempt to have it paid, or the end. */
import { emit, endSubscription, settleInvoice } from './billing.ts';
import {
  fullLine,
  type Invoice,
  type LineSource,
  periodEnd,
  type Span,
  type Subscription,
  type SubscriptionItem,
} from './billing-objects.ts';
import { invalid } from './errors.ts';
import { draftInvoice, finalizeInvoice } from './invoicing.ts';
import { beginPeriod } from './item-changes.ts';
import { defaultMethodOf } from './payment-methods.ts';
import { attemptInvoice } from './payments.ts';
import { retrieve, rowsOf, type World } from './world.ts';

export const isEnding = ({ cancel_at: at, items }: Subscription): boolean =>
  at !== null && at <= (items.data[0]?.current_period_end ?? 0);

/** What waits for the next bill, the latest first. */
export const pendingSources = (world: World, subscription: Subscription): LineSource[] =>
  rowsOf(world, 'invoiceitem', (row) => row.subscription === subscription.id)
    .toReversed()
    .map(({ id, subscription: _, ...proration }) => ({
      ...proration,
      proration: true,
      pending: id,
    }));

export const presentPeriod = ({ items }: Subscription): Span => ({
  start: items.data[0]?.current_period_start ?? 0,
  end: items.data[0]?.current_period_end ?? 0,
});

export const nextPeriod = (anchor: number, item: SubscriptionItem): Span => {
  const end = (periods: number): number => periodEnd(anchor, item.price.recurring, periods);
  let periods = 1;
  while (end(periods) <= item.current_period_end) periods += 1;
  return { start: item.current_period_end, end: end(periods) };
};

/** Null when the subscription has ended, and nothing was left to bill. */
export const turnPeriod = (world: World, subscription: Subscription): Invoice | null => {
  const period = presentPeriod(subscription);
  const pending = pendingSources(world, subscription);
  const ending = isEnding(subscription);
  for (const { pending: id } of pending) world.tables.invoiceitem.delete(id ?? '');
  if (ending) {
    const last = pending.length
      ? draftInvoice(world, subscription, {
          reason: 'subscription_cycle',
          sources: pending,
          period,
        })
      : null;
    if (last) finalizeInvoice(world, last);
    endSubscription(world, subscription);
    return last;
  }
  for (const item of subscription.items.data) {
    const { start, end } = nextPeriod(subscription.billing_cycle_anchor, item);
    item.current_period_start = start;
    item.current_period_end = end;
    beginPeriod(item);
  }
  const full = subscription.items.data.map((item) =>
    fullLine(item, { start: item.current_period_start, end: item.current_period_end }),
  );
  return draftInvoice(world, subscription, {
    reason: 'subscription_cycle',
    sources: [...pending, ...full],
    period,
  });
};

/** A draft becomes final and is charged by Stripe itself. `succeeds` is the end that a test wants. */
export const collect = (world: World, invoice: Invoice, succeeds: boolean): void => {
  if (invoice.status === 'draft') finalizeInvoice(world, invoice);
  const { subscription: id } = invoice.parent.subscription_details;
  if (invoice.amount_due === 0) settleInvoice(world, invoice, null);
  else {
    const method = defaultMethodOf(world, retrieve(world, 'subscription', id));
    if (method === undefined)
      throw invalid(`The subscription ${id} has no stored payment method to pay with.`);
    attemptInvoice(world, invoice, method, succeeds);
  }
};

/** All that the turn of the period does, at once; `succeeds` says how the one attempt ends. */
export const renew = (world: World, id: string, succeeds: boolean): Invoice | null => {
  const subscription = retrieve(world, 'subscription', id);
  if (!['active', 'past_due'].includes(subscription.status))
    throw invalid(`The subscription ${id} is ${subscription.status}; it does not renew.`);
  const invoice = turnPeriod(world, subscription);
  if (subscription.status !== 'canceled')
    emit(world, 'customer.subscription.updated', subscription);
  if (invoice) collect(world, invoice, succeeds);
  return invoice;
};
