import type { Kysely } from 'kysely';

/** A customer at Stripe belongs to orders and the browsers that placed them, not to whoever types an address. */
export async function customersOfOrders({ schema }: Kysely<unknown>): Promise<void> {
  await schema.dropTable('stripeCustomers').execute();
  await schema.createIndex('ordersByCustomer').on('orders').column('customerId').execute();
}
