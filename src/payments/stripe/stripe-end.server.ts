/** The end of a subscription at Stripe: before it is paid, at once, or with the month. */
import type Stripe from 'stripe';
import type { Order } from '../../billing/billed-order.server.ts';
import type { WaitingItem } from '../../billing/gateway.server.ts';
import { isTakenBack } from '../../billing/invoice-store.server.ts';
import type { EventOf } from '../../billing/order-event.server.ts';
import { type Cents, cents, totalOf } from '../../platform/money.ts';
import { CURRENCY, idOf, isFinal, orUnavailable, stripeFailure } from './stripe-client.server.ts';
import {
  descriptionOf,
  invoiceItemOf,
  isItemOf,
  listInvoices,
  listWaiting,
} from './stripe-invoices.server.ts';

/** Stripe refuses to void a paid invoice, and none can pay a void one: we cancel or they pay. */
export async function cancelFirstPayment(
  stripe: Stripe,
  { startsOn }: Order,
  id: string,
): Promise<'canceled' | 'succeeded'> {
  const isPaid = async () => {
    const { data } = await stripe.invoices.list({ subscription: id, status: 'paid', limit: 100 });
    // Before a start day, an invoice of nothing counts as paid.
    return data.some(({ amount_due: due }) => due > 0 || startsOn === null);
  };
  if (await isPaid()) return 'succeeded';
  try {
    await endUnbilled(stripe, id, () => endNow(stripe, id));
    return 'canceled';
  } catch (error) {
    if (!(await isPaid())) throw error;
    return 'succeeded';
  }
}

/** At once, with its open invoices. What no last bill gives, `leftAtEnd` does. */
export async function endPlan(stripe: Stripe, order: Order, id: string): Promise<void> {
  await endUnbilled(stripe, id, async (isOwed) => {
    const hasPaid = !isOwed && order.status === 'paid';
    await endNow(stripe, id, hasPaid && (await isCredit(stripe, order, id)));
  });
}

/** Metadata key: who asked for the end, or for none. */
const END_PRESS = 'endPress';

/** What staff have scheduled in Stripe's dashboard would refuse it, and is released. */
export async function changeEnd(
  stripe: Stripe,
  id: string,
  to: Pick<Stripe.SubscriptionUpdateParams, 'cancel_at' | 'cancel_at_period_end'>,
  pressId = 0,
): Promise<void> {
  const metadata = { [END_PRESS]: String(pressId) };
  const change = () => stripe.subscriptions.update(id, { ...to, metadata });
  try {
    await change();
  } catch (error) {
    const { schedule } = await stripe.subscriptions.retrieve(id);
    if (!schedule) throw error;
    await stripe.subscriptionSchedules.release(idOf(schedule));
    await change();
  }
}

/**
 * Once nothing that is open can be paid; `isOwed`: there was any. Stripe refuses to void what was
 * paid meanwhile, or what a bank debit is paying.
 */
async function endUnbilled(
  stripe: Stripe,
  subscription: string,
  end: (isOwed: boolean) => Promise<void>,
): Promise<void> {
  const list = async (status: 'draft' | 'open') =>
    (await stripe.invoices.list({ subscription, status, limit: 100 })).data;
  const [drafts, open] = [await list('draft'), await list('open')];
  const advance = async (auto_advance: boolean) => {
    for (const { id } of drafts.filter((draft) => draft.auto_advance))
      await stripe.invoices.update(id, { auto_advance });
  };
  // A renewal's draft would be charged in an hour, also after the end.
  await advance(false);
  try {
    for (const { id } of open)
      await stripe.invoices.voidInvoice(id).catch(async (error: unknown) => {
        // Another request may have come first.
        if ((await stripe.invoices.retrieve(id)).status !== 'void') throw error;
      });
    await end(drafts.length + open.length > 0);
  } catch (error) {
    if (!hasEnded(await stripe.subscriptions.retrieve(subscription))) await advance(true);
    throw error;
  }
}

