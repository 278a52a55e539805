import type { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import type { Tables } from '../tables.server.ts';
import { firstTables } from './001-first-tables.server.ts';
import { notify } from './002-notify.server.ts';
import { accessLog } from './003-access-log.server.ts';
import { staffTables } from './004-staff.server.ts';
import { stripeTables } from './006-stripe.server.ts';
import { stripeMode } from './007-stripe-mode.server.ts';
import { endings } from './008-endings.server.ts';
import { storage } from './009-storage.server.ts';
import { signInFailures } from './010-sign-in-failures.server.ts';
import { customersOfOrders } from './011-customers-of-orders.server.ts';
import { messageAge } from './012-message-age.server.ts';
import { waysToRows } from './013-ways-to-rows.server.ts';
import { companyOfOrders } from './014-company-of-orders.server.ts';
import { quotes } from './015-quotes.server.ts';
import { runningSubscriptions } from './016-running-subscriptions.server.ts';
import { firstDue } from './017-first-due.server.ts';
import { safeguardsReports } from './018-safeguards-reports.server.ts';
import { packedLog } from './019-packed-log.server.ts';
import type { Engine } from './engine.server.ts';

/** Every step there has ever been, in order; one that has been shipped is never changed. */
const STEPS = {
  '001-first-tables': firstTables,
  '002-notify': notify,
  '003-access-log': accessLog,
  '004-staff': staffTables,
  '006-stripe': stripeTables,
  '007-stripe-mode': stripeMode,
  '008-endings': endings,
  '009-storage': storage,
  '010-sign-in-failures': signInFailures,
  '011-customers-of-orders': customersOfOrders,
  '012-message-age': messageAge,
  '013-ways-to-rows': waysToRows,
  '014-company-of-orders': companyOfOrders,
  '015-quotes': quotes,
  '016-running-subscriptions': runningSubscriptions,
  '017-first-due': firstDue,
  '018-safeguards-reports': safeguardsReports,
  '019-packed-log': packedLog,
};

/** Brings the database to the newest step, each in a transaction; several servers may start at once. */
export async function runMigrations(db: Kysely<Tables>, engine: Engine): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: {
      getMigrations: async () =>
        Object.fromEntries(
          Object.entries(STEPS).map(([name, step]) => [
            name,
            { up: (each: Kysely<unknown>) => step(each, engine) },
          ]),
        ),
    },
  });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}
