/** A month after the first could not be charged. */
import { orderNotification } from './order-notification.server.ts';

export const orderRenewalFailed = orderNotification('order-renewal-failed', {
  happened: () => 'This month could not be charged. The payment provider may try again.',
  email: ({ order, number }) => ({
    subject: `Your payment for order ${number} didn’t go through`,
    heading: 'We couldn’t charge your card',
    parts: [
      `Your ${order.planName} plan is billed every month, and this month’s payment didn’t go through. A card that has expired or reached its limit is the usual reason.`,
      'Please open your order below, choose “Replace card”, and enter a card that works. What is overdue is charged to it right away. We may also try your card again over the next few days.',
      'If the amount stays unpaid, your subscription may end.',
    ],
    link: 'Replace card',
  }),
});
