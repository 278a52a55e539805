/** An order's first month is paid, and its customer gets the receipt. */
import { priceLinesOf } from '../catalogue/pricing.ts';
import { momentIn } from '../company/company-time.ts';
import { cents } from '../platform/money.ts';
import { salesTax } from './order.ts';
import { orderNotification, questions } from './order-notification.server.ts';
import { orderReference } from './order-reference.ts';

export const orderPaid = orderNotification('order-paid', {
  happened: () => 'The first month is paid.',
  email(order, { company, customerPage }, paidAt) {
    const number = orderReference(order.id);
    const tax = salesTax(order);
    return {
      subject: `Receipt for your order ${number}`,
      heading: 'Thank you for your order',
      parts: [
        {
          kind: 'paragraph',
          text: `Your payment has arrived. This is what you have ordered, billed every month:`,
        },
        { kind: 'prices', lines: priceLinesOf(order), tax, total: cents(order.amountCents + tax) },
        {
          kind: 'facts',
          facts: [
            ['Order', number],
            ['Paid', momentIn(company, paidAt)],
          ],
        },
        { kind: 'link', label: 'Your order and its billing', url: customerPage(order.id) },
        { kind: 'paragraph', text: `We will be in touch shortly. ${questions(company)}` },
      ],
    };
  },
});
