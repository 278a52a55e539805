/** The end of a subscription at Stripe: before it is paid, at once, or with the month. */
import type Stripe from 'stripe';
import type { Order } from '../../billing/billed-order.server.ts';
import { type Cents, cents, totalOf } from '../../platform/money.ts';
import { CURRENCY, idOf, orUnavailable } from './stripe-client.server.ts';
import { ENDED_HERE, isItemOf, listWaiting, waitingChanges } from './stripe-invoices.server.ts';

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
    await voidOpen(stripe, id);
  } catch (error) {
    if (!(await isPaid())) throw error;
    return 'succeeded';
  }
  await endNow(stripe, id);
  return 'canceled';
}

/** At once, with its open invoices. */
export async function endPlan(stripe: Stripe, order: Order, id: string): Promise<void> {
  const hasPaid = !(await voidOpen(stripe, id)) && order.status === 'paid';
  const owed = hasPaid ? await owedAtEnd(stripe, order, id) : NOTHING_OWED;
  await endNow(stripe, id, owed.isBilled);
  // An end waits for no answer to this, and an order that goes on is billed for it.
  if (owed.credit < 0) await orUnavailable('credit-at-end', keepCredit(stripe, order, owed.credit));
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
 * Stripe refuses to void what was paid meanwhile, or what a bank debit is paying. Returns whether
 * there was any.
 */
async function voidOpen(stripe: Stripe, subscription: string): Promise<boolean> {
  const list = async (status: 'draft' | 'open') =>
    (await stripe.invoices.list({ subscription, status, limit: 100 })).data;
  const [drafts, open] = [await list('draft'), await list('open')];
  // A renewal's draft would be charged in an hour, also after the end.
  for (const { id } of drafts) await stripe.invoices.update(id, { auto_advance: false });
  for (const { id } of open)
    await stripe.invoices.voidInvoice(id).catch(async (error: unknown) => {
      // Another request may have come first.
      if ((await stripe.invoices.retrieve(id)).status !== 'void') throw error;
    });
  return drafts.length + open.length > 0;
}

/** `credit`: in cents, not above 0, and for no bill to give. */
const NOTHING_OWED = { isBilled: false, credit: cents(0) };

/**
 * What the changes since the last bill, such as to fewer users, leave to the customer. A last bill
 * gives it, unless staff's own items cost more than that, which nothing is to charge.
 */
async function owedAtEnd(
  stripe: Stripe,
  order: Order,
  subscription: string,
): Promise<typeof NOTHING_OWED> {
  const items = await orUnavailable('owed-at-end', listWaiting(stripe, order));
  if (items === 'unavailable') return NOTHING_OWED;
  const changes = totalOf(waitingChanges(items, subscription));
  const isBilled = totalOf(items.filter((item) => isItemOf(item, subscription))) < 0;
  return { isBilled, credit: cents(isBilled ? 0 : Math.min(0, changes)) };
}

/** As the customer's balance, with the sales tax of the month. */
async function keepCredit(
  stripe: Stripe,
  { subscription: { customerId, subscriptionId, amountCents, totalCents } }: Order,
  changes: Cents,
): Promise<void> {
  const withTax = (changes * (totalCents ?? amountCents)) / Math.max(1, amountCents);
  const credit = { amount: Math.round(withTax), currency: CURRENCY };
  const once = { idempotencyKey: `credit-at-end-${subscriptionId}` };
  if (customerId !== null)
    await stripe.customers.createBalanceTransaction(customerId, credit, once);
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
      cancellation_details: { comment: ENDED_HERE },
      ...(invoice_now && { invoice_now }),
    });
  } catch (error) {
    if (!hasEnded(await stripe.subscriptions.retrieve(id))) throw error;
  }
}
