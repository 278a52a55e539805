/** A month after the first could not be charged. */
import { orderNotification } from './order-notification.server.ts';

export const orderRenewalFailed = orderNotification('order-renewal-failed', {
  happened: () => 'This month could not be charged. The payment provider may try again.',
  email: ({ order, number }) => ({
    subject: `Your payment for order ${number} didn’t go through`,
    heading: 'We couldn’t charge your card',
    parts: [
      `Your ${order.planName} plan is billed every month, and this month’s payment didn’t go through. A card that has expired or reached its limit is the usual reason.`,
      order.provider === 'stripe'
        ? 'Please open your order below, choose “Manage billing”, and add a card that works. We may also try the payment again over the next few days.'
        : 'Please get in touch, and we’ll find another way to pay.',
      'If the amount stays unpaid, your subscription may end.',
    ],
  }),
});
