/** Staff look after orders: the list, searched, counted and as a file, giving money back, and ending a subscription. */
import { type Kysely, sql } from 'kysely';
import { contains } from '../platform/database/queries.server.ts';
import type { Tables } from '../platform/database/tables.server.ts';
import { refuse } from '../platform/http/answer.server.ts';
import { type Call, call, readId } from '../platform/http/call.server.ts';
import { csvDownload } from '../platform/http/file-download.server.ts';
import { totalOf } from '../platform/list-query.ts';
import { formatDollars, fromDollars } from '../platform/money.ts';
import { cancelSubscription, endOrder, refuseOtherProvider } from './abandon-order.server.ts';
import { followNow, type OrderDeps } from './follow-payment.server.ts';
import { isNotDone, refuseOutcome, type StaffOutcome } from './gateway.server.ts';
import { ENDABLE, type OrderStatus, REFUNDABLE } from './order.ts';
import { accessLink, revokeLinks } from './order-access.server.ts';
import {
  CANCEL_ORDER,
  DOWNLOAD_ORDERS,
  LIST_ORDERS,
  MAKE_ORDER_LINK,
  ORDERS_PAGE,
  type OrderFilter,
  REFUND_ORDER,
  REVOKE_ORDER_LINKS,
  type RefundRequest,
  readOrderFilter,
} from './order-api.ts';
import { addNote } from './order-billing-store.server.ts';
import { orderNotFound, orderRow, staffOrderJson } from './order-calls.server.ts';
import { findOrder, type Order, orderNow } from './order-store.server.ts';

interface Deps extends OrderDeps {
  publicUrl: string;
}

export function staffOrderCalls(deps: Deps): Call[] {
  const { db, gateway, publicUrl } = deps;

  async function withOrder<Done>(id: string | undefined, act: (order: Order) => Promise<Done>) {
    const order = await findOrder(db, readId(id) ?? 0);
    return order ? act(order) : orderNotFound();
  }

  /** Answers with the order as it stands afterwards. */
  const change = (
    id: string | undefined,
    statuses: readonly OrderStatus[],
    act: (order: Order) => Promise<StaffOutcome>,
  ) =>
    withOrder(id, async (order) => {
      if (!statuses.includes(order.status))
        return refuse(409, `This cannot be done with an order that is ${order.status}`);
      const outcome = refuseOtherProvider(order, gateway) ?? (await act(order));
      if (outcome !== 'done') return refuseOutcome(outcome);
      return staffOrderJson(db, gateway, await orderNow(db, order));
    });

  return [
    call(LIST_ORDERS, {
      access: 'staff',
      handle: async ({ query }) => {
        const filter = readOrderFilter(query);
        const counts = await countOrders(db, filter.words);
        const orders = await newestFirst(db, filter)
          .limit(ORDERS_PAGE)
          .offset((filter.page - 1) * ORDERS_PAGE)
          .execute();
        return { orders: orders.map(orderRow), total: totalOf(counts, filter.status), counts };
      },
    }),
    call(DOWNLOAD_ORDERS, {
      access: 'staff',
      handle: ({ query }) => ordersCsv(eachOrder(db, readOrderFilter(query))),
    }),
    call(REFUND_ORDER, {
      access: 'staff',
      handle: ({ params, body, staff }) =>
        change(params.id, REFUNDABLE, (order) => refundOrder(deps, order, body, staff.username)),
    }),
    call(CANCEL_ORDER, {
      access: 'staff',
      handle: ({ params, body: { when }, staff }) =>
        change(params.id, ENDABLE, (order) => endOrder(deps, order, when, staff.username)),
    }),
    call(MAKE_ORDER_LINK, {
      access: 'staff',
      handle: ({ params, staff }) =>
        withOrder(params.id, async (order) => {
          await addNote(db, order.id, `A link to change the order was made by ${staff.username}`);
          return { url: await accessLink(db, publicUrl, order) };
        }),
    }),
    call(REVOKE_ORDER_LINKS, {
      access: 'staff',
      handle: ({ params, staff }) =>
        withOrder(params.id, async (order) => {
          await db.transaction().execute(async (trx) => {
            await revokeLinks(trx, order.id);
            await addNote(trx, order.id, `All links were revoked by ${staff.username}`);
          });
          return staffOrderJson(db, gateway, order);
        }),
    }),
  ];
}

