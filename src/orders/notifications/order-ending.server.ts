/** The end of an order's subscription is decided, and it runs until then; or that decision is taken back. */
import { dayIn } from '../../company/company-time.ts';
import { orderNotification } from './order-notification.server.ts';

export const orderEnding = orderNotification('order-ending', {
  happened: ({ endsAt }) =>
    endsAt === null
      ? 'The cancellation was withdrawn.'
      : `The subscription ends on ${new Date(endsAt).toISOString().slice(0, 10)}.`,
  email: ({ order: { planName, endsAt }, number, writer }) => ({
    subject:
      endsAt === null
        ? `Your plan continues: order ${number}`
        : `Your cancellation of order ${number}`,
    heading: endsAt === null ? 'Your subscription continues' : 'Your cancellation is confirmed',
    parts:
      endsAt === null
        ? [
            `You kept your ${planName} plan: the cancellation was withdrawn.`,
            'Your card is charged again when the paid month is over. There is nothing else to do.',
          ]
        : [
            `Your ${planName} plan ends on ${dayIn(writer.company, endsAt)}. You keep the service until then, and your card won’t be charged after that day.`,
            'Changed your mind? Open your order below before then, and choose “Keep my plan”.',
          ],
  }),
});
