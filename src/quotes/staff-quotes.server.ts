/** Staff list, make, change and withdraw quotes, and get links to them. */

import { sourceOf } from '../attribution/attribution-store.server.ts';
import { abandonOrder } from '../billing/abandon-order.server.ts';
import { type Cause, staffActor } from '../billing/cause.server.ts';
import { findOrderForQuote } from '../billing/order-store.server.ts';
import { refuseOutcome } from '../billing/outcome.server.ts';
import { orderReference, quoteReference, withoutSpaces } from '../billing/reference.ts';
import { onceInWords, parseLines } from '../catalogue/pricing.ts';
import type { Company } from '../company/company.ts';
import { localIsoTime, timesOf } from '../company/days.ts';
import type { Db, NewRow } from '../platform/database/tables.server.ts';
import { refuse } from '../platform/http/answer.server.ts';
import {
  type Call,
  type CallRequest,
  call,
  type StaffRequest,
} from '../platform/http/call.server.ts';
import { type Cell, dollarFigure, figure } from '../platform/http/file-download.server.ts';
import { hashRequest, idempotencyKeyOf } from '../platform/http/idempotency-key.server.ts';
import { countOf } from '../platform/list-query.ts';
import { cents, totalOf } from '../platform/money.ts';
import type { Site } from '../site.server.ts';
import { recordAudit } from '../staff/audit-store.server.ts';
import { customerFile } from '../staff/customer-file.server.ts';
import { priceQuote, type QuotingSite, quoteRowJson } from './make-quote.server.ts';
import {
  CHANGE_QUOTE,
  DOWNLOAD_QUOTES,
  GET_QUOTE,
  LINK_QUOTE,
  LIST_QUOTES,
  MAKE_QUOTE,
  QUOTE_FILTER,
  type StaffQuoteRequest,
  WITHDRAW_QUOTE,
} from './quote-api.ts';
import { findRepeated, keepKey } from './quote-calls.server.ts';
import { quoteChanged, quoteMade, quoteMailed } from './quote-mails.server.ts';
import {
  addQuoteLink,
  countQuotes,
  findQuote,
  insertQuote,
  listQuotes,
  lockQuote,
  type Quote,
  quoteBatches,
  updateQuote,
} from './quote-store.server.ts';

export function staffQuoteCalls(context: Site): Call[] {
  const { db, notify, company, today } = context;
  function withQuote<Request extends Pick<CallRequest<unknown>, 'id'>, Answer>(
    act: (quote: Quote, request: Request) => Promise<Answer>,
  ) {
    return async (request: Request) => {
      const quote = await findQuote(db, request.id);
      return quote ? act(quote, request) : refuse(404, 'This quote does not exist');
    };
  }

  const readFilter = (query: URLSearchParams) => {
    const filter = QUOTE_FILTER.read(query);
    return { ...filter, times: timesOf(company, filter) };
  };

  return [
    call(LIST_QUOTES, 'staff', async ({ query }) => {
      const filter = readFilter(query);
      const now = Date.now();
      const counts = await countQuotes(db, filter, now);
      const quotes = await listQuotes(db, filter, now);
      return {
        quotes: quotes.map((quote) => quoteRowJson(quote, context, now)),
        total: countOf(counts, filter.status),
        counts,
      };
    }),
    // Before GET_QUOTE, whose path matches, too.
    call(DOWNLOAD_QUOTES, 'staff', (request) => {
      const quotes = quoteBatches(db, readFilter(request.query), Date.now());
      return customerFile(db, request, `quotes-${today()}.csv`, csvColumns(company), quotes);
    }),
    call(
      GET_QUOTE,
      'staff',
      withQuote(async (quote) => ({
        ...quoteRowJson(quote, context, Date.now()),
        source: await sourceOf(db, 'quote', quote.id),
      })),
    ),
    call(MAKE_QUOTE, 'staff', async (request) => {
      const { body, staff } = request;
      const key = idempotencyKeyOf(request.headers);
      if (key instanceof Response) return key;
      const keyed = { key, requestHash: hashRequest(body) };
      const known = await findRepeated(db, keyed);
      if (known instanceof Response) return known;
      if (known) return currentRow(db, context, known.id, Date.now());
      const priced = await priceQuote(context, body);
      if (priced instanceof Response) return priced;
      const createdAt = priced.changedAt;
      return db.transaction().execute(async (trx) => {
        const id = await insertQuote(trx, { ...priced, createdAt, madeById: staff.accountId });
        const taken = await keepKey(trx, keyed, id, body.send);
        if (taken instanceof Response) return taken;
        // The same press, sent twice at once.
        if (taken) return currentRow(trx, context, taken.id, createdAt);
        await audit(trx, 'quote-made', id, request);
        await notify(trx, quoteMade, id);
        if (body.send) await notify(trx, quoteMailed, id);
        return currentRow(trx, context, id, createdAt);
      });
    }),
    call(
      CHANGE_QUOTE,
      'staff',
      withQuote((quote, request) => changeQuote(context, quote, request)),
    ),
    call(
      WITHDRAW_QUOTE,
      'staff',
      withQuote((quote, request) => withdrawQuote(context, quote, request)),
    ),
    call(
      LINK_QUOTE,
      'staff',
      withQuote(async ({ id }, request) => {
        await audit(db, 'quote-link-made', id, request);
        return { url: await addQuoteLink(context, id) };
      }),
    ),
  ];
}

