/** What the site does by itself, at the start and every now and then, while visitors wait for the same database. */
import { tidyLog } from '../../src/access-log/tidying/tidy-log.server.ts';
import { forgetOldAudit } from '../../src/admin/audit-store.server.ts';
import { forgetOldFailures } from '../../src/admin/failure-store.server.ts';
import { forgetOldSessions } from '../../src/admin/session-store.server.ts';
import { forgetDeliveriesAbout } from '../../src/notify/deliveries-about.server.ts';
import { forgetSettledBefore, releaseAll } from '../../src/notify/outbox-store.server.ts';
import { reconcile } from '../../src/payment/stripe/events/reconcile-payments.server.ts';
import { forgetRestingMessages } from '../../src/people/forget-messages.server.ts';
import type { Database } from '../../src/platform/database/database.server.ts';
import { remindOfQuotes } from '../../src/quotes/reminders/remind-of-quotes.server.ts';
import type { StripeShop } from './stripe-shop.ts';
import { stripeDeps } from './stripe-stage.ts';

/** Leaves no message: as if two years had passed. */
export async function driveTidying(database: Database): Promise<void> {
  const { db } = database;
  await tidyLog(database, Date.now(), 24);
  await remindOfQuotes({ db, notify: async () => undefined });
  await forgetRestingMessages(-1, { db, forgetDeliveriesAbout });
  await Promise.all([forgetOldSessions(db), forgetOldAudit(db), forgetOldFailures(db)]);
  await releaseAll(db);
  await forgetSettledBefore(db, Date.now());
}

/** What Stripe has to tell is asked for. */
export async function driveReconciling(shop: StripeShop): Promise<void> {
  await reconcile(stripeDeps(shop).ground, () => false);
}
