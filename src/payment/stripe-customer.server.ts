/** One Stripe customer per e-mail address, however often and from wherever it buys. */
import type { Kysely } from 'kysely';
import Stripe from 'stripe';
import { newToken } from '../platform/cookies.server.ts';
import type { Row, Tables } from '../platform/tables.server.ts';
import { isMissing, isPassing } from './stripe-client.server.ts';

/** Marks our own customers: one that something else made for the same address is left alone. */
const MADE_BY = { madeBy: 'website-checkout' };
/** Stripe takes no longer phone number. */
const LONGEST_PHONE = 20;

/**
 * The customer's id. What a customer is made with is written down first, so that requests at the same time and
 * after a crash send the very same thing under the same key and get the same customer.
 */
export async function customerFor(
  stripe: Stripe,
  db: Kysely<Tables>,
  order: Row<'orders'>,
): Promise<string> {
  const row = await keptCustomer(db, order);
  const customerId = row.customerId ?? (await makeCustomer(stripe, db, row));
  if (order.postalCode) {
    const address = { country: 'US', postal_code: order.postalCode };
    await stripe.customers.update(customerId, { address });
  }
  return customerId;
}

/**
 * Forgets a customer that Stripe does not know any more. True when the error told of one; the next try finds or makes
 * another.
 */
export async function forgetMissing(
  db: Kysely<Tables>,
  { email }: Row<'orders'>,
  error: unknown,
): Promise<boolean> {
  const address = email.toLowerCase();
  const row = await db
    .selectFrom('stripeCustomers')
    .select('customerId')
    .where('email', '=', address)
    .executeTakeFirst();
  if (!row?.customerId || !isMissing(error, row.customerId)) return false;
  await db
    .updateTable('stripeCustomers')
    .set({ customerId: null, key: newToken() })
    .where('email', '=', address)
    .where('customerId', '=', row.customerId)
    .execute();
  return true;
}

async function keptCustomer(
  db: Kysely<Tables>,
  order: Row<'orders'>,
): Promise<Row<'stripeCustomers'>> {
  const email = order.email.toLowerCase();
  await db
    .insertInto('stripeCustomers')
    .values({ email, key: newToken(), name: order.name, phone: order.phone })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return db
    .selectFrom('stripeCustomers')
    .selectAll()
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
}

async function makeCustomer(
  stripe: Stripe,
  db: Kysely<Tables>,
  { email, key, name, phone }: Row<'stripeCustomers'>,
): Promise<string> {
  // A customer may have been made long ago and the answer lost, when Stripe no longer remembers the key.
  const known = await stripe.customers.list({ email, limit: 20 });
  const ours = known.data.find(({ metadata }) => metadata?.madeBy === MADE_BY.madeBy);
  const wanted = {
    email,
    name,
    metadata: MADE_BY,
    ...(phone && phone.length <= LONGEST_PHONE ? { phone } : {}),
  };
  const keep = (values: { customerId: string } | { key: string }) =>
    db.updateTable('stripeCustomers').set(values).where('email', '=', email).execute();
  try {
    const { id } =
      ours ?? (await stripe.customers.create(wanted, { idempotencyKey: `customer-${key}` }));
    await keep({ customerId: id });
    return id;
  } catch (error) {
    // Stripe repeats such an answer to the same key for a day; the next try looks again, then takes another.
    if (error instanceof Stripe.errors.StripeError && !isPassing(error)) {
      await keep({ key: newToken() });
    }
    throw error;
  }
}
