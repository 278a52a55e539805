/** Order calls: the browser that placed an order and staff may read and update it; staff also list, refund and end orders. */

import { sql } from 'kysely';
import { linesInDollars } from '../catalogue/pricing.ts';
import type { Company } from '../company/company.ts';
import { formatDay, localDate, localIsoTime, type Times, timesOf } from '../company/hours.ts';
import { ORDER_STATUS_CALLS } from '../limits.ts';
import { contains, newest } from '../platform/database/queries.server.ts';
import type { Db } from '../platform/database/tables.server.ts';
import { refuse } from '../platform/http/answer.server.ts';
import { type Call, type CallRequest, call, readId } from '../platform/http/call.server.ts';
import { csvDownload } from '../platform/http/file-download.server.ts';
import { countOf, type SaleFilter } from '../platform/list-query.ts';
import { formatDollars, toDollars } from '../platform/money.ts';
import { isoTime, isoTimeOrNull } from '../platform/time.ts';
import {
  cancelIfOver,
  cancelUnpaid,
  endOrder,
  NOT_REFUNDED,
  refuseOtherProvider,
} from './abandon-order.server.ts';
import { followForVisitor, followNow, type OrderDeps, setStatus } from './follow-payment.server.ts';
import {
  changedMeanwhile,
  customerOf,
  type Outcome,
  providerUnavailable,
  refuseOutcome,
} from './gateway.server.ts';
import {
  awaitsPayment,
  canTransition,
  ENDABLE,
  ORDER_STATUSES,
  type OrderStatus,
  quoteReference,
  REFUNDABLE,
  salesTax,
  wasStarted,
} from './order.ts';
import { accessLink, hasAccess, receiptLink, revokeLinks } from './order-access.server.ts';
import {
  CANCEL_ORDER,
  DOWNLOAD_ORDERS,
  GET_ORDER,
  LIST_ORDERS,
  MAKE_ORDER_LINK,
  ORDER_FILTER,
  ORDERS_PAGE,
  REFUND_ORDER,
  REVOKE_ORDER_LINKS,
  type RefundRequest,
  UPDATE_STATUS,
} from './order-api.ts';
import {
  addNote,
  findOrder,
  getOrder,
  noteOnce,
  type Order,
  readHistory,
} from './order-store.server.ts';

interface Deps extends OrderDeps {
  publicUrl: string;
  company: Company;
}

type OrderRequest = Pick<CallRequest<unknown, 'recognized'>, 'params' | 'cookies' | 'staff'>;

