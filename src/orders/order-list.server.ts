/** Staff's list of orders, and the same as a CSV file. */

import {
  disputeOf,
  invoiceStateOfOrder,
  type Order,
  refundedOf,
  withBilling,
} from '../billing/billed-order.server.ts';
import { ORDER_STATUSES, type OrderStatus } from '../billing/order-status.ts';
import { planOptions } from '../billing/subscription.ts';
import { isMonthly, monthlyPriceOf } from '../billing/subscription-store.server.ts';
import { listedLines, onceInWords, parseLines } from '../catalogue/pricing.ts';
import type { Company } from '../company/company.ts';
import { ALL_TIMES, localIsoTime, type Times, timesOf } from '../company/days.ts';
import { LIST_PAGE_SIZE, MAX_LISTED } from '../limits.ts';
import { inBatches, isFoundBy, olderThan } from '../platform/database/queries.server.ts';
import type { Db } from '../platform/database/tables.server.ts';
import { type Call, call } from '../platform/http/call.server.ts';
import {
  type Cell,
  dollarFigure,
  figure,
  writtenNumber,
} from '../platform/http/file-download.server.ts';
import { countOf, type ListFilter } from '../platform/list-query.ts';
import { cents, totalOf } from '../platform/money.ts';
import type { Site } from '../site.server.ts';
import { customerFile } from '../staff/customer-file.server.ts';
import { DOWNLOAD_ORDERS, LIST_ORDERS, ORDER_FILTER } from './order-api.ts';
import { orderRowJson } from './order-json.server.ts';
import { INVOICE_WORDS } from './status-words.ts';

export function orderListCalls({ db, company, today }: Site): Call[] {
  const readFilter = (query: URLSearchParams) => {
    const filter = ORDER_FILTER.read(query);
    return { ...filter, times: timesOf(company, filter) };
  };
  return [
    call(LIST_ORDERS, 'staff', async ({ query }) => {
      const filter = readFilter(query);
      const page = newestFirst(selectMatching(db, filter))
        .limit(LIST_PAGE_SIZE)
        .offset((filter.page - 1) * LIST_PAGE_SIZE);
      const [counts, orders] = await Promise.all([countOrders(db, filter), page.execute()]);
      return {
        orders: (await withBilling(db, orders)).map(orderRowJson),
        total: countOf(counts, filter.status),
        counts,
      };
    }),
    call(DOWNLOAD_ORDERS, 'staff', (request) =>
      customerFile(
        db,
        request,
        `orders-${today()}.csv`,
        csvColumns(company),
        orderBatches(db, readFilter(request.query)),
      ),
    ),
  ];
}

interface Filter extends Pick<ListFilter<OrderStatus>, 'search' | 'status'> {
  times: Times | undefined;
}

async function countOrders(db: Db, filter: Filter): Promise<Partial<Record<OrderStatus, number>>> {
  if (filter.search) {
    const found = selectMatching(db, { ...filter, status: '' }).groupBy('status');
    const rows = await found
      .select(({ fn }) => ['status', fn.countAll<number>().as('count')])
      .execute();
    return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
  }
  const counted = ORDER_STATUSES.map((status) =>
    selectMatching(db, { ...filter, status })
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .as(status),
  );
  const counts = await db.selectNoFrom(counted).executeTakeFirstOrThrow();
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count));
}

const newestFirst = (orders: ReturnType<typeof selectMatching>) =>
  orders.selectAll().orderBy('createdAt', 'desc').orderBy('id', 'desc');

/** All orders with the status, or those that a search finds, newest first, in batches of 100. */
function orderBatches(db: Db, filter: Filter): AsyncGenerator<Order[]> {
  const { from, to } = filter.times ?? ALL_TIMES;
  const found = filter.search
    ? selectMatching(db, filter)
    : db.selectFrom(selectOrders(db, filter).where('createdAt', '>=', from).as('orders'));
  return inBatches(async (last) => {
    const batch = newestFirst(found.where(olderThan(last, to, 'orders'))).limit(100);
    return withBilling(db, await batch.execute());
  });
}

/** The CSV's columns in order. customerFile keeps text from being read as a formula. */
function csvColumns(company: Company): Record<string, (order: Order) => Cell> {
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
    ms365Users: ({ subscription }) => planOptions(parseLines(subscription.priceLines)).users,
    cloudBackup: ({ subscription }) =>
      String(planOptions(parseLines(subscription.priceLines)).backup),
    monthlyAmount: ({ subscription }) =>
      isMonthly(subscription) ? dollarFigure(subscription.amountCents) : '',
    once: ({ boughtOnce }) => dollarFigure(totalOf(parseLines(boughtOnce))),
    onceFor: ({ boughtOnce }) => onceInWords(parseLines(boughtOnce)),
    startsOn: ({ startsOn }) => figure(startsOn ?? ''),
    discount: (order) => {
      const off = listedLines(monthlyPriceOf(order)).filter(({ kind }) => kind === 'discount');
      return dollarFigure(cents(-totalOf(off)));
    },
    status: ({ status }) => status,
    refunded: (order) => dollarFigure(refundedOf(order)),
    dispute: (order) => disputeOf(order) ?? '',
    endsAt: ({ subscription: { cancelAt } }) => (cancelAt === null ? '' : time(cancelAt)),
    endReason: ({ endReason }) => endReason ?? '',
    endWords: ({ endWords }) => endWords ?? '',
    subscription: ({ subscription }) => subscription.subscriptionId ?? '',
    paidBy: ({ subscription }) => subscription.collection,
    invoice: (order) => {
      const state = invoiceStateOfOrder(order);
      return state ? INVOICE_WORDS[state].staff : '';
    },
    purchaseOrder: ({ poNumber }) => writtenNumber(poNumber),
    acceptedBy: ({ acceptedName }) => acceptedName ?? '',
    acceptedTitle: ({ acceptedTitle }) => acceptedTitle ?? '',
    termsOf: ({ termsDate }) => figure(termsDate ?? ''),
    termsSha256: ({ termsHash }) => termsHash ?? '',
  };
}

function selectOrders(db: Db, { status }: Pick<Filter, 'status'>) {
  const all = db.selectFrom('orders').selectAll();
  return status ? all.where('status', '=', status) : all;
}

/**
 * The newest orders with the status, by an index. A search is of the newest orders, whatever their
 * status, so that one statement finds and counts them.
 */
function selectMatching(db: Db, { search, times = ALL_TIMES, status }: Filter) {
  const listed = selectOrders(db, { status: search ? '' : status })
    .where('createdAt', '>=', times.from)
    .where('createdAt', '<=', times.to)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_LISTED);
  const orders = db.selectFrom(listed.as('orders'));
  if (!search) return orders;
  const found = orders.where(isFoundBy(search, ['name', 'company', 'email', 'planName'], 'o'));
  return status ? found.where('status', '=', status) : found;
}