type Db = Kysely<Tables>;
type Filter = Pick<OrderFilter, 'words' | 'status'>;

async function countOrders(db: Db, words: string): Promise<Partial<Record<OrderStatus, number>>> {
  const rows = await searched(db, { words, status: '' })
    .select(['status', ({ fn }) => fn.countAll<number>().as('count')])
    .groupBy('status')
    .execute();
  return Object.fromEntries(rows.map(({ status, count }) => [status, Number(count)]));
}

const newestFirst = (db: Db, filter: Filter) =>
  searched(db, filter).selectAll().orderBy('createdAt', 'desc').orderBy('id', 'desc');

/** All that fit, newest first, in pieces. */
export async function* eachOrder(db: Db, filter: Filter): AsyncGenerator<Order[]> {
  const all = newestFirst(db, filter).limit(500);
  let piece = await all.execute();
  for (let last = piece.at(-1); last; last = piece.at(-1)) {
    yield piece;
    const before = sql<boolean>`("createdAt", id) < (${last.createdAt}, ${last.id})`;
    piece = await all.where(before).execute();
  }
}

/** The columns of the file in their order; what a stranger typed is never a formula there. */
const CELLS: Record<string, (order: Order) => string | number> = {
  id: ({ id }) => id,
  createdAt: ({ createdAt }) => new Date(createdAt).toISOString(),
  name: ({ name }) => name,
  email: ({ email }) => email,
  phone: ({ phone }) => phone ?? '',
  company: ({ company }) => company ?? '',
  plan: ({ planName }) => planName,
  ms365Option: ({ ms365Option }) => ms365Option,
  ms365Users: ({ ms365Users }) => ms365Users,
  cloudBackup: ({ includeCloudBackup }) => String(includeCloudBackup === 1),
  monthlyAmount: ({ amountCents }) => (amountCents / 100).toFixed(2),
  status: ({ status }) => status,
  refunded: ({ refundedCents }) => (refundedCents / 100).toFixed(2),
  dispute: ({ dispute }) => dispute ?? '',
  endsAt: ({ endsAt }) => (endsAt === null ? '' : new Date(endsAt).toISOString()),
  subscription: ({ subscriptionId }) => subscriptionId ?? '',
};

export function ordersCsv(chunks: AsyncIterable<Order[]>): Response {
  return csvDownload('orders', CELLS, chunks);
}

/** Every word must stand in the name, the company, the address, the plan or the number. */
function searched(db: Db, { words, status }: Filter) {
  let query = db.selectFrom('orders');
  if (status) query = query.where('status', '=', status);
  for (const word of words.toLowerCase().match(/\S+/g) ?? []) {
    const numbers = [...word.matchAll(/^(?:o-)?(\d{1,9})$/g)];
    query = query.where((where) =>
      where.or([
        ...['name', 'company', 'email', 'planName'].map((column) => contains(column, word)),
        ...numbers.map(([, number]) => where('id', '=', Number(number))),
      ]),
    );
  }
  return query;
}

/** A customer who has got everything back is charged no more. */
async function refundOrder(
  deps: OrderDeps,
  order: Order,
  { amount: dollars, key = String(order.refundedCents) }: RefundRequest,
  username: string,
): Promise<StaffOutcome> {
  const amount = dollars === null ? undefined : fromDollars(dollars);
  const charge = await deps.gateway.refund(order, amount, key);
  if (isNotDone(charge)) return charge;
  const shown = amount === undefined ? 'All that was left' : formatDollars(amount);
  const note = `${shown} given back by ${username}`;
  await addNote(deps.db, order.id, note);
  const after = await followNow(deps, order, note, { charges: [charge] });
  if (after !== 'unavailable' && after.status === 'refunded') await cancelSubscription(deps, after);
  return 'done';
}
