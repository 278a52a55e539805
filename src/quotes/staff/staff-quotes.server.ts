/** Staff look after quotes: the list, one made or changed by hand, a new link, and taking one back. */
import type { Kysely } from 'kysely';
import type { recordAudit } from '../../admin/audit-store.server.ts';
import type { GivenUp } from '../../orders/give-up-order.server.ts';
import type { Tables } from '../../platform/database/tables.server.ts';
import { refuse } from '../../platform/http/answer.server.ts';
import { type Call, type CallRequest, call, readId } from '../../platform/http/call.server.ts';
import { totalOf } from '../../platform/list-query.ts';
import { quoteFor, saveQuote } from '../make-quote.server.ts';
import { quoteChanged } from '../notifications/quote-changed.server.ts';
import { quoteSaved } from '../notifications/quote-saved.server.ts';
import { quoteState, type StaffQuoteRequest, staffQuoteRequest } from '../quote.ts';
import type { QuoteDeps } from '../quote-calls.server.ts';
import {
  CHANGE_QUOTE,
  GET_QUOTE,
  LINK_QUOTE,
  LIST_QUOTES,
  MAKE_QUOTE,
  WITHDRAW_QUOTE,
} from '../quote-contracts.ts';
import { quoteRow } from '../quote-json.server.ts';
import { quoteReference } from '../quote-reference.ts';
import {
  madeQuote,
  type QuoteRow,
  quoteLink,
  quoteList,
  quoteRow as rowShape,
} from '../quote-shapes.ts';
import { findQuote, holdQuote, type Quote, updateQuote } from '../quote-store.server.ts';
import { readQuoteFilter } from './quote-list.ts';
import { countQuotes, listQuotes } from './quote-list-store.server.ts';

export interface StaffQuoteDeps extends QuoteDeps {
  recordAudit: typeof recordAudit;
  /** Ends an order by which nobody has paid the quote yet. */
  freeQuote(quoteId: number, why: string): Promise<GivenUp>;
}

type By = Pick<CallRequest<unknown, 'staff'>, 'staff' | 'address'>;

export function staffQuoteCalls(deps: StaffQuoteDeps): Call[] {
  const { db, links } = deps;
  const missing = () => refuse(404, 'This quote does not exist');
  const find = (id: string | undefined) => findQuote(db, readId(id) ?? 0);
  return [
    call(LIST_QUOTES, {
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
    call(GET_QUOTE, {
      access: 'staff',
      answer: rowShape,
      handle: async ({ params }) => {
        const quote = await find(params.id);
        return quote ? quoteRow(quote) : missing();
      },
    }),
    call(MAKE_QUOTE, {
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
    call(CHANGE_QUOTE, {
      access: 'staff',
      body: staffQuoteRequest,
      answer: madeQuote,
      handle: async ({ params, body, ...by }) => {
        const quote = await find(params.id);
        if (!quote) return missing();
        const refusal = refuseClosed(quote) ?? (await freed(deps, quote, 'The quote was changed'));
        return refusal ?? change(deps, quote, body, by);
      },
    }),
    call(WITHDRAW_QUOTE, {
      access: 'staff',
      answer: rowShape,
      handle: async ({ params, ...by }) => {
        const quote = await find(params.id);
        if (!quote) return missing();
        if (quote.withdrawnAt !== null) return quoteRow(quote);
        const refusal =
          refuseClosed(quote) ?? (await freed(deps, quote, 'The quote was withdrawn'));
        if (refusal) return refusal;
        return db.transaction().execute(async (trx) => {
          if (!(await stillFree(trx, quote))) return refuseChanged();
          const now = later(quote);
          await updateQuote(trx, quote.id, { withdrawnAt: now, changedAt: now });
          await audit(deps, trx, 'quote-withdrawn', quote.id, by);
          return rowNow(trx, quote.id);
        });
      },
    }),
    call(LINK_QUOTE, {
      access: 'staff',
      answer: quoteLink,
      handle: async ({ params }) => {
        const quote = await find(params.id);
        return quote ? { url: await links.mint(db, quote.id) } : missing();
      },
    }),
  ];
}

/** Recalculated at today's prices. Links that were sent before show the change. */
async function change(deps: StaffQuoteDeps, quote: Quote, body: StaffQuoteRequest, by: By) {
  const made = await quoteFor(deps, body);
  if (made instanceof Response) return made;
  return deps.db.transaction().execute(async (trx) => {
    const known = { id: quote.id, changedAt: body.changedAt ?? quote.changedAt };
    if (!(await stillFree(trx, { ...quote, ...known }))) return refuseChanged();
    await updateQuote(trx, quote.id, { ...made, changedAt: later(quote) });
    await audit(deps, trx, 'quote-changed', quote.id, by);
    if (body.send) await deps.notify(trx, quoteChanged, quote.id);
    return { quote: await rowNow(trx, quote.id), url: null };
  });
}

function refuseClosed(quote: Quote): Response | undefined {
  const state = quoteState(quote, Date.now());
  const closed = state === 'accepted' || state === 'withdrawn';
  return closed
    ? refuse(409, `Quote ${quoteReference(quote.id)} has been ${state} and stays as it is`)
    : undefined;
}

function refuseChanged(): Response {
  return refuse(409, 'Something has changed since you opened this. Please review it again.');
}

/** An order that was begun by the quote and not paid ends first; one that is being paid stays. */
async function freed(deps: StaffQuoteDeps, { id }: Quote, why: string) {
  switch (await deps.freeQuote(id, why)) {
    case 'given-up':
      return undefined;
    case 'paid':
      return refuse(409, 'This quote has just been paid');
    case 'under-way':
      return refuse(409, 'The customer is paying this quote right now. Please try again later.');
    case 'away':
      return refuse(503, 'Payments are unavailable right now. Please try again soon.', {
        retryAfter: 5,
      });
  }
}

/** Nobody has changed it or ordered by it since. */
async function stillFree(trx: Kysely<Tables>, quote: Quote): Promise<boolean> {
  if (!(await holdQuote(trx, quote))) return false;
  const now = await findQuote(trx, quote.id);
  return now?.orderId === quote.orderId;
}

/** Two changes never bear the same time, whatever the clock says. */
function later({ changedAt }: Quote): number {
  return Math.max(Date.now(), changedAt + 1);
}

async function rowNow(trx: Kysely<Tables>, id: number): Promise<QuoteRow> {
  const quote = await findQuote(trx, id);
  if (!quote) throw new Error(`quote ${id} is gone`);
  return quoteRow(quote);
}

function audit(
  { recordAudit: record }: StaffQuoteDeps,
  trx: Kysely<Tables>,
  kind: 'quote-made' | 'quote-changed' | 'quote-withdrawn',
  id: number,
  { staff, address }: By,
): Promise<void> {
  return record(trx, { kind, username: staff.username, address, detail: quoteReference(id) });
}
