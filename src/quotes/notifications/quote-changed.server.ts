/** Staff have changed a quote, and its customer is to know. */
import type { NotificationKind } from '../../notifications/notification.server.ts';
import { quoteReference } from '../quote-reference.ts';
import type { Quote } from '../quote-store.server.ts';
import { quoteSaved } from './quote-saved.server.ts';
import { quoteEmail } from './quote-words.server.ts';

export const quoteChanged: NotificationKind<Quote> = {
  ...quoteSaved,
  kind: 'quote-changed',
  channels: () => ['mail-customer'],
  boundedRecipient: () => undefined,

  customerEmail(quote, _at, writer) {
    return quoteEmail(quote, writer, {
      subject: `Your quote ${quoteReference(quote.id)} was updated`,
      heading: 'Your quote was updated',
      first:
        'We changed your quote. The link below and those you already have show what it says now.',
      reason: 'To get no reminders of this quote, open it and choose “Stop reminders”.',
    });
  },
};
