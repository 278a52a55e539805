import { emit, endSubscription, invoiceFor, settleInvoice } from './billing.ts';
import { invalid } from './errors.ts';
import type { Invoice } from './objects-invoice.ts';
import { periodEnd, type Subscription } from './objects-subscription.ts';
import { attemptInvoice, type Outcome } from './payments.ts';
import { retrieve, type World } from './world.ts';

const nextPeriod = (subscription: Subscription): void => {
  const anchor = subscription.billing_cycle_anchor;
  subscription.items.data = subscription.items.data.map((item) => {
    let periods = 1;
    while (periodEnd(anchor, item.price.recurring, periods) <= item.current_period_end)
      periods += 1;
    return {
      ...item,
      current_period_start: item.current_period_end,
      current_period_end: periodEnd(anchor, item.price.recurring, periods),
    };
  });
};

/** The turn of the period: a new invoice and one attempt to have it paid, or the end when that was asked for. */
export const renew = (world: World, id: string, pay: Outcome): Invoice | null => {
  const subscription = retrieve(world, 'subscription', id);
  if (!['active', 'past_due', 'trialing'].includes(subscription.status)) {
    throw invalid(`The subscription ${id} is ${subscription.status}; it does not renew.`);
  }
  if (subscription.cancel_at_period_end) {
    endSubscription(world, subscription, 'cancellation_requested');
    return null;
  }
  const previous = {
    items: structuredClone(subscription.items),
    latest_invoice: subscription.latest_invoice,
  };
  nextPeriod(subscription);
  const invoice = invoiceFor(world, subscription, 'subscription_cycle');
  emit(world, 'customer.subscription.updated', subscription, previous);
  if (invoice.amount_due === 0) settleInvoice(world, invoice, null);
  else attemptInvoice(world, invoice, pay);
  return invoice;
};
