/** Staff change a quote or take it back, unless its customer has paid it or is paying. */
import type { Kysely } from 'kysely';
import type { Abandoned } from '../../orders/abandon-order.server.ts';
import type { Tables } from '../../platform/database/tables.server.ts';
import { refuse } from '../../platform/http/answer.server.ts';
import type { CallRequest } from '../../platform/http/call.server.ts';
import type { recordAudit } from '../../staff/audit-store.server.ts';
import { quoteFor } from '../make-quote.server.ts';
import { quoteChanged } from '../notifications/quote-changed.server.ts';
import { quoteState, type StaffQuoteRequest } from '../quote.ts';
import type { QuoteDeps } from '../quote-calls.server.ts';
import { quoteRow } from '../quote-json.server.ts';
import { quoteReference } from '../quote-reference.ts';
import type { QuoteRow } from '../quote-shapes.ts';
import { findQuote, holdQuote, type Quote, updateQuote } from '../quote-store.server.ts';

export interface StaffQuoteDeps extends QuoteDeps {
  recordAudit: typeof recordAudit;
  /** Ends an order by which nobody has paid the quote yet. */
  freeQuote(quoteId: number, why: string): Promise<Abandoned>;
}

type By = Pick<CallRequest<unknown, 'staff'>, 'staff' | 'address'>;

/** Recalculated at today's prices. Links that were sent before show the change. */
export async function changeQuote(
  deps: StaffQuoteDeps,
  quote: Quote,
  body: StaffQuoteRequest,
  by: By,
) {
  const refusal = refuseClosed(quote) ?? refuseOutdated(quote, body);
  if (refusal) return refusal;
  const made = await quoteFor(deps, body);
  if (made instanceof Response) return made;
  const held = await freed(deps, quote, 'The quote was changed');
  if (held) return held;
  return deps.db.transaction().execute(async (trx) => {
    const known = { id: quote.id, changedAt: body.changedAt ?? quote.changedAt };
    if (!(await stillFree(trx, { ...quote, ...known }))) return refuseChanged();
    await updateQuote(trx, quote.id, { ...made, changedAt: later(quote) });
    await audit(deps, trx, 'quote-changed', quote.id, by);
    if (body.send) await deps.notify(trx, quoteChanged, quote.id);
    return { quote: await rowNow(trx, quote.id), url: null };
  });
}

export async function withdrawQuote(deps: StaffQuoteDeps, quote: Quote, by: By) {
  if (quote.withdrawnAt !== null) return quoteRow(quote);
  const refusal = refuseClosed(quote) ?? (await freed(deps, quote, 'The quote was withdrawn'));
  if (refusal) return refusal;
  return deps.db.transaction().execute(async (trx) => {
    if (!(await stillFree(trx, quote))) return refuseChanged();
    const now = later(quote);
    await updateQuote(trx, quote.id, { withdrawnAt: now, changedAt: now });
    await audit(deps, trx, 'quote-withdrawn', quote.id, by);
    return rowNow(trx, quote.id);
  });
}

function refuseClosed(quote: Quote): Response | undefined {
  const state = quoteState(quote, Date.now());
  const closed = state === 'accepted' || state === 'withdrawn';
  return closed
    ? refuse(409, `Quote ${quoteReference(quote.id)} has been ${state} and stays as it is`)
    : undefined;
}

/** It is not as the colleague saw it, so nothing may end for it. */
function refuseOutdated(quote: Quote, { changedAt }: StaffQuoteRequest): Response | undefined {
  return changedAt === undefined || changedAt === quote.changedAt ? undefined : refuseChanged();
}

function refuseChanged(): Response {
  return refuse(409, 'Something has changed since you opened this. Please review it again.');
}

/** An order that was begun by the quote and not paid ends first; one that is being paid stays. */
async function freed(deps: StaffQuoteDeps, { id }: Quote, why: string) {
  switch (await deps.freeQuote(id, why)) {
    case 'abandoned':
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

export async function rowNow(trx: Kysely<Tables>, id: number): Promise<QuoteRow> {
  const quote = await findQuote(trx, id);
  if (!quote) throw new Error(`quote ${id} is gone`);
  return quoteRow(quote);
}

export function audit(
  { recordAudit: record }: StaffQuoteDeps,
  trx: Kysely<Tables>,
  kind: 'quote-made' | 'quote-changed' | 'quote-withdrawn',
  id: number,
  { staff, address }: By,
): Promise<void> {
  return record(trx, { kind, username: staff.username, address, detail: quoteReference(id) });
}
