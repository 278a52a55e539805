/**
 * New unit prices of a running subscription at Stripe. Its items have no prices to come, and a
 * change of seats is prorated at their present price: so prices are set in the last hours before
 * the renewal that is the first at them.
 */
import type Stripe from 'stripe';
import type { Order } from '../../billing/billed-order.server.ts';
import type { OtherRenewal, Unchanged } from '../../billing/gateway.server.ts';
import { SAME_RENEWAL_MS } from '../../billing/notice-store.server.ts';
import { isNotDone, type Outcome } from '../../billing/outcome.server.ts';
import { isAtPrices, isSold, type PriceLine, repriced } from '../../catalogue/pricing.ts';
import { cents, totalOf } from '../../platform/money.ts';
import { callStripe, makeOnce, NOT_PRORATED, updateSubscription } from './stripe-client.server.ts';
import {
  billedLines,
  billsMonth,
  listInvoices,
  previewNextInvoice,
} from './stripe-invoices.server.ts';
import {
  billedEvery,
  itemsAtPrices,
  subscriptionLines,
  wholeLines,
} from './stripe-items.server.ts';

export async function setPrices(
  stripe: Stripe,
  order: Order,
  prices: readonly PriceLine[],
  { renewal, key }: { renewal: number | null; key: string },
): Promise<Outcome | Unchanged | OtherRenewal> {
  const { subscriptionId } = order.subscription;
  if (subscriptionId === null) throw new Error(`order ${order.id} has no subscription at Stripe`);
  let running = await stripe.subscriptions.retrieve(subscriptionId);
  const [item] = running.items.data;
  if (!item) throw new Error(`the subscription ${subscriptionId} came without items`);
  const renewsAt = item.current_period_end * 1000;
  if (renewal !== null && renewsAt > renewal + SAME_RENEWAL_MS) {
    const hasRenewed = item.current_period_start * 1000 >= renewal - SAME_RENEWAL_MS;
    return {
      renewsAt,
      billed: hasRenewed ? await presentMonth(stripe, order, running, prices) : null,
    };
  }
  const lines = wholeLines(running, order);
  const items = itemsAtPrices(order, running, prices);
  if (!items || billedEvery(running))
    return {
      refused: 'it is billed in two items, at prices that are not whole cents, or not each month',
      lines,
    };
  if (items.length > 0) {
    const quantities = items.map(({ quantity }) => quantity).join('-');
    const changed = await callStripe(
      'set-prices',
      () =>
        makeOnce(order, `${key}-${quantities}-${order.version}`, (options) =>
          updateSubscription(stripe, running.id, { items, ...NOT_PRORATED }, options),
        ),
      ({ message }) => message,
    );
    if (isNotDone(changed)) return changed === 'unavailable' ? changed : { ...changed, lines };
    running = changed;
  }
  const month = renewal === null ? await presentMonth(stripe, order, running, prices) : null;
  if (month?.isDraft && !month.atNewPrices) {
    const name = `the draft invoice ${month.invoice}`;
    return { refused: `${name} has another one. Please correct or void it there.` };
  }
  const next = await previewNextInvoice(stripe, running.id);
  // A subscription that ends first is never charged them.
  if (!next) return 'done';
  const wanted = repriced(subscriptionLines(running, order) ?? [], prices);
  const shown = billedLines(order, next);
  const agrees = next.lines.has_more
    ? (await soldSum(stripe, order, running, next)) === totalOf(wanted.filter(isSold))
    : wanted.every(({ kind, unitPrice, quantity }) =>
        shown.some(
          (line) =>
            line.kind === kind && line.unitPrice === unitPrice && line.quantity === quantity,
        ),
      );
  return agrees ? 'done' : { refused: 'its next invoice does not show the price' };
}

/**
 * What is sold costs on the next invoice. A preview has ten lines, and prorations of earlier
 * changes come first: the rest is what it asks for if all that is sold were free.
 */
async function soldSum(
  stripe: Stripe,
  order: Order,
  running: Stripe.Subscription,
  next: Stripe.Invoice,
): Promise<number | null> {
  const lines = subscriptionLines(running, order) ?? [];
  const free = lines.map((line) => ({ ...line, unitPrice: cents(0) }));
  const items = itemsAtPrices(order, running, free) ?? [];
  const rest = await previewNextInvoice(stripe, running.id, items);
  return rest ? next.subtotal - rest.subtotal : null;
}

/** The present month's invoice, be another newer; a draft would still be charged in an hour. */
async function presentMonth(
  stripe: Stripe,
  order: Order,
  { id }: Stripe.Subscription,
  prices: readonly PriceLine[],
) {
  const invoice = (await listInvoices(stripe, id)).find(billsMonth);
  if (!invoice?.id) return null;
  return {
    invoice: invoice.number ?? invoice.id,
    amount: cents(invoice.amount_due),
    atNewPrices: isAtPrices(billedLines(order, invoice), prices),
    isDraft: invoice.status === 'draft',
  };
}
