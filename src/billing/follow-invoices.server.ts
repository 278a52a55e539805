/** Orders by invoice: issuing the first one, and due days. */

import { sql } from 'kysely';
import { localDate } from '../company/days.ts';
import type { InTransaction } from '../notifications/notification.server.ts';
import type { Db } from '../platform/database/tables.server.ts';
import { logFailure } from '../platform/interval.server.ts';
import { HOUR_MS } from '../platform/time.ts';
import type { Site } from '../site.server.ts';
import { abandonOrder } from './abandon-order.server.ts';
import { applyReport } from './apply-report.server.ts';
import type { Order } from './billed-order.server.ts';
import { bySite } from './cause.server.ts';
import { invoiceOf } from './event-facts.server.ts';
import { invoiceStateOf } from './invoice.ts';
import { recordEvent } from './order-event-store.server.ts';
import { isOver } from './order-status.ts';
import {
  alertStaff,
  findUnpaidOrders,
  getOrder,
  lockOrder,
  savePayment,
} from './order-store.server.ts';
import { isAt, type ProviderMode } from './provider-mode.server.ts';
import { type OrderContext, refreshOrder } from './refresh-order.server.ts';
import { wasStarted } from './subscription-store.server.ts';

/** Issues the first invoice. While the provider is unavailable, `followInvoices` tries again. */
export async function issueInvoice(context: OrderContext, order: Order): Promise<void> {
  const started = await context.gateway.start(order);
  if (typeof started === 'string') {
    if (order.createdAt <= Date.now() - HOUR_MS)
      await alertStaff(context, order.id, { kind: 'invoice-not-issued' });
    return;
  }
  const now = await getOrder(context.db, order);
  // Staff changed it while the invoice was being issued; what is started again has it.
  if (now.poNumber !== order.poNumber) return issueInvoice(context, now);
  const saved = await savePayment(context.db, order.id, started);
  if (isOver(saved.status)) await abandonOrder(context, saved, bySite('started-after-end'));
  else await refreshOrder(context, saved, bySite('invoice-issued'));
}

/** Issues first invoices that could not be issued yet, and reports what is overdue, once. */
export async function followInvoices(
  context: OrderContext & Pick<Site, 'company'>,
  isStopped: () => boolean,
) {
  const { db, gateway, company } = context;
  for (const order of await findUnpaidOrders(db, gateway, 'invoice')) {
    if (isStopped()) return;
    if (!wasStarted(order.subscription))
      await logFailure('invoice-failed', { orderId: order.id }, () => issueInvoice(context, order));
  }
  for (const { id, orderId } of await findDue(db, gateway, localDate(company, Date.now()))) {
    if (isStopped()) return;
    await logFailure('invoice-due-failed', { orderId }, async () => {
      // The customer may have paid without a webhook.
      const order = await refreshOrder(context, { id: orderId }, bySite('due-date-passed'));
      if (order !== 'unavailable')
        await db.transaction().execute((trx) => reportOverdue({ ...context, db: trx }, order, id));
    });
  }
}

function findDue(db: Db, mode: ProviderMode, today: string) {
  return (
    db
      .selectFrom('invoices')
      .innerJoin('subscriptions', 'subscriptions.orderId', 'invoices.orderId')
      .select(['invoices.id', 'invoices.orderId'])
      .where(isAt(mode))
      // Not as parameters: the index has these invoices alone.
      .where('invoices.status', '=', sql.lit('open'))
      .where('overdue', '=', sql.lit(0))
      .where('dueDay', '<', today)
      .where(({ or, eb }) =>
        or([eb('invoices.attempt', 'is', null), eb('invoices.attempt', '!=', 'processing')]),
      )
      .orderBy('dueDay')
      .limit(200)
      .execute()
  );
}

export async function reportOverdue(
  { db, notify }: InTransaction,
  { id }: Pick<Order, 'id'>,
  invoiceId: string,
) {
  const order = await lockOrder(db, id);
  const invoice = order.invoices.find((one) => one.id === invoiceId);
  const state = invoice?.status === 'open' && !invoice.overdue ? invoiceStateOf(invoice) : null;
  // Not while a bank debit is under way.
  if (!invoice || (state !== 'sent' && state !== 'debit_returned')) return;
  await db.updateTable('invoices').set({ overdue: 1 }).where('id', '=', invoiceId).execute();
  const after = await applyReport({ db, notify }, id, {}, bySite('due-date-passed'));
  const event = { kind: 'overdue' as const, invoice: invoiceOf(order, invoice) };
  await recordEvent({ db, notify }, after, { event }, bySite());
}
