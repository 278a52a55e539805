/** An order's subscription has ended. */
import { orderNotification } from './order-notification.server.ts';

export const orderEnded = orderNotification('order-ended', {
  happened: () => 'The subscription has ended. Nothing more is charged.',
  email: ({ order, number, writer }) => ({
    subject: `Your subscription for order ${number} has ended`,
    heading: 'Your subscription has ended',
    parts: [
      `Your ${order.planName} plan has ended, and your card won’t be charged for it again.`,
      `If you didn’t expect this, please call us. To start again, choose a plan at ${writer.publicUrl}/checkout.`,
    ],
  }),
});
