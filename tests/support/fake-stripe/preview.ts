/** The next bill as it would be, with a change or without. Nothing is kept of it. */

import { fullLine, type Invoice, makeInvoice } from './billing-objects.ts';
import { isEnding, nextPeriod, pendingSources, presentPeriod } from './cycles.ts';
import { invalid, missing, notModelled, StripeFailure } from './errors.ts';
import { changeItems, type ItemChange } from './item-changes.ts';
import type { Address } from './objects.ts';
import { checkTax } from './subscription-prices.ts';
import { isOver } from './subscriptions.ts';
import { newId, refer, retrieve, type World } from './world.ts';

export interface PreviewDetails {
  items?: ItemChange[] | undefined;
  proration_behavior?: 'create_prorations' | undefined;
  proration_date?: number | undefined;
}

export const previewInvoice = (
  world: World,
  id: string,
  { items, proration_date: date }: PreviewDetails = {},
): Invoice => {
  const subscription = refer(world, 'subscription', id, 'subscription');
  if (subscription.status === 'incomplete')
    throw notModelled('A preview for a subscription that nobody has paid', 'subscription');
  if (items === undefined && date !== undefined) {
    throw invalid(
      'A proration date needs `subscription_details[items]`.',
      'subscription_details[proration_date]',
    );
  }
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
  const present = subscription.items.data;
  const changed = items && changeItems(world, subscription, items, date ?? world.now());
  const period = presentPeriod(subscription);
  const fresh = (changed?.prorations ?? []).toReversed();
  const full = (changed?.items ?? present).map((item) =>
    fullLine(item, nextPeriod(subscription.billing_cycle_anchor, item)),
  );
  const { invoice } = makeInvoice(world, {
    customer: retrieve(world, 'customer', subscription.customer),
    subscription,
    reason: 'subscription_cycle',
    sources: [
      ...fresh.map((each) => ({ ...each, proration: true, pending: null })),
      ...pending,
      ...(ending ? [] : full),
    ],
    period,
    preview: true,
  });
  return invoice;
};

interface Alone {
  automatic_tax?: { enabled: boolean } | undefined;
  customer_details?: { address: Address } | undefined;
  invoice_items?: { amount: number }[] | undefined;
}

/** A bill for nobody yet: as much of it as tells whether tax can be computed. */
export const previewItems = ({
  automatic_tax: tax,
  customer_details: customer,
  invoice_items: items,
}: Alone) => {
  if (!items || !customer) throw missing(items ? 'customer_details' : 'invoice_items');
  if (tax?.enabled) checkTax(customer, []);
  const total = items.reduce((sum, { amount }) => sum + amount, 0);
  return { id: newId('upcoming_in'), object: 'invoice' as const, subtotal: total, total };
};