export function orderCalls(deps: Deps): Call[] {
  const readFilter = (query: URLSearchParams) => {
    const filter = ORDER_FILTER.read(query);
    return { ...filter, times: timesOf(deps.company, filter) };
  };
  const { db, gateway } = deps;

  /** A 404 for both missing orders and those of others, so that no one can probe for orders. */
  async function withOrder<Done>(
    { params, cookies, staff }: OrderRequest,
    act: (order: Order) => Promise<Done>,
  ) {
    const id = readId(params.id) ?? 0;
    const order = await findOrder(db, id);
    const may = staff !== null || (await hasAccess(db, id, cookies));
    return order && may ? act(order) : refuse(404, 'This order does not exist');
  }

  const buyerJson = async (order: Order) => orderJson(order, await receiptLink(deps, order));

  /** The refusal of a change that was decided on an older version, with the order as it is now. */
  async function refuseOutdated(order: Order, { version = order.version }: { version?: number }) {
    if (version === order.version) return undefined;
    return refuse(409, changedMeanwhile(order), { now: await staffOrderJson(deps, order) });
  }

  /** Runs a staff action on orders with one of these statuses, and answers with the updated order. */
  const staffAction = <Body extends { version?: number }>(
    request: OrderRequest & { body: Body },
    statuses: readonly OrderStatus[],
    act: (order: Order) => Promise<Outcome>,
  ) =>
    withOrder(request, async (order) => {
      const outdated = await refuseOutdated(order, request.body);
      if (outdated) return outdated;
      if (!statuses.includes(order.status))
        return refuse(409, `This cannot be done with an order that is ${order.status}`);
      const outcome = refuseOtherProvider(order, gateway) ?? (await act(order));
      const now = await getOrder(db, order);
      return outcome === 'done'
        ? staffOrderJson(deps, now)
        : refuseOutcome(outcome, await staffOrderJson(deps, now));
    });

  return [
    call(GET_ORDER, {
      access: 'recognized',
      handle: (request) =>
        withOrder(request, async (order) =>
          request.staff ? staffOrderJson(deps, order) : buyerJson(order),
        ),
    }),
    call(UPDATE_STATUS, {
      access: 'recognized',
      limit: ORDER_STATUS_CALLS,
      handle: (request) =>
        withOrder(request, async (order) => {
          const { body, staff, cookies, countTowardLimit } = request;
          if (body.paymentId != null && body.paymentId !== order.paymentId)
            return refuse(409, 'This payment does not belong to the order');
          // Signed-in staff may buy something too, and then return from paying like any customer.
          const isBuyer = body.status === 'processing' && (await hasAccess(db, order.id, cookies));
          if (staff && !isBuyer)
            return (
              (await refuseOutdated(order, body)) ??
              changeStatus(deps, order, body.status, staff.username)
            );
          const isUndecided =
            wasStarted(order) && order.provider === gateway.provider && awaitsPayment(order.status);
          if (!isUndecided) return buyerJson(order);
          countTowardLimit();
          const now = await followForVisitor(deps, order, 'customer returned');
          return now === 'unavailable' ? providerUnavailable() : buyerJson(now);
        }),
    }),
    call(LIST_ORDERS, {
      access: 'staff',
      handle: async ({ query }) => {
        const filter = readFilter(query);
        const counts = await countOrders(db, filter);
        const orders = await newestFirst(selectMatching(db, filter))
          .limit(ORDERS_PAGE)
          .offset((filter.page - 1) * ORDERS_PAGE)
          .execute();
        return { orders: orders.map(orderRow), total: countOf(counts, filter.status), counts };
      },
    }),
    call(DOWNLOAD_ORDERS, {
      access: 'staff',
      handle: ({ query }) =>
        csvDownload(
          `orders-${localDate(deps.company, Date.now())}.csv`,
          csvColumns(deps.company),
          orderBatches(db, readFilter(query)),
        ),
    }),
    call(REFUND_ORDER, {
      access: 'staff',
      handle: (request) =>
        staffAction(request, REFUNDABLE, (order) =>
          refundOrder(deps, order, request.body, request.staff.username),
        ),
    }),
    call(CANCEL_ORDER, {
      access: 'staff',
      handle: (request) =>
        staffAction(request, ENDABLE, (order) =>
          endOrder(deps, order, request.body.when, request.staff.username),
        ),
    }),
    call(MAKE_ORDER_LINK, {
      access: 'staff',
      handle: (request) =>
        withOrder(request, async (order) => {
          const note = `A link to change the order was made by ${request.staff.username}`;
          await addNote(db, order.id, note);
          return { url: await accessLink(deps, order) };
        }),
    }),
    call(REVOKE_ORDER_LINKS, {
      access: 'staff',
      handle: (request) =>
        withOrder(request, async (order) => {
          await db.transaction().execute(async (trx) => {
            await revokeLinks(trx, order.id);
            await addNote(trx, order.id, `All links were revoked by ${request.staff.username}`);
          });
          return staffOrderJson(deps, order);
        }),
    }),
  ];
}

async function changeStatus(deps: OrderDeps, order: Order, to: OrderStatus, username: string) {
  const from = order.status;
  if (from === to) return orderJson(order);
  if (!canTransition(from, to, 'staff'))
    return refuse(409, `An order that is ${from} cannot become ${to}`);
  if (to === 'canceled' && awaitsPayment(from)) {
    const outcome = await cancelUnpaid(deps, order, username);
    const now = orderJson(await getOrder(deps.db, order));
    return outcome === 'done' ? now : refuseOutcome(outcome, now);
  }
  const changed = await setStatus(deps, order, to, `set by ${username}`);
  if (!changed) {
    const now = await getOrder(deps.db, order);
    return refuse(409, changedMeanwhile(now), { now: orderJson(now) });
  }
  if (to === 'canceled') await addNote(deps.db, order.id, NOT_REFUNDED);
  if (order.provider === deps.gateway.provider) await cancelIfOver(deps, changed);
  return orderJson(changed);
}

/** The order in the API's shape, with amounts in dollars. `page` is the link to its page, for its buyer only. */
export function orderJson(order: Order, page: string | null = null) {
  const { id, name, email, phone, company, planId, paymentMethod, ms365Option } = order;
  return {
    id,
    version: order.version,
    name,
    email,
    phone,
    company,
    planId,
    paymentMethod,
    ms365Option,
    ms365Users: order.ms365Users,
    includeCloudBackup: order.includeCloudBackup === 1,
    status: order.status,
    amount: toDollars(order.amountCents),
    tax: toDollars(salesTax(order)),
    paymentId: order.paymentId,
    createdAt: isoTime(order.createdAt),
    planName: order.planName,
    lines: linesInDollars(order),
    refunded: toDollars(order.refundedCents),
    endsAt: isoTimeOrNull(order.endsAt),
    paused: order.paused === 1,
    quote: order.quoteId === null ? null : quoteReference(order.quoteId),
    page,
  };
}

function orderRow(order: Order) {
  return { ...orderJson(order), dispute: order.dispute };
}

