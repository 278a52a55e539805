/** What a person's data needs of the other rooms; features.server.ts hands it over. */
import type { Kysely } from 'kysely';
import type {
  deliveriesAbout,
  forgetDeliveriesAbout,
} from '../notifications/outbox-store.server.ts';
import type { Gateway, StaffOutcome } from '../orders/gateway.server.ts';
import type { StaffOrderJson } from '../orders/order-api.ts';
import type { Engine, Row, Tables } from '../platform/database/tables.server.ts';
import type { recordAudit } from '../staff/audit-store.server.ts';
import type { Elsewhere } from './person-shapes.ts';
import { customersOf } from './person-store.server.ts';

export interface PeopleDeps {
  db: Kysely<Tables>;
  engine: Engine;
  gateway: Pick<Gateway, 'provider' | 'live'>;
  /** Where staff are notified of what visitors do, and keep copies. */
  receivers: Pick<Elsewhere, 'teams' | 'mail'>;
  ordersJson(orders: readonly Row<'orders'>[]): Promise<StaffOrderJson[]>;
  endOrder(order: Row<'orders'>, username: string): Promise<StaffOutcome>;
  recordAudit: typeof recordAudit;
  deliveriesAbout: typeof deliveriesAbout;
  forgetDeliveriesAbout: typeof forgetDeliveriesAbout;
  /** Addresses that were given for one email, and are kept for a day. */
  forgetRequests(trx: Kysely<Tables>, email: string): Promise<void>;
}

/** The member of staff who asks, and from where. */
export interface By {
  username: string;
  address: string;
}

export async function elsewhere({ db, receivers }: PeopleDeps, email: string): Promise<Elsewhere> {
  return { ...receivers, stripeCustomers: await customersOf(db, email) };
}
