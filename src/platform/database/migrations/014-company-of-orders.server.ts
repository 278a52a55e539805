import type { Kysely } from 'kysely';

/** For whom an order was placed, where the buyer says so. */
export async function companyOfOrders({ schema }: Kysely<unknown>): Promise<void> {
  await schema.alterTable('orders').addColumn('company', 'text').execute();
}
