/** A visitor saves a quote; anybody with its link sees it and can turn reminders off. */
import type { Kysely } from 'kysely';
import type { Notify } from '../notifications/outbox.server.ts';
import type { Tables } from '../platform/database/tables.server.ts';
import { refuse } from '../platform/http/answer.server.ts';
import { type Call, oldCall } from '../platform/http/call.server.ts';
import type { MessageBudget } from '../platform/http/message-budget.server.ts';
import type { Limit } from '../platform/http/rate-limit.server.ts';
import { lockRecipient } from '../platform/mail-recipients.server.ts';
import { cents, toDollars } from '../platform/money.ts';
import { type Prices, quoteFor, saveQuote } from './make-quote.server.ts';
import { quoteSaved } from './notifications/quote-saved.server.ts';
import { quoteRequest } from './quote.ts';
import { OPEN_QUOTE, SAVE_QUOTE, SET_REMINDERS } from './quote-contracts.ts';
import { quoteJson } from './quote-json.server.ts';
import type { QuoteLinks } from './quote-links.server.ts';
import { quoteReference } from './quote-reference.ts';
import {
  quoteJson as quoteShape,
  quoteTokenRequest,
  remindersRequest,
  savedQuote,
} from './quote-shapes.ts';
import { countOpening, countQuotesSince, updateQuote } from './quote-store.server.ts';

const LIMIT: Limit = {
  name: 'quotes',
  rules: [
    { calls: 5, seconds: 60 },
    { calls: 30, seconds: 60 * 60 },
  ],
};
/** At most so many for one email address, which may be somebody else's. */
const A_DAY = 5;
const DAY_S = 24 * 60 * 60;
const TOO_MANY =
  'There have been several quotes for this email address today. Please try again tomorrow, or call us.';

export interface QuoteDeps extends Prices {
  db: Kysely<Tables>;
  notify: Notify;
  links: QuoteLinks;
  budget: MessageBudget;
}

export function quoteCalls(deps: QuoteDeps): Call[] {
  const { db, notify, links, budget } = deps;
  const unknown = () => refuse(404, 'This link isn’t valid');
  return [
    oldCall(SAVE_QUOTE, {
      access: 'anyone',
      creates: true,
      limit: LIMIT,
      body: quoteRequest,
      answer: savedQuote,
      handle: async ({ body, accept }) => {
        const made = await quoteFor(deps, body);
        if (made instanceof Response) return made;
        const refusal = budget.take(made);
        if (refusal) return refusal;
        const saved = await db.transaction().execute(async (trx) => {
          await lockRecipient(trx, body.email);
          const since = Date.now() - DAY_S * 1000;
          if ((await countQuotesSince(trx, body.email, since)) >= A_DAY) return undefined;
          const { id, amountCents, expiresAt } = await saveQuote(trx, made, null);
          const url = await links.mint(trx, id);
          await notify(trx, quoteSaved, id);
          return {
            reference: quoteReference(id),
            url,
            amount: toDollars(cents(amountCents)),
            expiresAt: new Date(expiresAt).toISOString(),
          };
        });
        if (!saved) return refuse(429, TOO_MANY, { retryAfter: DAY_S });
        accept();
        return saved;
      },
    }),
    oldCall(OPEN_QUOTE, {
      access: 'recognised',
      body: quoteTokenRequest,
      answer: quoteShape,
      handle: async ({ body: { token }, staff }) => {
        const quote = await links.find(token);
        if (!quote) return unknown();
        if (!staff) await countOpening(db, quote.id, Date.now());
        return quoteJson(quote);
      },
    }),
    oldCall(SET_REMINDERS, {
      access: 'anyone',
      body: remindersRequest,
      answer: quoteShape,
      handle: async ({ body: { token, wanted } }) => {
        const quote = await links.find(token);
        if (!quote) return unknown();
        await updateQuote(db, quote.id, { remindersStopped: wanted ? 0 : 1 });
        const changed = await links.find(token);
        return changed ? quoteJson(changed) : unknown();
      },
    }),
  ];
}
