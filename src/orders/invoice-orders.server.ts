/** Orders that a customer pays by invoice: issuing the first one, due dates, and money from outside. */
import { sql } from 'kysely';
import type { Outcome } from '../billing/gateway.server.ts';
import { type Actor, bySite, invoiceOf } from '../billing/order-event.server.ts';
import { isOver } from '../billing/order-status.ts';
import { wasStarted } from '../billing/subscription-store.server.ts';
import type { Company } from '../company/company.ts';
import { endOfDay } from '../company/hours.ts';
import type { DbAndNotify } from '../notifications/outbox.server.ts';
import type { Db } from '../platform/database/tables.server.ts';
import { logFailure } from '../platform/interval.server.ts';
import { DAY_MS, HOUR_MS } from '../platform/time.ts';
import { abandonOrder } from './abandon-order.server.ts';
import { followNow, followPayment, type OrderContext } from './follow-payment.server.ts';
import { firstOwed, invoiceStateOf, readInvoices } from './order-billing.server.ts';
import { insertEvent } from './order-event-store.server.ts';
import { alertStaff, recordEvent } from './order-mails.server.ts';
import {
  findUnpaidOrders,
  lockOrder,
  type Order,
  type ProviderMode,
  savePayment,
} from './order-store.server.ts';

/** Issues the first invoice. While the provider is unavailable, `followInvoices` tries again. */
export async function issueInvoice(context: OrderContext, order: Order): Promise<void> {
  const started = await context.gateway.start(order);
  if (typeof started === 'string') {
    if (order.createdAt <= Date.now() - HOUR_MS)
      await alertStaff(context, order.id, { kind: 'invoice-not-issued' });
    return;
  }
  const saved = await savePayment(context.db, order.id, started);
  if (isOver(saved.status)) await abandonOrder(context, saved, bySite('started-after-end'));
  else await followNow(context, saved, bySite('invoice-issued'));
}

/** Issues first invoices that could not be issued yet, and reports what is overdue, once. */
export async function followInvoices(
  context: OrderContext & { company: Company },
  isStopped: () => boolean,
) {
  const { db, gateway, company } = context;
  for (const order of await findUnpaidOrders(db, gateway, Date.now())) {
    if (isStopped()) return;
    if (order.subscription.collection === 'invoice' && !wasStarted(order.subscription))
      await logFailure('invoice-failed', { orderId: order.id }, () => issueInvoice(context, order));
  }
  // A due day ends at midnight of the company.
  const today = endOfDay(company, Date.now() - DAY_MS);
  for (const { id, orderId } of await findDue(db, gateway, today)) {
    if (isStopped()) return;
    await logFailure('invoice-due-failed', { orderId }, async () => {
      // The customer may have paid without a webhook.
      const order = await followNow(context, { id: orderId }, bySite('due-date-passed'));
      if (order !== 'unavailable')
        await db.transaction().execute((trx) => reportOverdue({ ...context, db: trx }, order, id));
    });
  }
}

/** The provider's unpaid invoices that were due by then, as far as it is not known yet. */
function findDue(db: Db, { provider, chargesRealMoney }: ProviderMode, by: number) {
  return (
    db
      .selectFrom('orderInvoices')
      .innerJoin('subscriptions', 'subscriptions.orderId', 'orderInvoices.orderId')
      .select(['orderInvoices.id', 'orderInvoices.orderId'])
      .where('provider', '=', provider)
      .where('live', '=', chargesRealMoney ? 1 : 0)
      // Not as parameters: the index has these invoices alone.
      .where('paid', '=', sql.lit(0))
      .where('waived', '=', sql.lit(0))
      .where('overdue', '=', sql.lit(0))
      .where('dueAt', '<=', by)
      .where(({ or, eb }) =>
        or([
          eb('orderInvoices.attempt', 'is', null),
          eb('orderInvoices.attempt', '!=', 'processing'),
        ]),
      )
      .orderBy('dueAt')
      .limit(200)
      .execute()
  );
}

/** Tells both sides once that an invoice is overdue; `db` must be a transaction. */
export async function reportOverdue(
  { db, notify }: DbAndNotify,
  { id }: Pick<Order, 'id'>,
  invoiceId: string,
) {
  await lockOrder(db, id);
  const invoice = (await readInvoices(db, id)).find((one) => one.id === invoiceId);
  const state = invoice?.paid || invoice?.overdue ? null : invoice && invoiceStateOf(invoice);
  // Not while a bank debit is under way.
  if (!invoice || (state !== 'sent' && state !== 'debit_returned')) return;
  await db.updateTable('orderInvoices').set({ overdue: 1 }).where('id', '=', invoiceId).execute();
  await followPayment({ db, notify }, id, {}, bySite('due-date-passed'));
  const event = { kind: 'overdue' as const, invoice: invoiceOf(invoice) };
  await recordEvent({ db, notify }, id, { event }, bySite());
}

/** Staff have the money of the invoice that was owed first, by a check for example. */
export async function markPaidOutside(
  context: OrderContext,
  order: Order,
  { reference, actor }: { reference: string; actor: Actor },
): Promise<Outcome> {
  const { db, gateway } = context;
  const invoice = firstOwed(await readInvoices(db, order.id));
  if (!invoice) return { refused: 'No invoice of this order is owed' };
  if (invoiceStateOf(invoice) === 'debit_under_way')
    return { refused: 'A bank debit is under way. Please wait until the bank has decided.' };
  // What the bank took back later counts as paid at the provider.
  const outcome = invoice.paid ? 'done' : await gateway.markPaid(order, invoice.id);
  if (outcome !== 'done') return outcome;
  const { id, number } = invoice;
  const causeId = await db.transaction().execute(async (trx) => {
    await lockOrder(trx, order.id);
    await trx.updateTable('orderInvoices').set({ reference }).where('id', '=', id).execute();
    const event = { kind: 'marked-paid' as const, invoice: id, number };
    return insertEvent(trx, order.id, event, { actor });
  });
  await followNow(context, order, { actor, causeId });
  return 'done';
}
