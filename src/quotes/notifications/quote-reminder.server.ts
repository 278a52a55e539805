/** A quote is about to end. */
import type { NotificationKind } from '../../notifications/notification.server.ts';
import { quoteReference } from '../quote-reference.ts';
import type { Quote } from '../quote-store.server.ts';
import { quoteSaved } from './quote-saved.server.ts';
import { lastDay, quoteEmail } from './quote-words.server.ts';

export const quoteReminder: NotificationKind<Quote> = {
  ...quoteSaved,
  kind: 'quote-reminder',
  channels: () => ['mail-customer'],

  async customerEmail(quote, _at, writer) {
    if (quote.remindersStopped) return undefined;
    const number = quoteReference(quote.id);
    const end = lastDay(quote, writer);
    return quoteEmail(quote, writer, {
      subject: `Your quote ${number} ends on ${end}`,
      heading: `Your quote ends on ${end}`,
      first: 'Your prices are still held for you. After that day, today’s prices apply.',
      reason:
        'This is a reminder of a quote. To get no more of them, open it and choose “Stop reminders”.',
    });
  },
};
