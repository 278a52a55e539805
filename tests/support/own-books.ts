/** Whether the orders of the test gateway, their subscriptions, bills, changes and letters agree; each that does not, in words. */
import type { Kysely } from 'kysely';
import { linesOf } from '../../src/payments/test-gateway/test-subscription.server.ts';
import type { Tables } from '../../src/platform/database/tables.server.ts';
import { notesOf } from './saved-order.ts';

const STATUSES = { active: 'paid', past_due: 'past_due', ended: 'canceled' };

export async function ownBooksDisagree(db: Kysely<Tables>): Promise<string[]> {
  const subscriptions = await db.selectFrom('testSubscriptions').selectAll().execute();
  const wrong: string[] = [];
  for (const subscription of subscriptions) {
    const { orderId, status, months, ending, periodEnd } = subscription;
    const say = (what: string, is: unknown, wanted: unknown) => {
      const [one, other] = [JSON.stringify(is), JSON.stringify(wanted)];
      if (one !== other) wrong.push(`order ${orderId}: ${what} is ${one}, not ${other}`);
    };
    const order = await db
      .selectFrom('orders')
      .selectAll()
      .where('id', '=', orderId)
      .executeTakeFirstOrThrow();
    const notes = await notesOf(db, orderId);
    const changes = notes.filter((note) => note.startsWith('Plan changed'));
    const invoices = await db
      .selectFrom('orderInvoices')
      .selectAll()
      .where('orderId', '=', orderId)
      .execute();
    const lines = linesOf(subscription);
    say('the status', order.status, STATUSES[status]);
    say('the number of bills', invoices.length, months + 1);
    say('what it costs', JSON.parse(order.priceLines), lines);
    say(
      'the amount',
      order.amountCents,
      lines.reduce((sum, { amount }) => sum + amount, 0),
    );
    say('the users', order.ms365Users, lines.find(({ kind }) => kind === 'microsoft365')?.quantity);
    say('the end', order.endsAt, ending ? periodEnd : null);
    const letters = await db
      .selectFrom('outbox')
      .select('kind')
      .where('topic', '=', `order ${orderId}`)
      .where('channel', '=', 'mail-customer')
      .execute();
    const sent = (kind: string) => letters.filter((letter) => letter.kind === kind).length;
    say('letters of changes', sent('order-changed'), changes.length);
    // Their months have passed by the demo's clock.
    say('receipts of later months', sent('order-renewed'), 0);
    say('letters of the end', sent('order-ending'), ending);
  }
  return wrong;
}
