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
import { hashRequest, idempotencyKeyOf } from '../platform/http/idempotency-key.server.ts';
import { hasRoomForMail } from '../platform/message-limits.server.ts';
import { toDollars } from '../platform/money.ts';
import { isoTime } from '../platform/time.ts';
import { CHECKOUT_PAGES } from '../routes.ts';
import type { Site } from '../site.server.ts';
import { type PricedQuote, priceQuote, type QuotingSite, quoteJson } from './make-quote.server.ts';
import { quotedPayment, quoteState } from './quote.ts';
import { OPEN_QUOTE, type QuoteJson, SAVE_QUOTE, SET_REMINDERS } from './quote-api.ts';
import { quoteMade, quoteMailed } from './quote-mails.server.ts';
import {
  addQuoteLink,
  countOpening,
  deleteQuote,
  findLinkedQuote,
  findQuoteByKey,
  insertQuote,
  insertQuoteKey,
  type Quote,
  updateQuote,
} from './quote-store.server.ts';

export function quoteCalls(context: Site): Call[] {
  const { db } = context;
  return [
    call(
      SAVE_QUOTE,
      { access: 'anyone', creates: true, limit: QUOTE_CALLS },
      async ({ body, countAsRepeat, ...visit }) => {
        const key = idempotencyKeyOf(visit.headers);
        if (key instanceof Response) return key;
        const request = { key, requestHash: hashRequest(body) };
        const repeated = await answerAgain(context, request);
        if (repeated) {
          countAsRepeat();
          return repeated;
        }
        const priced = await priceQuote(context, body);
        if (priced instanceof Response) return priced;
        return db
          .transaction()
          .execute((trx) => saveQuote({ ...context, db: trx }, priced, request, visit));
      },
    ),
    call(OPEN_QUOTE, 'recognized', async ({ body: { token, viewed }, staff }) => {
      const quote = await findLinkedQuote(db, token);
      if (!quote) return unknown();
      const now = Date.now();
      if (viewed && !staff) await countOpening(db, quote.id, now);
      return quoteJson(quote, context, now);
    }),
  ];
}

const unknown = () => refuse(404, 'This link isn’t valid');

export function remindersCall(site: Site): Call {
  const { db } = site;
  return call(SET_REMINDERS, 'anyone', async ({ body: { token, wanted } }) => {
    const quote = await findLinkedQuote(db, token);
    if (!quote) return unknown();
    const remindersStopped = wanted ? 0 : 1;
    await updateQuote(db, quote.id, { remindersStopped });
    return quoteJson({ ...quote, remindersStopped }, site, Date.now());
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

const refuseOther = () => refuse(409, 'This Idempotency-Key was used for another quote');

interface Keyed {
  key: string | null;
  requestHash: string;
}

/** The quote that this request has made before; refused if another request has used the key. */
export async function findRepeated(db: Db, { key, requestHash }: Keyed) {
  const known = key === null ? undefined : await findQuoteByKey(db, key);
  return known && known.requestHash !== requestHash ? refuseOther() : known;
}

/** Keeps the key with the new quote, which goes if another has just taken it: see findRepeated. */
export async function keepKey(
  db: Db,
  { key, requestHash }: Keyed,
  quoteId: number,
  emailed: boolean,
) {
  const row = { key: `${key}`, requestHash, quoteId, emailed: emailed ? 1 : 0 } as const;
  if (key === null || (await insertQuoteKey(db, row))) return undefined;
  await deleteQuote(db, quoteId);
  return (await findRepeated(db, { key, requestHash })) ?? refuseOther();
}

async function answerAgain({ db, publicUrl }: Site, keyed: Keyed) {
  const known = await findRepeated(db, keyed);
  if (!known || known instanceof Response) return known;
  const { amountCents, expiresAt } = known;
  const url = await addQuoteLink({ db, publicUrl }, known.id, keyed.key);
  return savedJson({ id: known.id, amountCents, expiresAt }, url, known.emailed === 1);
}

function savedJson(
  { id, amountCents, expiresAt }: Pick<Quote, 'id' | 'amountCents' | 'expiresAt'>,
  url: string,
  emailed: boolean,
) {
  return {
    reference: quoteReference(id),
    url,
    amount: toDollars(amountCents),
    expiresAt: isoTime(expiresAt),
    emailed,
  };
}

async function saveQuote(
  site: Site,
  priced: PricedQuote,
  keyed: Keyed,
  visit: Pick<CallRequest<unknown>, 'headers' | 'cookies'>,
) {
  const { db, notify, mail, publicUrl, isOwnAddress } = site;
  const { email } = priced;
  // It locks the mailbox, so the second of two requests under one key waits here for the first.
  const hasRoom = await hasRoomForMail(db, email);
  const emailed = mail && !isOwnAddress(email) && hasRoom;
  const repeated = await answerAgain(site, keyed);
  if (repeated) return repeated;
  const id = await insertQuote(db, { ...priced, createdAt: priced.changedAt, madeById: null });
  // Only a request for another mailbox can have taken it meanwhile.
  if (await keepKey(db, keyed, id, emailed)) return refuseOther();
  const url = await addQuoteLink({ db, publicUrl }, id, keyed.key);
  await saveAttribution(db, 'quote', id, visit);
  await notify(db, quoteMailed, id);
  await notify(db, quoteMade, id);
  return savedJson({ ...priced, id }, url, emailed);
}

/** The quote for the page of a link, not counted as viewed; null if the browser must fetch it. */
export async function quoteOnPage(
  site: QuotingSite & Pick<Site, 'db' | 'limits'>,
  { token, limitKey }: { token: string; limitKey: string },
): Promise<QuoteJson | 'unknown' | null> {
  if (site.limits.take(QUOTE_PAGES, limitKey) > 0) return null;
  try {
    const quote = await findLinkedQuote(site.db, token);
    return quote ? quoteJson(quote, site, Date.now()) : 'unknown';
  } catch (error) {
    if (isDatabaseUnavailable(error)) return null;
    throw error;
  }
}

const CLOSED = {
  accepted: [409, 'has already been accepted. Nothing has been charged now.'],
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
  if (!quote) return unknown();
  const number = quoteReference(quote.id);
  const { collection: wayToPay } = quotedPayment(quote);
  const state = quoteState(quote, Date.now());
  if (state === 'open')
    return wayToPay === by
      ? quote
      : refuse(409, `Quote ${number} is paid by ${wayToPay}. Please open its link again.`);
  const [status, reason] = CLOSED[state];
  return refuse(status, `Quote ${number} ${reason}`);
}
