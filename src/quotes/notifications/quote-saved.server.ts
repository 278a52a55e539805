/** A quote was made: its customer gets the link, and staff hear of one that a visitor made. */

import { priceLinesOf } from '../../catalogue/pricing.ts';
import { momentIn } from '../../company/company-time.ts';
import type { NotificationKind } from '../../notifications/notification.server.ts';
import { cents, formatDollars } from '../../platform/money.ts';
import { STAFF_PAGES } from '../../staff/staff-pages.ts';
import { quoteReference, quoteTopic } from '../quote-reference.ts';
import { findQuote, type Quote } from '../quote-store.server.ts';
import { lastDay, quoteEmail } from './quote-words.server.ts';

export const quoteSaved: NotificationKind<Quote> = {
  kind: 'quote-saved',
  about: 'quoteId',
  find: findQuote,
  reference: quoteReference,
  topic: ({ id }) => quoteTopic(id),
  channels: (_, { madeBy }) =>
    madeBy === null ? ['teams', 'mail-staff', 'mail-customer'] : ['mail-customer'],

  boundedRecipient: ({ madeBy, email }) => (madeBy === null ? email : undefined),

  staffMessage(quote, writer) {
    const { id, name, company: buyer, email, note, planName, amountCents, createdAt } = quote;
    const number = quoteReference(id);
    return {
      title: `New quote ${number}`,
      suspicious: false,
      warning: null,
      facts: [
        ['What happened', 'A visitor saved a quote and can accept it by paying.'],
        ['Name', name],
        ...(buyer ? ([['Company', buyer]] satisfies [string, string][]) : []),
        ['Email', email],
        ['Plan', planName],
        ['Monthly total', formatDollars(cents(amountCents))],
        ['Saved', momentIn(writer.company, createdAt)],
        ['Valid through', lastDay(quote, writer)],
      ],
      text: note,
      lines: priceLinesOf(quote),
      reply: { name, email, subject: `Re: Your quote ${number} from ${writer.company.name}` },
      staffUrl: `${writer.publicUrl}${STAFF_PAGES.quotes.path}?open=${id}`,
    };
  },

  customerEmail(quote, _at, writer) {
    const number = quoteReference(quote.id);
    return quoteEmail(quote, writer, {
      subject: `Your quote ${number} from ${writer.company.name}`,
      heading: 'Your quote is ready',
      first:
        quote.madeBy === null
          ? 'You asked us to keep these prices for you. They won’t change while the quote is valid.'
          : 'We prepared this quote for you. The prices won’t change while it is valid.',
      reason:
        quote.madeBy === null
          ? 'You’re getting this email because someone entered this address on our website. If it wasn’t you, please ignore it. To get no reminders, open the quote and choose “Stop reminders”.'
          : 'To get no reminders of this quote, open it and choose “Stop reminders”.',
    });
  },
};