type CsvRow = Quote & { state: string };

/** customerFile keeps text from being read as a formula. */
function csvColumns(company: Company): Record<string, (quote: CsvRow) => Cell> {
  const time = localIsoTime(company);
  return {
    quote: ({ id }) => withoutSpaces(quoteReference(id)),
    createdAt: ({ createdAt }) => time(createdAt),
    name: ({ name }) => name,
    company: ({ company }) => company ?? '',
    email: ({ email }) => email,
    plan: ({ planName }) => planName,
    ms365Option: ({ ms365Option }) => ms365Option,
    ms365Users: ({ ms365Users }) => ms365Users,
    cloudBackup: ({ includeCloudBackup }) => String(includeCloudBackup === 1),
    monthlyAmount: ({ amountCents }) => dollarFigure(amountCents),
    once: ({ once }) => dollarFigure(totalOf(parseLines(once))),
    onceFor: ({ once }) => onceInWords(parseLines(once)),
    startsOn: ({ startsOn }) => figure(startsOn ?? ''),
    discount: ({ discountCents }) => dollarFigure(cents(discountCents)),
    state: ({ state }) => state,
    expiresAt: ({ expiresAt }) => time(expiresAt),
    acceptedAt: ({ acceptedAt }) => (acceptedAt === null ? '' : time(acceptedAt)),
    order: ({ orderId }) => (orderId === null ? '' : withoutSpaces(orderReference(orderId))),
    madeBy: ({ madeBy }) => madeBy ?? '',
  };
}

/** Recalculates the quote at today's prices. Earlier links show the change. */
async function changeQuote(
  context: Site,
  quote: Quote,
  { body, ...by }: StaffRequest & { body: StaffQuoteRequest },
) {
  const { changedAt } = quote;
  const refusal = refuseClosed(quote);
  if (refusal) return refusal;
  if ((body.changedAt ?? changedAt) !== changedAt) return refuseChanged();
  const priced = await priceQuote(context, body);
  if (priced instanceof Response) return priced;
  return saveChange(context, quote, 'quote-changed', priced, by, body.send);
}

async function withdrawQuote(context: Site, quote: Quote, by: StaffRequest) {
  const now = Date.now();
  if (quote.withdrawnAt !== null) return quoteRowJson(quote, context, now);
  const refusal = refuseClosed(quote);
  if (refusal) return refusal;
  const changes = { withdrawnAt: now, changedAt: now };
  return saveChange(context, quote, 'quote-withdrawn', changes, by);
}

/** Refuses a paid or withdrawn quote. An expired one may still be changed. */
function refuseClosed(quote: Quote): Response | undefined {
  if (quote.acceptedAt === null && quote.withdrawnAt === null) return undefined;
  const closed = quote.acceptedAt === null ? 'withdrawn' : 'accepted';
  return refuse(409, `Quote ${quoteReference(quote.id)} has been ${closed} and stays as it is`);
}

function refuseChanged(): Response {
  return refuse(409, 'Something has changed since you opened this. Please review it again.');
}

/** Ends an unpaid order of the quote first: it was placed for what the quote said before. */
async function saveChange(
  context: Site,
  quote: Quote,
  kind: 'quote-changed' | 'quote-withdrawn',
  changes: Partial<NewRow<'quotes'>> & { changedAt: number },
  by: StaffRequest,
  sendEmail = false,
) {
  const { id } = quote;
  const refusal = await endUnpaidOrder(context, quote, {
    actor: staffActor({ staff: by.staff }),
    reason: kind,
  });
  if (refusal) return refusal;
  return context.db.transaction().execute(async (trx) => {
    if (!(await lockQuote(trx, quote))) return refuseChanged();
    // Nor may it have been ordered since.
    if ((await findQuote(trx, id))?.orderId !== quote.orderId) return refuseChanged();
    const changedAt = Math.max(changes.changedAt, quote.changedAt + 1);
    await updateQuote(trx, id, { ...changes, changedAt });
    await audit(trx, kind, id, by);
    if (sendEmail) await context.notify(trx, quoteChanged, id);
    return currentRow(trx, context, id, changedAt);
  });
}

async function endUnpaidOrder(context: Site, quote: Quote, cause: Cause) {
  const order = await findOrderForQuote(context.db, quote.id);
  if (!order) return undefined;
  // Placed since the quote was read.
  if (order.id !== quote.orderId) return refuseChanged();
  const outcome = await abandonOrder(context, order, cause, { evenAtBank: true });
  switch (outcome) {
    case 'abandoned':
      return undefined;
    case 'accepted':
      return refuse(409, 'This quote has just been accepted');
    case 'under-way':
      return refuse(409, 'The customer is paying this quote right now. Please try again later.');
    default:
      return refuseOutcome(outcome);
  }
}

async function currentRow(trx: Db, site: QuotingSite, id: number, now: number) {
  const quote = await findQuote(trx, id);
  if (!quote) throw new Error(`quote ${id} is gone`);
  return quoteRowJson(quote, site, now);
}

function audit(
  trx: Db,
  kind: 'quote-made' | 'quote-changed' | 'quote-withdrawn' | 'quote-link-made',
  id: number,
  { staff, address }: StaffRequest,
): Promise<number> {
  const detail = quoteReference(id);
  return recordAudit(trx, { kind, by: staff, address, detail });
}
