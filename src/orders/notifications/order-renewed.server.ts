/** A month after the first is paid, and its customer gets the receipt. */
import { dayIn } from '../../company/company-time.ts';
import type { Row } from '../../platform/database/tables.server.ts';
import { cents, formatDollars } from '../../platform/money.ts';
import { findOrder, type Order } from '../order-store.server.ts';
import { detailedNotification } from './order-notification.server.ts';

interface Renewed extends Order {
  /** The newest bill that is paid. */
  bill: Row<'orderInvoices'> | null;
}

export const orderRenewed = detailedNotification<Renewed>(
  'order-renewed',
  {
    email({ order, number, writer }) {
      const { company } = writer;
      const { bill } = order;
      const facts: [string, string][] = [['Order', number]];
      if (order.company) facts.push(['Company', order.company]);
      if (bill?.number) facts.push(['Receipt', bill.number]);
      if (bill?.periodStart && bill.periodEnd) {
        const period = `${dayIn(company, bill.periodStart)} to ${dayIn(company, bill.periodEnd)}`;
        facts.push(['Period', period]);
      }
      if (bill?.taxCents) facts.push(['Sales tax', formatDollars(cents(bill.taxCents))]);
      if (bill) facts.push(['Total', formatDollars(cents(bill.amountCents))]);
      if (bill?.cardLast4)
        facts.push(['Paid with', `${bill.cardBrand ?? 'Card'} ending in ${bill.cardLast4}`]);
      return {
        subject: `Receipt for your order ${number}`,
        heading: 'Your plan is renewed',
        parts: [
          `Thanks for your payment. Your ${order.planName} plan runs for another month.`,
          { kind: 'facts', facts },
          'There is nothing to do. Open your order to print this receipt, change your plan, or cancel.',
        ],
      };
    },
  },
  async (db, id) => {
    const order = await findOrder(db, id);
    if (!order) return undefined;
    const bill = await db
      .selectFrom('orderInvoices')
      .selectAll()
      .where('orderId', '=', id)
      .where('paid', '=', 1)
      .orderBy('createdAt', 'desc')
      .limit(1)
      .executeTakeFirst();
    return { ...order, bill: bill ?? null };
  },
);
