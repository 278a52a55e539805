/** The customer has replaced the card that is charged each month. */
import { newestChange } from '../order-change-store.server.ts';
import { findOrder, type Order } from '../order-store.server.ts';
import { detailedNotification } from './order-notification.server.ts';

interface WithCard extends Order {
  /** Such as 'Visa ending in 4242'. */
  card: string;
}

export const orderCardReplaced = detailedNotification<WithCard>(
  'order-card-replaced',
  {
    happened: ({ card }) => `The customer replaced the card. It is ${card} now.`,
    email: ({ order, number }) => ({
      subject: `New card for your order ${number}`,
      heading: 'Your card was replaced',
      parts: [
        `From now on, your ${order.planName} plan is charged to ${order.card}. If a payment was overdue, it was charged to this card right away.`,
        'There is nothing to do. If you didn’t replace your card, please call us right away.',
      ],
    }),
  },
  async (db, id) => {
    const order = await findOrder(db, id);
    const change = order && (await newestChange(db, id, 'card'));
    return order && { ...order, card: change ? JSON.parse(change.after) : 'a new card' };
  },
);
