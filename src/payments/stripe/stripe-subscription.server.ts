/** An order's subscription at Stripe: made once, whatever is repeated or lost on the way, for a customer of its own. */
import type { Kysely } from 'kysely';
import type Stripe from 'stripe';
import { priceLinesOf } from '../../catalogue/pricing.ts';
import type { StartedAtProvider } from '../../orders/gateway.server.ts';
import { type Order, saveCustomer } from '../../orders/order-store.server.ts';
import type { Tables } from '../../platform/database/tables.server.ts';
import { cents } from '../../platform/money.ts';
import { CURRENCY, hasCode, idOf } from './stripe-client.server.ts';
import { ensureProducts, pricedItem } from './stripe-items.server.ts';

interface Deps {
  db: Kysely<Tables>;
  stripe: Stripe;
  tax: boolean;
}

const SECRET = 'latest_invoice.confirmation_secret';
const UNKNOWN_PLACE = 'customer_tax_location_invalid';

/**
 * Throws Stripe's errors, but for a ZIP code that it does not know. The subscription stays 'incomplete' until the
 * browser has had its first invoice paid.
 */
export async function subscribe(
  { db, stripe, tax }: Deps,
  order: Order,
): Promise<StartedAtProvider | 'unknown-postal-code'> {
  // An earlier call may have made it although its answer was lost.
  const earlier = await findSubscription(stripe, order);
  if (earlier) return earlier;
  const lines = priceLinesOf(order);
  const [customer] = await Promise.all([
    order.customerId ?? makeCustomer(stripe, db, order),
    ensureProducts(stripe, order, lines),
  ]);
  try {
    const made = await stripe.subscriptions.create({
      customer,
      items: lines.map((line) => pricedItem(order, line)),
      payment_behavior: 'default_incomplete',
      payment_settings: { save_default_payment_method: 'on_subscription' },
      metadata: { orderId: order.id, ...(order.company && { company: order.company }) },
      ...(tax ? { automatic_tax: { enabled: true } } : {}),
      expand: [SECRET],
    });
    return startedFor(made);
  } catch (error) {
    if (hasCode(error, UNKNOWN_PLACE)) return 'unknown-postal-code';
    throw error;
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

/** Stripe takes no longer phone number. */
const LONGEST_PHONE = 20;

/** What a visitor types who has not paid must not reach another, so each order has its own. Gives the id. */
async function makeCustomer(
  stripe: Stripe,
  db: Kysely<Tables>,
  { id: orderId, name, email, phone, postalCode }: Order,
): Promise<string> {
  const { id } = await stripe.customers.create({
    name,
    email,
    ...(phone && phone.length <= LONGEST_PHONE ? { phone } : {}),
    ...(postalCode ? { address: addressOf(postalCode) } : {}),
  });
  await saveCustomer(db, orderId, id);
  return id;
}

/** The subscription of the order's customer, if it has been made. Throws Stripe's errors. */
export async function findSubscription(
  stripe: Stripe,
  { customerId: customer }: Order,
): Promise<StartedAtProvider | undefined> {
  if (!customer) return undefined;
  const expand = [`data.${SECRET}`];
  const { data } = await stripe.subscriptions.list({ customer, status: 'all', limit: 1, expand });
  return data[0] && startedFor(data[0]);
}

function startedFor({
  id,
  customer,
  latest_invoice: invoice,
}: Stripe.Subscription): StartedAtProvider {
  if (!invoice || typeof invoice === 'string')
    throw new Error(`the subscription ${id} came without its invoice`);
  const clientSecret = invoice.confirmation_secret?.client_secret ?? null;
  return {
    // 'pi_123_secret_abc' → 'pi_123'.
    paymentId: clientSecret && (clientSecret.split('_secret_')[0] ?? null),
    clientSecret,
    customerId: idOf(customer),
    subscriptionId: id,
    due: cents(invoice.amount_due),
  };
}