/** A last bill would charge what staff's own items cost more than the changes leave. */
async function isCredit(stripe: Stripe, order: Order, subscription: string): Promise<boolean> {
  const items = await orUnavailable('owed-at-end', listWaiting(stripe, order));
  if (items === 'unavailable') return false;
  return totalOf(items.filter((item) => isItemOf(item, subscription))) < 0;
}

/** What Stripe keeps of an end that the site has made, and whether a last bill came with it. */
const ENDED_HERE = 'Ended on the site';
const BILLED_HERE = `${ENDED_HERE} with a last bill`;

/** Of a plan that has ended: no bill comes for what staff put on the next one, or changes left. */
export async function leftAtEnd(
  stripe: Stripe,
  order: Order,
  { id: subscription, cancellation_details: end }: Stripe.Subscription,
): Promise<(EventOf<'item-unbilled'> | EventOf<'credit-dropped'>)[]> {
  // The bill of another plan that staff have set up for the customer brings its own.
  const isElsewhere = (item: Stripe.InvoiceItem) =>
    item.parent?.subscription_details && !isItemOf(item, subscription);
  const left = (await listWaiting(stripe, order)).filter((item) => !isElsewhere(item));
  const unbilled = left.map((item) => ({
    kind: 'item-unbilled' as const,
    item: item.id,
    what: descriptionOf(item),
    amount: cents(item.amount),
  }));
  const waited: readonly WaitingItem[] = JSON.parse(order.subscription.waiting);
  if (waited.length === 0 || end?.comment === BILLED_HERE) return unbilled;
  // A last bill may have been made since they were listed.
  const bills = await listInvoices(stripe, subscription);
  const lines = bills.flatMap(({ lines: { data } }) => data);
  const kept = new Set([...left.map(({ id }) => id), ...lines.map(invoiceItemOf)]);
  const amount = cents(-totalOf(waited.filter(({ id }) => !kept.has(id))));
  if (amount <= 0) return unbilled;
  const isKept =
    end?.comment === ENDED_HERE &&
    (!isCreditOwed(order) || (await keepCredit(stripe, order, amount)));
  return isKept ? unbilled : [...unbilled, { kind: 'credit-dropped', amount }];
}

/** No credit is left of a month that was not paid, or was refunded. */
function isCreditOwed({ status, invoices }: Order): boolean {
  const month = invoices.find(({ periodStart }) => periodStart !== null);
  return status !== 'refunded' && month?.status === 'paid' && !isTakenBack(month);
}

/** Once, as the customer's balance, with the sales tax of the month. False where it is refused. */
async function keepCredit(
  stripe: Stripe,
  { subscription: { customerId, subscriptionId, amountCents, totalCents } }: Order,
  changes: Cents,
): Promise<boolean> {
  const withTax = (changes * (totalCents ?? amountCents)) / Math.max(1, amountCents);
  const credit = { amount: -Math.round(withTax), currency: CURRENCY };
  const once = { idempotencyKey: `credit-at-end-${subscriptionId}` };
  try {
    await stripe.customers.createBalanceTransaction(`${customerId}`, credit, once);
    return true;
  } catch (error) {
    if (!isFinal(stripeFailure(error, 'credit-at-end'))) throw error;
    return false;
  }
}

export function hasEnded({ status }: Stripe.Subscription): boolean {
  return status === 'canceled' || status === 'incomplete_expired';
}

/**
 * Idempotent: Stripe refuses a second cancel, and the first response may have been lost.
 * `invoice_now`: a last bill makes what is owed the customer's credit; Stripe would drop it.
 */
async function endNow(stripe: Stripe, id: string, invoice_now = false): Promise<void> {
  try {
    await stripe.subscriptions.cancel(id, {
      cancellation_details: { comment: invoice_now ? BILLED_HERE : ENDED_HERE },
      ...(invoice_now && { invoice_now }),
    });
  } catch (error) {
    if (!hasEnded(await stripe.subscriptions.retrieve(id))) throw error;
  }
}
