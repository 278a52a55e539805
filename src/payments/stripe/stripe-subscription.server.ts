/** Creates an order's subscription at Stripe exactly once, whatever is retried or lost. */
import type Stripe from 'stripe';
import type { ProviderPayment } from '../../billing/gateway.server.ts';
import { type Order, saveCustomer } from '../../billing/order-store.server.ts';
import type { Subscription } from '../../billing/subscription-store.server.ts';
import {
  lineOf,
  type PriceLine,
  priceLinesOf,
  repriced,
  SOLD_KINDS,
} from '../../catalogue/pricing.ts';
import type { Db } from '../../platform/database/tables.server.ts';
import { cents } from '../../platform/money.ts';
import { CURRENCY, hasCode, idOf, makeOnce } from './stripe-client.server.ts';

const SECRET = 'latest_invoice.confirmation_secret';

/** Throws Stripe's errors, but for an unknown ZIP code. 'incomplete' until the buyer has paid. */
export async function subscribe(
  { db, stripe, tax }: { db: Db; stripe: Stripe; tax: boolean },
  order: Order,
): Promise<ProviderPayment | 'unknown-postal-code'> {
  // An earlier call may have created it and lost the response.
  const earlier = await findStarted(stripe, order);
  if (earlier) return earlier;
  const lines = priceLinesOf(order.subscription);
  const [customer] = await Promise.all([
    order.subscription.customerId ?? makeCustomer(stripe, db, order),
    ensureProducts(stripe, order, lines),
  ]);
  const { daysUntilDue } = order.subscription;
  const parameters: Stripe.SubscriptionCreateParams = {
    customer,
    items: lines.map((line) => pricedItem(order, line)),
    ...(daysUntilDue === null ? BY_CARD : byInvoice(daysUntilDue, order)),
    metadata: { orderId: order.id, ...(order.company && { company: order.company }) },
    ...(tax && { automatic_tax: { enabled: true } }),
    expand: [SECRET],
  };
  const made = await makeOnce(order, 'subscription', async (options, attempt) => {
    const existing = attempt > 1 && (await findSubscription(stripe, { customerId: customer }));
    return existing || paymentOf(await stripe.subscriptions.create(parameters, options));
  }).catch(unknownPostalCodeOrThrow);
  return made === 'unknown-postal-code' ? made : issued(stripe, order, made);
}

const BY_CARD = {
  payment_behavior: 'default_incomplete',
  payment_settings: { save_default_payment_method: 'on_subscription' },
} as const;

/** ACH debit, or ACH credit and wire to an account number that the invoice names. */
function byInvoice(days_until_due: number, { poNumber }: Order) {
  return {
    collection_method: 'send_invoice',
    days_until_due,
    payment_settings: {
      payment_method_types: ['us_bank_account', 'customer_balance'],
      payment_method_options: {
        customer_balance: {
          funding_type: 'bank_transfer',
          bank_transfer: { type: 'us_bank_transfer' },
        },
      },
    },
    ...(poNumber && { invoice_settings: poNumberFields(poNumber) }),
  } satisfies Partial<Stripe.SubscriptionCreateParams>;
}

/** What each of the subscription's invoices shows. */
export function poNumberFields(value: string) {
  return { custom_fields: [{ name: 'Purchase order', value }] };
}

/** Stripe would leave a first invoice as a draft for an hour; this one is sent at once. */
async function issued(
  stripe: Stripe,
  order: Order,
  { invoice, isSent, ...payment }: MadeSubscription,
): Promise<ProviderPayment> {
  if (!isSent) return payment;
  const { status } = await stripe.invoices.retrieve(invoice);
  if (status === 'draft')
    await makeOnce(order, 'finalize', (options) =>
      stripe.invoices.finalizeInvoice(invoice, {}, options),
    );
  if (status === 'draft' || status === 'open')
    await makeOnce(order, 'send', (options) => stripe.invoices.sendInvoice(invoice, {}, options));
  return { ...payment, paymentId: null, clientSecret: null };
}

/** Whether Stripe can compute tax for the ZIP code; creates nothing. Throws other errors. */
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
 * A customer for this order alone: an unpaid order with another's address changes nothing of
 * theirs.
 */
async function makeCustomer(stripe: Stripe, db: Db, order: Order): Promise<string> {
  const { name, email, phone, postalCode } = order;
  const parameters = {
    name,
    email,
    ...(phone && phone.length <= MAX_PHONE && { phone }),
    ...(postalCode && { address: usAddress(postalCode) }),
  };
  const { id } = await makeOnce(order, 'customer', (options) =>
    // One that a failed attempt made has no subscription and is never charged.
    stripe.customers.create(parameters, options),
  );
  await saveCustomer(db, order.id, id);
  return id;
}

interface MadeSubscription extends ProviderPayment {
  /** The id of the latest invoice. */
  invoice: string;
  /** It is to be paid by bank. */
  isSent: boolean;
}

/** Finds what an earlier start made, if anything. Throws Stripe's errors. */
export async function findStarted(
  stripe: Stripe,
  order: Order,
): Promise<ProviderPayment | undefined> {
  const made = await findSubscription(stripe, order.subscription);
  return made && issued(stripe, order, made);
}

async function findSubscription(
  stripe: Stripe,
  { customerId: customer }: Pick<Subscription, 'customerId'>,
): Promise<MadeSubscription | undefined> {
  if (!customer) return undefined;
  const expand = [`data.${SECRET}`];
  const { data } = await stripe.subscriptions.list({ customer, status: 'all', limit: 1, expand });
  return data[0] && paymentOf(data[0]);
}

