/** The emails about a quote. None to a customer repeats what a visitor typed. */

import { attributionOf } from '../attribution/attribution-store.server.ts';
import { quoteReference, withoutSpaces } from '../billing/reference.ts';
import { onceJson, parseLines, startFacts } from '../catalogue/pricing.ts';
import { formatDateTime, formatDay } from '../company/days.ts';
import { SOMEONE_ENTERED } from '../notifications/mail.server.ts';
import type {
  CustomerEmail,
  MessageContext,
  NotificationKind,
} from '../notifications/notification.server.ts';
import { present } from '../orders/order-mail-texts.server.ts';
import { Interval } from '../platform/interval.server.ts';
import { formatDollars, toDollars } from '../platform/money.ts';
import { formatDate, isoTime, MINUTE_MS } from '../platform/time.ts';
import { recordPath } from '../routes.ts';
import type { Site } from '../site.server.ts';
import { quotedPrice } from './make-quote.server.ts';
import { acceptanceWords, nextReminder, quotedPayment, quoteState } from './quote.ts';
import {
  addQuoteLink,
  findDueForReminder,
  findQuote,
  type Quote,
  setNextReminder,
} from './quote-store.server.ts';

/** Sends the customer the link, and notifies staff if a visitor made the quote. */
export const quoteMailed: NotificationKind<Quote> = {
  kind: 'quote-saved',
  label: 'Quote',
  find: findQuote,
  reference: quoteReference,
  topic: ({ id }) => `quote ${id}`,
  audiences: ({ madeById }) => (madeById === null ? ['staff', 'customer'] : ['customer']),
  limitedRecipient: ({ madeById, email }) => (madeById === null ? email : undefined),

  staffMessage(quote, context) {
    const { id, name, company: buyer, email, note, planName, amountCents, createdAt } = quote;
    const number = quoteReference(id);
    return {
      title: `New quote ${number}`,
      facts: present(
        ['What happened', 'A visitor saved a quote and can accept it by paying the first month.'],
        ['Name', name],
        ['Company', buyer],
        ['Email', email],
        ['Plan', planName],
        ['Monthly total', formatDollars(amountCents)],
        ...startFacts(quotedPrice(quote, context.company)),
        ['Saved', formatDateTime(context.company, createdAt)],
        ['Valid through', lastDay(quote, context)],
      ),
      text: note,
      price: quotedPrice(quote, context.company),
      reply: { name, email, subject: `Re: Your quote ${number} from ${context.company.name}` },
      staffUrl: `${context.publicUrl}${recordPath('quotes', id)}`,
    };
  },

  customerEmail(quote, _at, context) {
    const byVisitor = quote.madeById === null;
    return quoteEmail(quote, context, {
      subject: `Your quote ${quoteReference(quote.id)} from ${context.company.name}`,
      heading: monthly(quote),
      first: byVisitor
        ? 'You asked us to keep these prices for you. They won’t change while the quote is valid.'
        : 'We prepared this quote for you. The prices won’t change while it is valid.',
      ...(byVisitor && { reason: SOMEONE_ENTERED }),
    });
  },
};

/** For programs of the company, also of quotes that staff made. */
export const quoteMade: NotificationKind<Quote> = {
  ...quoteMailed,
  kind: 'quote-stored',
  audiences: () => [],
  event: {
    type: 'quote.saved',
    async data({ id, name, email, company, note, planName, ...quote }, { db, publicUrl }) {
      return {
        reference: withoutSpaces(quoteReference(id)),
        ...{ name, email, company, note },
        plan: planName,
        monthlyAmount: toDollars(quote.amountCents),
        once: onceJson(parseLines(quote.once)),
        startsOn: quote.startsOn,
        expiresAt: isoTime(quote.expiresAt),
        madeBy: quote.madeBy,
        source: (await attributionOf(db, 'quote', id)) ?? null,
        url: `${publicUrl}${recordPath('quotes', id)}`,
      };
    },
  },
};

