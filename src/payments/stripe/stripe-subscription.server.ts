/** Creates an order's subscription at Stripe exactly once, with its customer, products and items, whatever is retried or lost. */
import type Stripe from 'stripe';
import { LINE_KINDS, type PriceLine, priceLinesOf } from '../../catalogue/pricing.ts';
import type { ProviderPayment } from '../../orders/gateway.server.ts';
import { type Order, saveCustomer } from '../../orders/order-store.server.ts';
import type { Db } from '../../platform/database/tables.server.ts';
import { type Cents, cents } from '../../platform/money.ts';
import { CURRENCY, hasCode, idOf } from './stripe-client.server.ts';

interface Deps {
  db: Db;
  stripe: Stripe;
  tax: boolean;
}

const SECRET = 'latest_invoice.confirmation_secret';

/**
 * Throws Stripe's errors, except for an unknown ZIP code. The subscription stays 'incomplete' until the buyer has paid its first
 * invoice in the browser.
 */
export async function subscribe(
  { db, stripe, tax }: Deps,
  order: Order,
): Promise<ProviderPayment | 'unknown-postal-code'> {
  // An earlier call may have created it and lost the response.
  const earlier = await findSubscription(stripe, order);
  if (earlier) return earlier;
  const lines = priceLinesOf(order);
  const [customer] = await Promise.all([
    order.customerId ?? makeCustomer(stripe, db, order),
    ensureProducts(stripe, order, lines),
  ]);
  const made = await stripe.subscriptions
    .create({
      customer,
      items: lines.map((line) => pricedItem(order, line)),
      payment_behavior: 'default_incomplete',
      payment_settings: { save_default_payment_method: 'on_subscription' },
      metadata: { orderId: order.id, ...(order.company && { company: order.company }) },
      ...(tax && { automatic_tax: { enabled: true } }),
      expand: [SECRET],
    })
    .catch(unknownPostalCodeOrThrow);
  return made === 'unknown-postal-code' ? made : paymentOf(made);
}

/** Whether Stripe can compute sales tax for the ZIP code; creates nothing. Throws Stripe's other errors. */
export async function checkPostalCode(
  stripe: Stripe,
  postalCode: string,
): Promise<'known' | 'unknown-postal-code'> {
  const previewed = await stripe.invoices
    .createPreview({
      automatic_tax: { enabled: true },
      customer_details: { address: usAddress(postalCode) },
      currency: CURRENCY,
      invoice_items: [{ amount: 100, currency: CURRENCY, tax_behavior: 'exclusive' }],
    })
    .catch(unknownPostalCodeOrThrow);
  return previewed === 'unknown-postal-code' ? previewed : 'known';
}

function unknownPostalCodeOrThrow(error: unknown): 'unknown-postal-code' {
  if (hasCode(error, 'customer_tax_location_invalid')) return 'unknown-postal-code';
  throw error;
}

function usAddress(postalCode: string) {
  return { country: 'US', postal_code: postalCode };
}

/** Stripe rejects longer phone numbers. */
const MAX_PHONE = 20;

/**
 * Creates a customer for this order alone and returns its id: an unpaid order with someone else's address must not change that
 * person's customer.
 */
async function makeCustomer(
  stripe: Stripe,
  db: Db,
  { id: orderId, name, email, phone, postalCode }: Order,
): Promise<string> {
  const { id } = await stripe.customers.create({
    name,
    email,
    ...(phone && phone.length <= MAX_PHONE && { phone }),
    ...(postalCode && { address: usAddress(postalCode) }),
  });
  await saveCustomer(db, orderId, id);
  return id;
}

/** Finds the subscription of the order's customer, if it was created. Throws Stripe's errors. */
export async function findSubscription(
  stripe: Stripe,
  { customerId: customer }: Order,
): Promise<ProviderPayment | undefined> {
  if (!customer) return undefined;
  const expand = [`data.${SECRET}`];
  const { data } = await stripe.subscriptions.list({ customer, status: 'all', limit: 1, expand });
  return data[0] && paymentOf(data[0]);
}

