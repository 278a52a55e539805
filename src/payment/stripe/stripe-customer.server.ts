/** An order's customer at Stripe: the one of its buyer's earlier orders, or a new one. See docs/decisions/086. */
import type { Kysely } from 'kysely';
import type Stripe from 'stripe';
import { saveCustomer } from '../../orders/order-customer.server.ts';
import type { Row, Tables } from '../../platform/database/tables.server.ts';

interface Deps {
  db: Kysely<Tables>;
  stripe: Stripe;
}

/** Stripe takes no longer phone number. */
const LONGEST_PHONE = 20;

/**
 * The customer's id. Where the order has one, its buyer is admitted to all orders of that customer, so the address may
 * follow; what anybody else types stands at a new customer, which is nobody's until the order is paid.
 */
export async function customerFor({ db, stripe }: Deps, order: Row<'orders'>): Promise<string> {
  const { id: orderId, createdAt, attempt, customerId, name, email, phone, postalCode } = order;
  const place = postalCode ? { address: { country: 'US', postal_code: postalCode } } : {};
  if (customerId) {
    if (postalCode) await stripe.customers.update(customerId, place);
    return customerId;
  }
  const { id } = await stripe.customers.create(
    { name, email, ...(phone && phone.length <= LONGEST_PHONE ? { phone } : {}), ...place },
    { idempotencyKey: `order-${orderId}-${createdAt}-customer-${attempt}` },
  );
  await saveCustomer(db, orderId, id);
  return id;
}
