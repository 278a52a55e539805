/** Visitors save a quote. Anyone with its link can view it, pay it, and turn reminders off. */

import { saveAttribution } from '../attribution/attribution-store.server.ts';
import { quoteReference } from '../billing/reference.ts';
import type { Collection } from '../billing/subscription.ts';
import { QUOTE_CALLS, QUOTE_PAGES } from '../limits.ts';
import { isDatabaseUnavailable } from '../platform/database/database-unavailable.server.ts';
import type { Db } from '../platform/database/tables.server.ts';
import { refuse } from '../platform/http/answer.server.ts';
import {
  type App,
  answerCall,
  type Call,
  type CallRequest,
  call,
} from '../platform/http/call.server.ts';
import type { RateLimits } from '../platform/http/rate-limit.server.ts';
import {
  countTowardMailboxLimit,
  hasRoomForMail,
  isOverMailboxLimit,
} from '../platform/message-limits.server.ts';
import { toDollars } from '../platform/money.ts';
import { DAY_MS, isoTime } from '../platform/time.ts';
import { CHECKOUT_PAGES } from '../routes.ts';
import type { Site } from '../site.server.ts';
import { type PricedQuote, priceQuote, quoteJson } from './make-quote.server.ts';
import { quotedPayment, quoteState } from './quote.ts';
import { OPEN_QUOTE, type QuoteJson, SAVE_QUOTE, SET_REMINDERS } from './quote-api.ts';
import { quoteSaved, quoteStored } from './quote-mails.server.ts';
import {
  addQuoteLink,
  countOpening,
  findLinkedQuote,
  insertQuote,
  type Quote,
  updateQuote,
} from './quote-store.server.ts';

const TOO_MANY =
  'There have been several quotes for this email address today. Please try again tomorrow, or call us.';

const refuseMore = () => refuse(429, TOO_MANY, { retryAfter: DAY_MS / 1000 });

export function quoteCalls(context: Site): Call[] {
  const { db } = context;
  return [
    call(
      SAVE_QUOTE,
      { access: 'anyone', creates: true, limit: QUOTE_CALLS },
      async ({ body, ...visit }) => {
        const priced = await priceQuote(context, body);
        if (priced instanceof Response) return priced;
        if (await isOverMailboxLimit(db, priced.email, 'quotes')) return refuseMore();
        return db.transaction().execute((trx) => saveQuote({ ...context, db: trx }, priced, visit));
      },
    ),
    call(OPEN_QUOTE, 'recognized', async ({ body: { token, viewed }, staff }) => {
      const quote = await findLinkedQuote(db, token);
      if (!quote) return unknown();
      const now = Date.now();
      if (viewed && !staff) await countOpening(db, quote.id, now);
      return quoteJson(quote, now);
    }),
  ];
}

const unknown = () => refuse(404, 'This link isn’t valid');

export function remindersCall({ db }: Site): Call {
  return call(SET_REMINDERS, 'anyone', async ({ body: { token, wanted } }) => {
    const quote = await findLinkedQuote(db, token);
    if (!quote) return unknown();
    const remindersStopped = wanted ? 0 : 1;
    await updateQuote(db, quote.id, { remindersStopped });
    return quoteJson({ ...quote, remindersStopped }, Date.now());
  });
}

/** 'Unsubscribe' of mail programs: one POST to the quote's link stops reminders (RFC 8058). */
export function registerUnsubscribe(app: App, site: Site): void {
  const fromAnywhere = { ...remindersCall(site), ownPagesOnly: false };
  app.post(CHECKOUT_PAGES.quote.path, async (context) => {
    const body = { token: context.req.param('token'), wanted: false };
    const { status } = await answerCall(fromAnywhere, context, site, async () => ({ body }));
    return new Response(null, { status, headers: site.headers.api });
  });
}

/** What the visitor gets, or the refusal of an address with too many quotes today. */
async function saveQuote(
  { db, notify, mail, publicUrl, isOwnAddress }: Site,
  priced: PricedQuote,
  visit: Pick<CallRequest<unknown>, 'headers' | 'cookies'>,
) {
  // Another request was faster.
  if (!(await countTowardMailboxLimit(db, priced.email, 'quotes'))) return refuseMore();
  const { changedAt: createdAt, amountCents, expiresAt } = priced;
  const id = await insertQuote(db, { ...priced, createdAt, madeById: null });
  const url = await addQuoteLink({ db, publicUrl }, id);
  await saveAttribution(db, 'quote', id, visit);
  const { email } = priced;
  const emailed = mail && !isOwnAddress(email) && (await hasRoomForMail(db, email));
  await notify(db, quoteSaved, id);
  await notify(db, quoteStored, id);
  return {
    reference: quoteReference(id),
    url,
    amount: toDollars(amountCents),
    expiresAt: isoTime(expiresAt),
    emailed,
  };
}

/** The quote for the page of a link, not counted as viewed; null if the browser must fetch it. */
export async function quoteOnPage(
  db: Db,
  limits: RateLimits,
  { token, limitKey }: { token: string; limitKey: string },
): Promise<QuoteJson | 'unknown' | null> {
  if (limits.take(QUOTE_PAGES, limitKey) > 0) return null;
  try {
    const quote = await findLinkedQuote(db, token);
    return quote ? quoteJson(quote, Date.now()) : 'unknown';
  } catch (error) {
    if (isDatabaseUnavailable(error)) return null;
    throw error;
  }
}

const CLOSED = {
  accepted: [409, 'has already been paid. Nothing has been charged now.'],
  withdrawn: [410, 'was withdrawn. Please choose a plan at today’s prices.'],
  expired: [410, 'has expired. Please choose a plan at today’s prices.'],
} as const;

/** The quote of a token, or a refusal: 404 unknown, 409 paid, 410 withdrawn or expired. */
export async function findPayableQuote(
  db: Db,
  token: string,
  by: Collection = 'card',
): Promise<Quote | Response> {
  const quote = await findLinkedQuote(db, token);
  if (!quote) return refuse(404, 'This quote link isn’t valid');
  const number = quoteReference(quote.id);
  const { collection: wayToPay } = quotedPayment(quote);
  const state = quoteState(quote, Date.now());
  if (state === 'open')
    return wayToPay === by
      ? quote
      : refuse(409, `Quote ${number} is paid by ${wayToPay}. Please open its link again.`);
  if (state === 'accepted' && wayToPay === 'invoice')
    return refuse(409, `Quote ${number} has already been accepted.`);
  const [status, reason] = CLOSED[state];
  return refuse(status, `Quote ${number} ${reason}`);
}
