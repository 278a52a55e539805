/** The customer disputes a payment at the bank. */
import { orderNotification } from './order-notification.server.ts';

export const orderDisputed = orderNotification('order-disputed', {
  happened: () =>
    'The customer disputes a payment at the bank. Answer at Stripe before the deadline.',
  email: ({ order, number }) => ({
    subject: `A payment for order ${number} is disputed`,
    heading: 'Your bank told us about a dispute',
    parts: [
      `Your bank told us that a payment for your ${order.planName} plan is disputed. The bank decides what happens to the money.`,
      'If this is a mistake, please tell your bank and let us know. If something went wrong on our side, call us so we can fix it.',
    ],
  }),
});
