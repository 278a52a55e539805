/** What the site does by itself, at the start and every now and then, while visitors wait for the same database. */
import { trimAccessLog } from '../../src/access-log/trim-access-log.server.ts';
import { deleteSettledBefore } from '../../src/notifications/outbox-store.server.ts';
import { reconcile } from '../../src/payments/stripe/reconcile.server.ts';
import { stripeGateway } from '../../src/payments/stripe/stripe-gateway.server.ts';
import type { Database } from '../../src/platform/database/database.server.ts';
import { expireMessages } from '../../src/privacy/expire-messages.server.ts';
import { remindOfQuotes } from '../../src/quotes/quote-reminders.server.ts';
import { forgetOldAudit } from '../../src/staff/audit-store.server.ts';
import { forgetOldFailures } from '../../src/staff/failure-store.server.ts';
import { forgetOldSessions } from '../../src/staff/session-store.server.ts';
import { clientOf } from './order-at-stripe.ts';
import { standInGateway } from './stand-in-gateway.ts';
import { type StripeShop, stripeEnv } from './stripe-shop.ts';

/** Leaves no message: as if two years had passed. */
export async function driveTidying(database: Database): Promise<void> {
  const { db } = database;
  await trimAccessLog(database, Date.now(), 24);
  await remindOfQuotes({ db, gateway: standInGateway(), notify: async () => undefined });
  await expireMessages(-1, db);
  await Promise.all([forgetOldSessions(db), forgetOldAudit(db), forgetOldFailures(db)]);
  await deleteSettledBefore(db, Date.now());
}

/** What Stripe has to tell is asked for. */
export async function driveReconciling(shop: StripeShop): Promise<void> {
  const { db } = shop.app.database;
  const stripe = clientOf(shop);
  const gateway = stripeGateway(stripe, stripeEnv(shop.fake), db);
  await reconcile({ stripe, db, gateway, notify: async () => undefined }, () => false);
}