export const quoteChanged: NotificationKind<Quote> = {
  ...quoteMailed,
  kind: 'quote-changed',
  label: 'Changed quote',
  audiences: () => ['customer'],
  limitedRecipient: () => undefined,

  customerEmail(quote, _at, context) {
    return quoteEmail(quote, context, {
      subject: `Your quote ${quoteReference(quote.id)} was updated`,
      heading: `${monthly(quote)} now`,
      first: 'We changed your quote. Every link to it, old or new, now shows the updated version.',
    });
  },
};

export const quoteReminder: NotificationKind<Quote> = {
  ...quoteMailed,
  kind: 'quote-reminder',
  label: 'Reminder of quote',
  audiences: () => ['customer'],

  async customerEmail(quote, _at, context) {
    if (quote.remindersStopped) return undefined;
    const end = lastDay(quote, context);
    return quoteEmail(quote, context, {
      subject: `Your quote ${quoteReference(quote.id)} ends on ${end}`,
      heading: monthly(quote),
      under: `Held through ${end}\nQuote ${quoteReference(quote.id)}`,
      first:
        'Your prices are still held for you. After that day, the prices then on our site apply.',
      isReminder: true,
      reason: 'This is a reminder about your quote.',
    });
  },
};

type QuoteWords = Record<'subject' | 'heading' | 'first', string> & {
  under?: string;
  /** Why the email came. */
  reason?: string;
  isReminder?: boolean;
};

/** Undefined if the quote is not open, or a visitor typed our own address. */
async function quoteEmail(
  quote: Quote,
  context: MessageContext,
  { first, reason = '', isReminder, ...words }: QuoteWords,
): Promise<CustomerEmail | undefined> {
  if (quoteState(quote, Date.now()) !== 'open') return undefined;
  if (quote.madeById === null && context.isOwnAddress(quote.email)) return undefined;
  const url = await addQuoteLink(context, quote.id);
  const price = quotedPrice(quote, context.company);
  const facts = present(
    // A visitor could send any text to anyone by typing it as the company.
    ['Company', quote.madeById !== null && quote.company],
    ['Starts', price.startsOn && formatDate(price.startsOn)],
  );
  return {
    to: quote.email,
    ...(quote.madeById !== null && { name: quote.name, company: quote.company }),
    under: `Valid through ${lastDay(quote, context)}\nQuote ${quoteReference(quote.id)}`,
    ...words,
    ...(isReminder && { unsubscribeUrl: url }),
    reason: quote.remindAt === null ? reason : `${reason} ${TO_STOP}`.trim(),
    parts: [
      first,
      { kind: 'link', label: 'View your quote', url },
      { kind: 'prices', price },
      ...(facts.length > 0 ? [{ kind: 'facts' as const, facts }] : []),
      `You or a colleague can print it, or accept ${acceptanceWords({ payment: quotedPayment(quote), price }).acceptedBy}. Anyone with the link can open it.`,
    ],
    question: 'Questions?',
  };
}

const TO_STOP = 'To stop reminders, open the quote and choose “Stop reminders.”';

const monthly = ({ amountCents }: Quote) => `${formatDollars(amountCents)} a month`;

function lastDay({ expiresAt }: Quote, { company }: MessageContext): string {
  return formatDay(company, expiresAt);
}

/** Reminders per run; the rest follow in the next one. */
const MAX_REMINDERS = 200;

/** Without email there is no one to remind. */
export function quoteReminders(site: Site): Interval[] {
  if (!site.mail) return [];
  return [
    new Interval('quote-reminders-failed', 10 * MINUTE_MS, (isStopped) =>
      sendQuoteReminders(site, isStopped),
    ),
  ];
}

/** Sends each reminder once, on however many servers; of several missed, the newest. */
export async function sendQuoteReminders(
  { db, notify }: Pick<Site, 'db' | 'notify'>,
  isStopped: () => boolean = () => false,
): Promise<void> {
  const now = Date.now();
  for (const quote of await findDueForReminder(db, now, MAX_REMINDERS)) {
    if (isStopped()) return;
    await db.transaction().execute(async (trx) => {
      const first = await setNextReminder(trx, quote, nextReminder(quote.expiresAt, now));
      if (first && quote.acceptedAt === null) await notify(trx, quoteReminder, quote.id);
    });
  }
}
