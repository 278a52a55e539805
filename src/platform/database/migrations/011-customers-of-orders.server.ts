import type { Kysely } from 'kysely';

/** A customer at Stripe belongs to orders and the browsers that placed them, not to anybody who types their email address. */
export async function customersOfOrders({ schema }: Kysely<unknown>): Promise<void> {
  await schema.dropTable('stripeCustomers').execute();
  await schema.createIndex('ordersByCustomer').on('orders').column('customerId').execute();
}