function paymentOf({
  id,
  customer,
  latest_invoice: invoice,
}: Stripe.Subscription): ProviderPayment {
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

/** Product ids are fixed, so that concurrent orders cannot create a product twice. */
function productIdOf({ planId, ms365Option }: Order, kind: PriceLine['kind']): string {
  return {
    plan: `plan_${planId}`,
    microsoft365: `microsoft365_${ms365Option}`,
    backup: 'microsoft365_backup',
  }[kind];
}

/** Creates the products of these lines that Stripe does not have yet. */
export async function ensureProducts(
  stripe: Stripe,
  order: Order,
  lines: readonly PriceLine[],
): Promise<void> {
  const sold = lines.map(({ kind, label }) => ({ id: productIdOf(order, kind), name: label }));
  const { data: existing } = await stripe.products.list({ ids: sold.map(({ id }) => id) });
  const missing = sold.filter(({ id }) => existing.every((product) => product.id !== id));
  await Promise.all(
    missing.map((product) => stripe.products.create(product).catch(ignoreExisting)),
  );
}

/** Another order may have created the product in the meantime. */
function ignoreExisting(error: unknown): void {
  if (!hasCode(error, 'resource_already_exists')) throw error;
}

/** An item with its own price, so that edits in Stripe's catalogue never change what a customer pays. */
function pricedItem(order: Order, { kind, unitPrice, quantity }: PriceLine) {
  return {
    price_data: {
      product: productIdOf(order, kind),
      currency: CURRENCY,
      unit_amount: unitPrice,
      recurring: { interval: 'month' },
      tax_behavior: 'exclusive',
    },
    quantity,
  } as const;
}

/** Converts what Stripe charges for a product into a line of the order; undefined for a product that is not part of the plan. */
export function toPriceLine(
  order: Order,
  product: string,
  unit: number | null,
  quantity: number | undefined,
): PriceLine | undefined {
  const kind = LINE_KINDS.find((each) => productIdOf(order, each) === product);
  if (!kind || unit === null || !Number.isInteger(unit) || quantity === undefined) return undefined;
  const label = priceLinesOf(order).find((line) => line.kind === kind)?.label ?? 'Cloud backup';
  return { kind, label, unitPrice: cents(unit), quantity, amount: cents(unit * quantity) };
}

interface SubscriptionLine extends PriceLine {
  /** The id of the subscription item that charges the line. */
  item: string;
}

/**
 * The subscription's items as lines of the order; undefined when staff have set up anything else in Stripe's dashboard, which a
 * change on the customer's page must not overwrite.
 */
export function subscriptionLines(
  { items }: Stripe.Subscription,
  order: Order,
): SubscriptionLine[] | undefined {
  const lines = items.data.flatMap(({ id, price, quantity }) => {
    const line = toPriceLine(order, idOf(price.product), price.unit_amount, quantity);
    return line ? [{ ...line, item: id }] : [];
  });
  const inOrder = LINE_KINDS.flatMap((kind) => lines.find((line) => line.kind === kind) ?? []);
  const isWhole = priceLinesOf(order).every(
    ({ kind }) => kind === 'backup' || lines.some((line) => line.kind === kind),
  );
  return items.has_more || inOrder.length < items.data.length || !isWhole ? undefined : inOrder;
}

/** The items to send to Stripe to get from the current lines to the wanted ones; unchanged lines are left out. */
export function itemChanges(
  order: Order,
  current: readonly SubscriptionLine[],
  wanted: readonly PriceLine[],
): Stripe.SubscriptionUpdateParams.Item[] {
  const changes = wanted.flatMap((line): Stripe.SubscriptionUpdateParams.Item[] => {
    const had = current.find(({ kind }) => kind === line.kind);
    if (!had) return [pricedItem(order, line)];
    if (had.unitPrice !== line.unitPrice) return [{ id: had.item, ...pricedItem(order, line) }];
    return had.quantity === line.quantity ? [] : [{ id: had.item, quantity: line.quantity }];
  });
  const gone = current.filter((had) => wanted.every(({ kind }) => kind !== had.kind));
  return [...changes, ...gone.map(({ item: id }) => ({ id, deleted: true }))];
}

export function sumOf(amounts: readonly { amount: number }[]): Cents {
  return cents(amounts.reduce((sum, { amount }) => sum + amount, 0));
}
