/** Staff look after quotes: the list, one made or changed by hand, a new link, and taking one back. */
import { refuse } from '../../platform/http/answer.server.ts';
import { type Call, oldCall, readId } from '../../platform/http/call.server.ts';
import { totalOf } from '../../platform/list-query.ts';
import { quoteFor, saveQuote } from '../make-quote.server.ts';
import { quoteSaved } from '../notifications/quote-saved.server.ts';
import { staffQuoteRequest } from '../quote.ts';
import {
  CHANGE_QUOTE,
  GET_QUOTE,
  LINK_QUOTE,
  LIST_QUOTES,
  MAKE_QUOTE,
  WITHDRAW_QUOTE,
} from '../quote-contracts.ts';
import { quoteRow } from '../quote-json.server.ts';
import { madeQuote, quoteLink, quoteList, quoteRow as rowShape } from '../quote-shapes.ts';
import { findQuote } from '../quote-store.server.ts';
import {
  audit,
  changeQuote,
  rowNow,
  type StaffQuoteDeps,
  withdrawQuote,
} from './change-quote.server.ts';
import { readQuoteFilter } from './quote-list.ts';
import { countQuotes, listQuotes } from './quote-list-store.server.ts';

export function staffQuoteCalls(deps: StaffQuoteDeps): Call[] {
  const { db, links } = deps;
  const missing = () => refuse(404, 'This quote does not exist');
  const find = (id: string | undefined) => findQuote(db, readId(id) ?? 0);
  return [
    oldCall(LIST_QUOTES, {
      access: 'staff',
      answer: quoteList,
      handle: async ({ query }) => {
        const filter = readQuoteFilter(query);
        const now = Date.now();
        const counts = await countQuotes(db, filter.words, now);
        const total = totalOf(counts, filter.state);
        return { quotes: (await listQuotes(db, filter, now)).map(quoteRow), total, counts };
      },
    }),
    oldCall(GET_QUOTE, {
      access: 'staff',
      answer: rowShape,
      handle: async ({ params }) => {
        const quote = await find(params.id);
        return quote ? quoteRow(quote) : missing();
      },
    }),
    oldCall(MAKE_QUOTE, {
      access: 'staff',
      body: staffQuoteRequest,
      answer: madeQuote,
      handle: async ({ body, ...by }) => {
        const made = await quoteFor(deps, body);
        if (made instanceof Response) return made;
        return db.transaction().execute(async (trx) => {
          const { id } = await saveQuote(trx, made, by.staff.username);
          const url = await links.mint(trx, id);
          await audit(deps, trx, 'quote-made', id, by);
          if (body.send) await deps.notify(trx, quoteSaved, id);
          return { quote: await rowNow(trx, id), url };
        });
      },
    }),
    oldCall(CHANGE_QUOTE, {
      access: 'staff',
      body: staffQuoteRequest,
      answer: madeQuote,
      handle: async ({ params, body, ...by }) => {
        const quote = await find(params.id);
        return quote ? changeQuote(deps, quote, body, by) : missing();
      },
    }),
    oldCall(WITHDRAW_QUOTE, {
      access: 'staff',
      answer: rowShape,
      handle: async ({ params, ...by }) => {
        const quote = await find(params.id);
        return quote ? withdrawQuote(deps, quote, by) : missing();
      },
    }),
    oldCall(LINK_QUOTE, {
      access: 'staff',
      answer: quoteLink,
      handle: async ({ params }) => {
        const quote = await find(params.id);
        return quote ? { url: await links.mint(db, quote.id) } : missing();
      },
    }),
  ];
}
