/** A visitor saves a quote; anybody with its link sees it and can turn reminders off. */
import { isDatabaseAway } from '../platform/database/database-away.server.ts';
import { refuse } from '../platform/http/answer.server.ts';
import { type Call, call } from '../platform/http/call.server.ts';
import type { Limit, RateLimits } from '../platform/http/rate-limit.server.ts';
import { countFor, type MessageBudget } from '../platform/message-limits.server.ts';
import { cents, toDollars } from '../platform/money.ts';
import { priceQuote, type QuoteDeps, saveQuote } from './make-quote.server.ts';
import { quoteReference } from './quote.ts';
import { OPEN_QUOTE, type QuoteJson, SAVE_QUOTE, SET_REMINDERS } from './quote-api.ts';
import { quoteJson } from './quote-json.server.ts';
import { quoteSaved } from './quote-mails.server.ts';
import { addQuoteLink, countOpening, findLinkedQuote, updateQuote } from './quote-store.server.ts';

const LIMIT: Limit = {
  name: 'quotes',
  rules: [
    { calls: 5, seconds: 60 },
    { calls: 30, seconds: 60 * 60 },
  ],
};
/** Pages with a quote are rendered for each request, so a visitor's address gets few of them. */
const PAGE_LIMIT: Limit = { name: 'quote-pages', rules: [{ calls: 30, seconds: 60 }] };
const DAY_S = 24 * 60 * 60;
const TOO_MANY =
  'There have been several quotes for this email address today. Please try again tomorrow, or call us.';

export function quoteCalls(deps: QuoteDeps & { budget: MessageBudget }): Call[] {
  const { db, gateway, notify, publicUrl, budget } = deps;
  const unknown = () => refuse(404, 'This link isn’t valid');
  return [
    call(SAVE_QUOTE, {
      access: 'anyone',
      creates: true,
      limit: LIMIT,
      handle: async ({ body, limitKey, accept }) => {
        const priced = await priceQuote(deps, body);
        if (priced instanceof Response) return priced;
        const saved = await db.transaction().execute(async (trx) => {
          if (!(await countFor(trx, body.email, 'quotes')))
            return refuse(429, TOO_MANY, { retryAfter: DAY_S });
          const refusal = budget.refuse(priced);
          if (refusal) return refusal;
          const { id, amountCents, expiresAt } = await saveQuote(trx, priced, null);
          const url = await addQuoteLink(trx, publicUrl, id);
          await notify(trx, quoteSaved, id, limitKey);
          return {
            reference: quoteReference(id),
            url,
            amount: toDollars(cents(amountCents)),
            expiresAt: new Date(expiresAt).toISOString(),
          };
        });
        if (saved instanceof Response) return saved;
        budget.count(priced);
        accept();
        return saved;
      },
    }),
    call(OPEN_QUOTE, {
      access: 'recognised',
      handle: async ({ body: { token }, staff }) => {
        const quote = await findLinkedQuote(db, token);
        if (!quote) return unknown();
        const now = await gateway.now();
        if (!staff) await countOpening(db, quote.id, now);
        return quoteJson(quote, now);
      },
    }),
    call(SET_REMINDERS, {
      access: 'anyone',
      handle: async ({ body: { token, wanted } }) => {
        const quote = await findLinkedQuote(db, token);
        if (!quote) return unknown();
        const remindersStopped = wanted ? 0 : 1;
        await updateQuote(db, quote.id, { remindersStopped });
        return quoteJson({ ...quote, remindersStopped }, await gateway.now());
      },
    }),
  ];
}

/**
 * What the page of a link shows to a visitor, by whose address it is limited; it does not count as an opening, for programs
 * load pages too. Null where the browser is to fetch it.
 */
export async function quoteOnPage(
  { db, gateway }: Pick<QuoteDeps, 'db' | 'gateway'>,
  limits: RateLimits,
  { token, limitKey }: { token: string; limitKey: string },
): Promise<QuoteJson | 'unknown' | null> {
  if (limits.take(PAGE_LIMIT, limitKey).wait > 0) return null;
  try {
    const quote = await findLinkedQuote(db, token);
    return quote ? quoteJson(quote, await gateway.now()) : 'unknown';
  } catch (error) {
    if (isDatabaseAway(error)) return null;
    throw error;
  }
}
