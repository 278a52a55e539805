/**
 * An order's subscription at Stripe: made once, whatever is repeated, lost or refused on the way; for the customer of its
 * buyer's earlier orders, or a new one. See docs/decisions/004.
 */
import type { Kysely } from 'kysely';
import Stripe from 'stripe';
import { priceLinesOf } from '../../catalogue/pricing.ts';
import type { StartedAtProvider } from '../../orders/gateway.server.ts';
import { saveCustomer } from '../../orders/order-store.server.ts';
import type { Row, Tables } from '../../platform/database/tables.server.ts';
import { cents } from '../../platform/money.ts';
import { isMissing } from './stripe-client.server.ts';
import { pricedItems } from './stripe-prices.server.ts';

interface Deps {
  db: Kysely<Tables>;
  stripe: Stripe;
  tax: boolean;
}

type Order = Row<'orders'>;

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
    if (error instanceof Stripe.errors.StripeError && error.code === NO_PLACE)
      return 'unknown-postal-code';
    const { customerId } = order;
    if (!customerId || !isMissing(error, customerId)) throw error;
    // Stripe knows the customer of the buyer's earlier orders no more.
    await saveCustomer(deps.db, order.id, null);
    return subscribe(deps, { ...order, customerId: null });
  }
}

async function subscribeOnce(deps: Deps, order: Order): Promise<StartedAtProvider> {
  const { stripe, tax } = deps;
  // An earlier call may have made it although its answer was lost.
  const earlier = order.customerId && (await findSubscription(stripe, order, order.customerId));
  if (earlier) return earlier;
  const [customer, items] = await Promise.all([
    customerFor(deps, order),
    pricedItems(stripe, order, priceLinesOf(order)),
  ]);
  const parameters: Stripe.SubscriptionCreateParams = {
    customer,
    items: items.map(({ price, quantity }) => ({ price, quantity })),
    payment_behavior: 'default_incomplete',
    payment_settings: { save_default_payment_method: 'on_subscription' },
    metadata: { ...orderMark(order), ...(order.company && { company: order.company }) },
    ...(tax ? { automatic_tax: { enabled: true } } : {}),
    expand: [SECRET],
  };
  return startedFor(stripe, order, await stripe.subscriptions.create(parameters));
}

const NO_PLACE = 'customer_tax_location_invalid';
const SECRET = 'latest_invoice.confirmation_secret';

/** Stripe takes no longer phone number. */
const LONGEST_PHONE = 20;

/**
 * The customer's id. Where the order has one, its buyer is admitted to all orders of that customer, so the address may
 * follow; what anybody else types stands at a new customer, which is nobody's until the order is paid.
 */
async function customerFor(
  { db, stripe }: Pick<Deps, 'db' | 'stripe'>,
  order: Order,
): Promise<string> {
  const { id: orderId, customerId, name, email, phone, postalCode } = order;
  const place = postalCode ? { address: { country: 'US', postal_code: postalCode } } : {};
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

/** The subscription that carries this order's mark, if the customer has one. Throws Stripe's errors. */
export async function findSubscription(
  stripe: Stripe,
  order: Order,
  customer: string,
): Promise<StartedAtProvider | undefined> {
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
  const secret = invoice.confirmation_secret?.client_secret ?? null;
  return {
    paymentId: secret && paymentIdOf(secret),
    clientSecret: secret,
    customerId: idOf(subscription.customer),
    subscriptionId: id,
    due: cents(invoice.amount_due ?? order.amountCents),
  };
}

/** A reference is an id, or the whole thing when it was asked for. */
export function idOf(reference: string | { id: string }): string {
  return typeof reference === 'string' ? reference : reference.id;
}

/** 'pi_123_secret_abc' → 'pi_123'. */
function paymentIdOf(clientSecret: string): string {
  return clientSecret.split('_secret_')[0] ?? clientSecret;
}
