/** Staff look after quotes: the list, one made or changed by hand, a new link, and taking one back. */
import type { Kysely } from 'kysely';
import { abandonOrder } from '../orders/abandon-order.server.ts';
import { orderOfQuote } from '../orders/order-store.server.ts';
import type { Tables } from '../platform/database/tables.server.ts';
import { refuse } from '../platform/http/answer.server.ts';
import { type Call, type CallRequest, call, readId } from '../platform/http/call.server.ts';
import { totalOf } from '../platform/list-query.ts';
import { recordAudit } from '../staff/audit-store.server.ts';
import { priceQuote, type QuoteDeps, saveQuote } from './make-quote.server.ts';
import { quoteReference, quoteState } from './quote.ts';
import {
  CHANGE_QUOTE,
  GET_QUOTE,
  LINK_QUOTE,
  LIST_QUOTES,
  MAKE_QUOTE,
  type QuoteRowJson,
  readQuoteFilter,
  type StaffQuoteRequest,
  WITHDRAW_QUOTE,
} from './quote-api.ts';
import { quoteRowJson } from './quote-json.server.ts';
import { quoteChanged, quoteSaved } from './quote-mails.server.ts';
import {
  addQuoteLink,
  countQuotes,
  findQuote,
  holdQuote,
  listQuotes,
  type Quote,
  updateQuote,
} from './quote-store.server.ts';

export function staffQuoteCalls(deps: QuoteDeps): Call[] {
  const { db, gateway, notify, publicUrl } = deps;
  const missing = () => refuse(404, 'This quote does not exist');
  const find = (id: string | undefined) => findQuote(db, readId(id) ?? 0);
  return [
    call(LIST_QUOTES, {
      access: 'staff',
      handle: async ({ query }) => {
        const filter = readQuoteFilter(query);
        const now = await gateway.now();
        const counts = await countQuotes(db, filter.words, now);
        const quotes = await listQuotes(db, filter, now);
        return {
          quotes: quotes.map((quote) => quoteRowJson(quote, now)),
          total: totalOf(counts, filter.state),
          counts,
        };
      },
    }),
    call(GET_QUOTE, {
      access: 'staff',
      handle: async ({ params }) => {
        const quote = await find(params.id);
        return quote ? quoteRowJson(quote, await gateway.now()) : missing();
      },
    }),
    call(MAKE_QUOTE, {
      access: 'staff',
      handle: async ({ body, ...by }) => {
        const priced = await priceQuote(deps, body);
        if (priced instanceof Response) return priced;
        return db.transaction().execute(async (trx) => {
          const { id } = await saveQuote(trx, priced, by.staff.username);
          const url = await addQuoteLink(trx, publicUrl, id);
          await audit(trx, 'quote-made', id, by);
          if (body.send) await notify(trx, quoteSaved, id);
          return { quote: await currentRow(trx, id, priced.changedAt), url };
        });
      },
    }),
    call(CHANGE_QUOTE, {
      access: 'staff',
      handle: async ({ params, body, ...by }) => {
        const quote = await find(params.id);
        return quote ? changeQuote(deps, quote, body, by) : missing();
      },
    }),
    call(WITHDRAW_QUOTE, {
      access: 'staff',
      handle: async ({ params, ...by }) => {
        const quote = await find(params.id);
        return quote ? withdrawQuote(deps, quote, by) : missing();
      },
    }),
    call(LINK_QUOTE, {
      access: 'staff',
      handle: async ({ params }) => {
        const quote = await find(params.id);
        return quote ? { url: await addQuoteLink(db, publicUrl, quote.id) } : missing();
      },
    }),
  ];
}

type By = Pick<CallRequest<unknown, 'staff'>, 'staff' | 'address'>;

/** Recalculated at today's prices. Links that were sent before show the change. */
async function changeQuote(deps: QuoteDeps, quote: Quote, body: StaffQuoteRequest, by: By) {
  const { id, changedAt } = quote;
  const refusal =
    refuseClosed(quote) ?? ((body.changedAt ?? changedAt) === changedAt ? null : refuseChanged());
  if (refusal) return refusal;
  const priced = await priceQuote(deps, body);
  if (priced instanceof Response) return priced;
  const taken = await endUnpaidOrder(deps, id, 'The quote was changed');
  if (taken) return taken;
  return deps.db.transaction().execute(async (trx) => {
    if (!(await holdUnordered(trx, quote))) return refuseChanged();
    const now = Math.max(priced.changedAt, changedAt + 1);
    await updateQuote(trx, id, { ...priced, changedAt: now });
    await audit(trx, 'quote-changed', id, by);
    if (body.send) await deps.notify(trx, quoteChanged, id);
    return { quote: await currentRow(trx, id, now), url: null };
  });
}

async function withdrawQuote(deps: QuoteDeps, quote: Quote, by: By) {
  const { id, changedAt } = quote;
  const now = Math.max(await deps.gateway.now(), changedAt + 1);
  if (quote.withdrawnAt !== null) return quoteRowJson(quote, now);
  const refusal =
    refuseClosed(quote) ?? (await endUnpaidOrder(deps, id, 'The quote was withdrawn'));
  if (refusal) return refusal;
  return deps.db.transaction().execute(async (trx) => {
    if (!(await holdUnordered(trx, quote))) return refuseChanged();
    await updateQuote(trx, id, { withdrawnAt: now, changedAt: now });
    await audit(trx, 'quote-withdrawn', id, by);
    return currentRow(trx, id, now);
  });
}

/** One that has expired may still be changed, so the time does not matter. */
function refuseClosed(quote: Quote): Response | undefined {
  const state = quoteState(quote, 0);
  return state === 'open'
    ? undefined
    : refuse(409, `Quote ${quoteReference(quote.id)} has been ${state} and stays as it is`);
}

function refuseChanged(): Response {
  return refuse(409, 'Something has changed since you opened this. Please review it again.');
}

/** An order that was begun by the quote and not paid ends first; one that is being paid stays, and is the refusal. */
async function endUnpaidOrder(deps: QuoteDeps, quoteId: number, why: string) {
  const order = await orderOfQuote(deps.db, quoteId);
  const outcome = order && (await abandonOrder(deps, order, why, { evenAtBank: true }));
  switch (outcome) {
    case undefined:
    case 'abandoned':
      return undefined;
    case 'paid':
      return refuse(409, 'This quote has just been paid');
    case 'under-way':
      return refuse(409, 'The customer is paying this quote right now. Please try again later.');
    case 'unavailable':
      return refuse(503, 'Payments are unavailable right now. Please try again soon.', {
        retryAfter: 5,
      });
  }
}

/** Locks the quote; false when it has been changed or ordered by since it was read. */
async function holdUnordered(trx: Kysely<Tables>, quote: Quote): Promise<boolean> {
  if (!(await holdQuote(trx, quote))) return false;
  const now = await findQuote(trx, quote.id);
  return now?.orderId === quote.orderId;
}

async function currentRow(trx: Kysely<Tables>, id: number, now: number): Promise<QuoteRowJson> {
  const quote = await findQuote(trx, id);
  if (!quote) throw new Error(`quote ${id} is gone`);
  return quoteRowJson(quote, now);
}

function audit(
  trx: Kysely<Tables>,
  kind: 'quote-made' | 'quote-changed' | 'quote-withdrawn',
  id: number,
  { staff, address }: By,
): Promise<void> {
  const detail = quoteReference(id);
  return recordAudit(trx, { kind, username: staff.username, address, detail });
}
