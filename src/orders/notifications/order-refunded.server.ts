/** Money goes back to the customer: a refund, or a dispute that the customer has won. */
import { cents, formatDollars } from '../../platform/money.ts';
import { isRunning } from '../order.ts';
import type { Order } from '../order-store.server.ts';
import { orderNotification } from './order-notification.server.ts';

export const orderRefunded = orderNotification('order-refunded', {
  happened: ({ refundedCents }) =>
    refundedCents > 0
      ? `${formatDollars(cents(refundedCents))} refunded in all.`
      : 'The order counts as refunded.',
  email: ({ order, number }) => ({
    subject: `Refund for your order ${number}`,
    heading: 'Your refund',
    parts: [refundSentence(order), afterRefund(order)],
  }),
});

function refundSentence({ refundedCents, dispute }: Order): string {
  if (refundedCents > 0) {
    const sum = formatDollars(cents(refundedCents));
    return `We refunded ${sum} of what you paid. It usually reaches your card within 5 to 10 business days.`;
  }
  return dispute === 'lost'
    ? 'Your bank decided the dispute in your favor, and the payment goes back to you.'
    : 'Your order is marked as refunded.';
}

function afterRefund({ status }: Order): string {
  return isRunning(status)
    ? 'Your subscription continues as before.'
    : 'Your subscription has ended, and nothing more will be charged.';
}
