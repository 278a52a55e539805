/**
 * An order's subscription at Stripe: made once, whatever is repeated, lost or refused on the way; for the customer of its
 * buyer's earlier orders, or a new one. See docs/decisions/004.
 */
import type { Kysely } from 'kysely';
import type Stripe from 'stripe';
import { priceLinesOf } from '../../catalogue/pricing.ts';
import type { StartedAtProvider } from '../../orders/gateway.server.ts';
import { saveCustomer } from '../../orders/order-store.server.ts';
import type { Row, Tables } from '../../platform/database/tables.server.ts';
import { cents } from '../../platform/money.ts';
import { CURRENCY, hasCode, idOf, isMissing } from './stripe-client.server.ts';
import { pricedItem, soldItems } from './stripe-items.server.ts';

interface Deps {
  db: Kysely<Tables>;
  stripe: Stripe;
  tax: boolean;
}

type Order = Row<'orders'>;

const SECRET = 'latest_invoice.confirmation_secret';
const UNKNOWN_PLACE = 'customer_tax_location_invalid';

/**
 * Throws Stripe's errors, but for a ZIP code that it does not know. The subscription stays 'incomplete' until the
 * browser has had its first invoice paid.
 */
export async function subscribe(
  deps: Deps,
  order: Order,
): Promise<StartedAtProvider | 'unknown-postal-code'> {
  try {
    return await subscribeOnce(deps, order);
  } catch (error) {
    if (hasCode(error, UNKNOWN_PLACE)) return 'unknown-postal-code';
    const { customerId } = order;
    if (!customerId || !isMissing(error, customerId)) throw error;
    // Stripe knows the customer of the buyer's earlier orders no more.
    await saveCustomer(deps.db, order.id, null);
    return subscribe(deps, { ...order, customerId: null });
  }
}

/** Whether Stripe can compute the tax there; nothing is made. Throws Stripe's other errors. */
export async function checkPlace(
  stripe: Stripe,
  postalCode: string,
): Promise<'known' | 'unknown-postal-code'> {
  try {
    await stripe.invoices.createPreview({
      automatic_tax: { enabled: true },
      customer_details: { address: addressOf(postalCode) },
      currency: CURRENCY,
      invoice_items: [{ amount: 100, currency: CURRENCY, tax_behavior: 'exclusive' }],
    });
    return 'known';
  } catch (error) {
    if (hasCode(error, UNKNOWN_PLACE)) return 'unknown-postal-code';
    throw error;
  }
}

function addressOf(postalCode: string) {
  return { country: 'US', postal_code: postalCode };
}

async function subscribeOnce(deps: Deps, order: Order): Promise<StartedAtProvider> {
  const { stripe, tax } = deps;
  // An earlier call may have made it although its answer was lost.
  const earlier = await findSubscription(stripe, order);
  if (earlier) return earlier;
  const [customer, items] = await Promise.all([
    customerFor(deps, order),
    soldItems(stripe, order, priceLinesOf(order)),
  ]);
  const made = await stripe.subscriptions.create({
    customer,
    items: items.map(pricedItem),
    payment_behavior: 'default_incomplete',
    payment_settings: { save_default_payment_method: 'on_subscription' },
    metadata: { ...orderMark(order), ...(order.company && { company: order.company }) },
    ...(tax ? { automatic_tax: { enabled: true } } : {}),
    expand: [SECRET],
  });
  return startedFor(stripe, order, made);
}

/** Stripe takes no longer phone number. */
const LONGEST_PHONE = 20;

/**
 * The customer's id. Where the order has one, its buyer is admitted to all orders of that customer, so the address may
 * follow; what anybody else types goes to a new customer, who is nobody's until the order is paid.
 */
async function customerFor(
  { db, stripe }: Pick<Deps, 'db' | 'stripe'>,
  { id: orderId, customerId, name, email, phone, postalCode }: Order,
): Promise<string> {
  const place = postalCode ? { address: addressOf(postalCode) } : {};
  if (customerId) {
    if (postalCode) await stripe.customers.update(customerId, place);
    return customerId;
  }
  const { id } = await stripe.customers.create({
    name,
    email,
    ...(phone && phone.length <= LONGEST_PHONE ? { phone } : {}),
    ...place,
  });
  await saveCustomer(db, orderId, id);
  return id;
}

/** The subscription that carries this order's mark, if its customer has one. Throws Stripe's errors. */
export async function findSubscription(
  stripe: Stripe,
  order: Order,
): Promise<StartedAtProvider | undefined> {
  const { customerId: customer } = order;
  if (!customer) return undefined;
  const expand = [`data.${SECRET}`];
  const mark = orderMark(order);
  try {
    for await (const each of stripe.subscriptions.list({ customer, status: 'all', expand })) {
      const { orderId, orderedAt } = each.metadata;
      if (orderId === mark.orderId && orderedAt === mark.orderedAt) {
        return await startedFor(stripe, order, each);
      }
    }
  } catch (error) {
    if (!isMissing(error, customer)) throw error;
  }
  return undefined;
}

/** The time tells orders apart that got the same number from two databases, such as a trial run's. */
export function orderMark({ id, createdAt }: Order): { orderId: string; orderedAt: string } {
  return { orderId: String(id), orderedAt: String(createdAt) };
}

/** A customer is never charged more than was shown, whatever has been changed at Stripe. */
async function startedFor(
  stripe: Stripe,
  order: Order,
  subscription: Stripe.Subscription,
): Promise<StartedAtProvider> {
  const { id, status, latest_invoice: invoice } = subscription;
  if (!invoice || typeof invoice === 'string') {
    throw new Error(`the subscription ${id} came without its invoice`);
  }
  if (status === 'incomplete') {
    const { amount_due, total, total_excluding_tax } = invoice;
    const untaxed = amount_due - (total - (total_excluding_tax ?? total));
    if (untaxed > order.amountCents) {
      await stripe.subscriptions.cancel(id);
      throw new Error(
        `the subscription ${id} asked for ${untaxed} cents before tax, order ${order.id} for ${order.amountCents}`,
      );
    }
  }
  const clientSecret = invoice.confirmation_secret?.client_secret ?? null;
  return {
    // 'pi_123_secret_abc' → 'pi_123'.
    paymentId: clientSecret && (clientSecret.split('_secret_')[0] ?? null),
    clientSecret,
    customerId: idOf(subscription.customer),
    subscriptionId: id,
    due: cents(invoice.amount_due),
  };
}
