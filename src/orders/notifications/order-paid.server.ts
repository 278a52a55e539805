/** An order's first month is paid, and its customer gets the receipt. */
import { priceLinesOf } from '../../catalogue/pricing.ts';
import { momentIn } from '../../company/company-time.ts';
import { cents } from '../../platform/money.ts';
import { salesTax } from '../order.ts';
import { orderNotification } from './order-notification.server.ts';

export const orderPaid = orderNotification('order-paid', {
  happened: () => 'The first month is paid.',
  email({ order, number, writer, at }) {
    const tax = salesTax(order);
    const total = cents(order.amountCents + tax);
    const paid = momentIn(writer.company, at);
    const placedFor: [string, string][] = order.company ? [['Company', order.company]] : [];
    return {
      subject: `Receipt for your order ${number}`,
      heading: 'Thank you for your order',
      parts: [
        'Thanks for your payment. Your monthly plan:',
        { kind: 'prices', lines: priceLinesOf(order), tax, total },
        {
          kind: 'facts',
          facts: [['Order', number], ...placedFor, ['Paid', paid]],
        },
      ],
      closing: 'We will be in touch shortly. ',
    };
  },
});
