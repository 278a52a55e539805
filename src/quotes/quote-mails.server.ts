/** The emails about a quote, and when its reminders are sent. Nothing that a visitor typed is in those to customers: the address may be another's. */
import { priceLinesOf } from '../catalogue/pricing.ts';
import { dayIn, momentIn } from '../company/hours.ts';
import type {
  CustomerEmail,
  MessageContext,
  NotificationKind,
} from '../notifications/notification.server.ts';
import { cents, formatDollars } from '../platform/money.ts';
import { STAFF_PAGES } from '../staff/staff-pages.ts';
import type { QuoteDeps } from './make-quote.server.ts';
import { nextReminder, quoteReference, quoteState } from './quote.ts';
import {
  findDueForReminder,
  findQuote,
  type Quote,
  setNextReminder,
} from './quote-store.server.ts';

const NO_REMINDERS = 'To get no reminders of this quote, open it and choose “Stop reminders”.';

/** A quote was made: its customer gets the link, and staff are notified if a visitor made it. */
export const quoteSaved: NotificationKind<Quote> = {
  kind: 'quote-saved',
  find: findQuote,
  reference: quoteReference,
  topic: ({ id }) => `quote ${id}`,
  channels: (_, { madeBy }) =>
    madeBy === null ? ['teams', 'mail-staff', 'mail-customer'] : ['mail-customer'],
  boundedRecipient: ({ madeBy, email }) => (madeBy === null ? email : undefined),

  staffMessage(quote, context) {
    const { id, name, company: buyer, email, note, planName, amountCents, createdAt } = quote;
    const number = quoteReference(id);
    return {
      title: `New quote ${number}`,
      facts: [
        ['What happened', 'A visitor saved a quote and can accept it by paying.'],
        ['Name', name],
        ...(buyer ? ([['Company', buyer]] satisfies [string, string][]) : []),
        ['Email', email],
        ['Plan', planName],
        ['Monthly total', formatDollars(cents(amountCents))],
        ['Saved', momentIn(context.company, createdAt)],
        ['Valid through', lastDay(quote, context)],
      ],
      text: note,
      lines: priceLinesOf(quote),
      reply: { name, email, subject: `Re: Your quote ${number} from ${context.company.name}` },
      staffUrl: `${context.publicUrl}${STAFF_PAGES.quotes.path}?open=${id}`,
    };
  },

  customerEmail(quote, _at, context) {
    const byVisitor = quote.madeBy === null;
    return quoteEmail(quote, context, {
      subject: `Your quote ${quoteReference(quote.id)} from ${context.company.name}`,
      heading: 'Your quote is ready',
      first: byVisitor
        ? 'You asked us to keep these prices for you. They won’t change while the quote is valid.'
        : 'We prepared this quote for you. The prices won’t change while it is valid.',
      reason: byVisitor
        ? 'You’re getting this email because someone entered this address on our website. If it wasn’t you, please ignore it. To get no reminders, open the quote and choose “Stop reminders”.'
        : NO_REMINDERS,
    });
  },
};

export const quoteChanged: NotificationKind<Quote> = {
  ...quoteSaved,
  kind: 'quote-changed',
  channels: () => ['mail-customer'],
  boundedRecipient: () => undefined,

  customerEmail(quote, _at, context) {
    return quoteEmail(quote, context, {
      subject: `Your quote ${quoteReference(quote.id)} was updated`,
      heading: 'Your quote was updated',
      first:
        'We changed your quote. The link below and those you already have show what it says now.',
      reason: NO_REMINDERS,
    });
  },
};

export const quoteReminder: NotificationKind<Quote> = {
  ...quoteSaved,
  kind: 'quote-reminder',
  channels: () => ['mail-customer'],

  async customerEmail(quote, _at, context) {
    if (quote.remindersStopped) return undefined;
    const end = lastDay(quote, context);
    return quoteEmail(quote, context, {
      subject: `Your quote ${quoteReference(quote.id)} ends on ${end}`,
      heading: `Your quote ends on ${end}`,
      first: 'Your prices are still held for you. After that day, today’s prices apply.',
      reason:
        'This is a reminder of a quote. To get no more of them, open it and choose “Stop reminders”.',
    });
  },
};

/** Undefined once there is nothing left to accept. `reason`: why this email came, and how it is the last. */
async function quoteEmail(
  quote: Quote,
  context: MessageContext,
  { first, ...words }: Record<'subject' | 'heading' | 'first' | 'reason', string>,
): Promise<CustomerEmail | undefined> {
  if (quoteState(quote, await context.now()) !== 'open') return undefined;
  return {
    to: quote.email,
    name: quote.madeBy === null ? '' : quote.name,
    ...words,
    parts: [
      first,
      {
        kind: 'facts',
        facts: [
          ['Quote', quoteReference(quote.id)],
          ['Plan', quote.planName],
          ['Monthly total', formatDollars(cents(quote.amountCents))],
          ['Valid through', lastDay(quote, context)],
        ],
      },
      { kind: 'link', label: 'View your quote', url: await context.quotePage(quote.id) },
      'The page shows every line, prints on one page, and lets you or a colleague accept by paying the first month. Anyone with the link can open it.',
    ],
    question: 'Questions?',
  };
}

function lastDay({ expiresAt }: Quote, { company }: MessageContext): string {
  return dayIn(company, expiresAt);
}

export const REMIND_EVERY_MS = 10 * 60 * 1000;
/** At most so many reminders are sent at a time; the rest follow with the next run. */
const AT_ONCE = 200;

/** Each reminder is sent once, however many servers look; of several that were missed, the newest alone. */
export async function sendQuoteReminders(
  { db, notify, gateway }: Pick<QuoteDeps, 'db' | 'notify' | 'gateway'>,
  isStopped: () => boolean = () => false,
): Promise<void> {
  const now = await gateway.now();
  for (const quote of await findDueForReminder(db, now, AT_ONCE)) {
    if (isStopped()) return;
    await db.transaction().execute(async (trx) => {
      const first = await setNextReminder(trx, quote, nextReminder(quote.expiresAt, now));
      if (first && quote.acceptedAt === null) await notify(trx, quoteReminder, quote.id);
    });
  }
}
