/** Checks that the test gateway's orders, subscriptions, invoices, changes and emails agree. */

import { readInvoices } from '../../src/orders/order-billing.server.ts';
import { getOrder } from '../../src/orders/order-store.server.ts';
import { linesOf } from '../../src/payments/test-gateway/test-subscription.server.ts';
import type { Db } from '../../src/platform/database/tables.server.ts';
import { notesOf } from './saved-order.ts';

const STATUSES = { active: 'paid', past_due: 'past_due', ended: 'canceled' };

export async function testGatewayBooksDisagree(db: Db): Promise<string[]> {
  const subscriptions = await db.selectFrom('testSubscriptions').selectAll().execute();
  const wrong: string[] = [];
  for (const subscription of subscriptions) {
    const { orderId, status, months, ending, periodEnd } = subscription;
    const check = (what: string, is: unknown, wanted: unknown) => {
      const [one, other] = [JSON.stringify(is), JSON.stringify(wanted)];
      if (one !== other) wrong.push(`order ${orderId}: ${what} is ${one}, not ${other}`);
    };
    const order = await getOrder(db, { id: orderId });
    const notes = await notesOf(db, orderId);
    const changes = notes.filter((note) => note.startsWith('Plan changed'));
    const invoices = await readInvoices(db, orderId);
    const lines = linesOf(subscription);
    const amount = lines.reduce((sum, line) => sum + line.amount, 0);
    const users = lines.find(({ kind }) => kind === 'microsoft365')?.quantity;
    check('status', order.status, STATUSES[status]);
    check('number of invoices', invoices.length, months + 1);
    check('price lines', JSON.parse(order.priceLines), lines);
    check('amount', order.amountCents, amount);
    check('number of users', order.ms365Users, users);
    check('end', order.endsAt, ending ? periodEnd : null);
    const emails = await db
      .selectFrom('outbox')
      .select('kind')
      .where('topic', '=', `order ${orderId}`)
      .where('channel', '=', 'mail-customer')
      .execute();
    const sent = (kind: string) => emails.filter((email) => email.kind === kind).length;
    check('emails about changes', sent('order-changed'), changes.length);
    // A month that passes by the demo's clock sends no receipt.
    check('receipts for later months', sent('order-renewed'), 0);
    check('emails about the end', sent('order-ending'), ending);
  }
  return wrong;
}