function paymentOf({
  id,
  customer,
  latest_invoice: invoice,
}: Stripe.Subscription): MadeSubscription {
  if (!invoice || typeof invoice === 'string' || !invoice.id)
    throw new Error(`the subscription ${id} came without its invoice`);
  const clientSecret = invoice.confirmation_secret?.client_secret ?? null;
  return {
    // 'pi_123_secret_abc' → 'pi_123'.
    paymentId: clientSecret && (clientSecret.split('_secret_')[0] ?? null),
    clientSecret,
    customerId: idOf(customer),
    subscriptionId: id,
    due: cents(invoice.amount_due),
    invoice: invoice.id,
    isSent: invoice.collection_method === 'send_invoice',
  };
}

/** Product ids are fixed, so that concurrent orders cannot create a product twice. */
function productIdOf({ planId, ms365Option }: Order, kind: PriceLine['kind']): string | undefined {
  switch (kind) {
    case 'plan':
      return `plan_${planId}`;
    case 'microsoft365':
      return `microsoft365_${ms365Option}`;
    case 'backup':
      return 'microsoft365_backup';
    default:
      return undefined;
  }
}

/** Creates the products of these lines that Stripe does not have yet. */
export async function ensureProducts(
  stripe: Stripe,
  order: Order,
  lines: readonly PriceLine[],
): Promise<void> {
  const sold = lines.flatMap(({ kind, label: name }) => {
    const id = productIdOf(order, kind);
    return id ? [{ id, name }] : [];
  });
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

/** An item with its own price: edits in Stripe's catalogue change no customer's. */
function pricedItem(order: Order, { kind, unitPrice, quantity }: PriceLine) {
  const product = productIdOf(order, kind);
  if (!product) throw new Error(`a line of the kind ${kind} is not sold`);
  return {
    price_data: {
      product,
      currency: CURRENCY,
      unit_amount: unitPrice,
      recurring: { interval: 'month' },
      tax_behavior: 'exclusive',
    },
    quantity,
  } as const;
}

/** What Stripe charges for a product as a line. `name`: for what staff added at Stripe. */
export function toPriceLine(
  order: Order,
  { product, name, unit, quantity }: Charged,
): PriceLine | undefined {
  if (unit === null || !Number.isInteger(unit)) return undefined;
  const kind = SOLD_KINDS.find((sold) => productIdOf(order, sold) === product);
  if (!kind) return lineOf('other', name, cents(unit), quantity);
  const label =
    priceLinesOf(order.subscription).find((line) => line.kind === kind)?.label ?? 'Cloud backup';
  return lineOf(kind, label, cents(unit), quantity);
}

/** What Stripe charges a month for one product; `unit` is null for fractions of a cent. */
interface Charged {
  product: string;
  name: string;
  unit: number | null;
  quantity: number;
}

interface SubscriptionLine extends PriceLine {
  /** The id of the subscription item that charges the line. */
  item: string;
}

/** The items as lines, what is sold first; undefined for a price that is no whole cents. */
export function subscriptionLines(
  { items }: Stripe.Subscription,
  order: Order,
  nameOf: (product: string) => string = () => 'Other',
): SubscriptionLine[] | undefined {
  const lines = items.data.flatMap(({ id, price, quantity = 1 }) => {
    const product = idOf(price.product);
    const charged = { product, name: nameOf(product), unit: price.unit_amount, quantity };
    const line = toPriceLine(order, charged);
    return line ? [{ ...line, item: id }] : [];
  });
  const sold = SOLD_KINDS.flatMap((kind) => lines.filter((line) => line.kind === kind));
  const others = lines.filter(({ kind }) => kind === 'other');
  return items.has_more || lines.length < items.data.length ? undefined : [...sold, ...others];
}

/** The products that staff added to the subscription in Stripe's dashboard. */
export function foreignProducts({ items }: Stripe.Subscription, order: Order): string[] {
  const products = items.data.map(({ price }) => idOf(price.product));
  return products.filter((id) => SOLD_KINDS.every((kind) => productIdOf(order, kind) !== id));
}

/** The items that lead from the current lines to the wanted ones, without unchanged lines. */
export function itemChanges(
  order: Order,
  current: readonly SubscriptionLine[],
  lines: readonly PriceLine[],
): Stripe.SubscriptionUpdateParams.Item[] {
  const changes = lines.flatMap((line): Stripe.SubscriptionUpdateParams.Item[] => {
    const had = current.find(({ kind }) => kind === line.kind);
    if (!had) return [pricedItem(order, line)];
    if (had.unitPrice !== line.unitPrice) return [{ id: had.item, ...pricedItem(order, line) }];
    return had.quantity === line.quantity ? [] : [{ id: had.item, quantity: line.quantity }];
  });
  // What staff added in Stripe's dashboard stays.
  const removed = current.filter(
    (had) => had.kind !== 'other' && lines.every(({ kind }) => kind !== had.kind),
  );
  return [...changes, ...removed.map(({ item: id }) => ({ id, deleted: true }))];
}

/** The items that must change for these unit prices; undefined as in `subscriptionLines`. */
export function itemsAtPrices(
  order: Order,
  running: Stripe.Subscription,
  prices: readonly PriceLine[],
): Stripe.SubscriptionUpdateParams.Item[] | undefined {
  return subscriptionLines(running, order)?.flatMap(({ item, ...line }) => {
    const [wanted = line] = repriced([line], prices);
    // A new price without the quantity would make it 1.
    return wanted.unitPrice === line.unitPrice ? [] : [{ id: item, ...pricedItem(order, wanted) }];
  });
}