/** Adds what only staff see: the history, and the customer at the payment provider. */
export async function staffOrderJson(
  { db, gateway, company }: Pick<Deps, 'db' | 'gateway' | 'company'>,
  order: Order,
) {
  const { history, notes } = await readHistory(db, order.id);
  return {
    ...orderRow(order),
    history,
    notes: notes.map(({ at, note }) => ({ at, note: withDays(note, company) })),
    providerCustomer: customerOf(gateway, order),
  };
}

/** A note holds times as instants; staff read the day at the company, as the customer does. */
function withDays(note: string, company: Company): string {
  return note.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (time) => formatDay(company, Date.parse(time)));
}

interface Filter extends Pick<SaleFilter<OrderStatus>, 'search' | 'status'> {
  times: Times | undefined;
}

async function countOrders(db: Db, filter: Filter): Promise<Partial<Record<OrderStatus, number>>> {
  const counts: Partial<Record<OrderStatus, number>> = {};
  for (const status of ORDER_STATUSES) {
    const { count } = await selectMatching(db, { ...filter, status })
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    if (count > 0) counts[status] = count;
  }
  return counts;
}

const newestFirst = (orders: ReturnType<typeof selectOrders>) =>
  orders.selectAll().orderBy('createdAt', 'desc').orderBy('id', 'desc');

/** All orders with the status, or those that a search finds, newest first, in batches of 500. */
async function* orderBatches(db: Db, filter: Filter): AsyncGenerator<Order[]> {
  const found = filter.search ? selectMatching(db, filter) : selectOrders(db, filter);
  const all = newestFirst(found).limit(500);
  let batch = await all.execute();
  for (let last = batch.at(-1); last; last = batch.at(-1)) {
    yield batch;
    const before = sql<boolean>`("createdAt", id) < (${last.createdAt}, ${last.id})`;
    batch = await all.where(before).execute();
  }
}

/** The CSV's columns in order. csvDownload keeps text from being read as a formula. */
function csvColumns(company: Company): Record<string, (order: Order) => string | number> {
  const time = localIsoTime(company);
  return {
    id: ({ id }) => id,
    createdAt: ({ createdAt }) => time(createdAt),
    name: ({ name }) => name,
    email: ({ email }) => email,
    phone: ({ phone }) => phone ?? '',
    company: ({ company }) => company ?? '',
    plan: ({ planName }) => planName,
    ms365Option: ({ ms365Option }) => ms365Option,
    ms365Users: ({ ms365Users }) => ms365Users,
    cloudBackup: ({ includeCloudBackup }) => String(includeCloudBackup === 1),
    monthlyAmount: ({ amountCents }) => toDollars(amountCents).toFixed(2),
    status: ({ status }) => status,
    refunded: ({ refundedCents }) => toDollars(refundedCents).toFixed(2),
    dispute: ({ dispute }) => dispute ?? '',
    endsAt: ({ endsAt }) => (endsAt === null ? '' : time(endsAt)),
    subscription: ({ subscriptionId }) => subscriptionId ?? '',
  };
}

function selectOrders(db: Db, { status, times }: Omit<Filter, 'search'>) {
  let all = db.selectFrom('orders');
  if (times) all = all.where('createdAt', '>=', times.from).where('createdAt', '<=', times.to);
  return status ? all.where('status', '=', status) : all;
}

/** The newest orders with the status and of the days. Each word must match the name, company, email, plan or order number. */
function selectMatching(db: Db, { search, ...filter }: Filter) {
  let query = newest(selectOrders(db, filter));
  for (const word of search.toLowerCase().match(/\S+/g) ?? []) {
    const [, number = 0] = /^(?:o-)?(\d{1,9})$/.exec(word) ?? [];
    query = query.where((where) =>
      where.or([
        ...['name', 'company', 'email', 'planName'].map((column) => contains(column, word)),
        where('id', '=', Number(number)),
      ]),
    );
  }
  return query;
}

/** A full refund also ends the subscription. */
async function refundOrder(
  deps: OrderDeps,
  decidedOn: Order,
  { amount, key, version }: RefundRequest,
  username: string,
): Promise<Outcome> {
  // Counts refunds at the provider whose events have not arrived yet.
  const order = version === undefined ? decidedOn : await followNow(deps, decidedOn, 'refund');
  if (order === 'unavailable') return order;
  if (order.version !== decidedOn.version) return { refused: changedMeanwhile(order) };
  const decision = key ?? String(version ?? order.refundedCents);
  const outcome = await deps.gateway.refund(order, amount ?? undefined, decision);
  if (outcome !== 'done') return outcome;
  const shown = amount === null ? 'The rest of the newest payment' : formatDollars(amount);
  const note = `${shown} refunded by ${username}`;
  await noteOnce(deps.db, order.id, note, `refund ${decision}`);
  const after = await followNow(deps, order, note);
  if (after !== 'unavailable') await cancelIfOver(deps, after);
  return 'done';
}
