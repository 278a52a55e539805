/** Staff look after orders: the list, searched, counted and as a file, giving money back, and ending a subscription. */
import { type Kysely, sql } from 'kysely';
import { contains } from '../platform/database/queries.server.ts';
import type { Tables } from '../platform/database/tables.server.ts';
import { refuse } from '../platform/http/answer.server.ts';
import { type Call, call, readId } from '../platform/http/call.server.ts';
import { csvDownload } from '../platform/http/file-download.server.ts';
import { totalOf } from '../platform/list-query.ts';
import { formatDollars, fromDollars } from '../platform/money.ts';
import { cancelSubscription, cancelUnpaid, refuseOtherProvider } from './abandon-order.server.ts';
import { followNow, type OrderDeps } from './follow-payment.server.ts';
import { type PaymentState, providerUnavailable, type StaffOutcome } from './gateway.server.ts';
import { awaitsPayment, ENDABLE, ORDER_STATUSES, type OrderStatus, REFUNDABLE } from './order.ts';
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
import { orderRow, staffOrderJson } from './order-calls.server.ts';
import { type OrderPageLinks, revokeLinks } from './order-page-link.server.ts';
import { findOrder, type Order, orderNow } from './order-store.server.ts';

interface Deps extends OrderDeps {
  links: Pick<OrderPageLinks, 'mint'>;
}

export function staffOrderCalls(deps: Deps): Call[] {
  const { db } = deps;
  return [
    call(LIST_ORDERS, {
      access: 'staff',
      handle: async ({ query }) => {
        const filter = readOrderFilter(query);
        const counts = await countOrders(db, filter.words);
        const orders = (await listOrders(db, filter)).map(orderRow);
        return { orders, total: totalOf(counts, filter.status), counts };
      },
    }),
    call(DOWNLOAD_ORDERS, {
      access: 'staff',
      handle: ({ query }) => ordersCsv(eachOrder(db, readOrderFilter(query))),
    }),
    call(REFUND_ORDER, {
      access: 'staff',
      handle: async ({ params, body, staff }) =>
        withOrder(deps, params.id, REFUNDABLE, (order) =>
          refundOrder(deps, order, body, staff.username),
        ),
    }),
    call(CANCEL_ORDER, {
      access: 'staff',
      handle: async ({ params, body: { when }, staff }) =>
        withOrder(deps, params.id, ENDABLE, (order) => endOrder(deps, order, when, staff.username)),
    }),
    call(MAKE_ORDER_LINK, {
      access: 'staff',
      handle: async ({ params, staff }) => {
        const order = await findOrder(db, readId(params.id) ?? 0);
        if (!order) return refuse(404, 'This order does not exist');
        await addNote(db, order.id, `A link to change the order was made by ${staff.username}`);
        return { url: await deps.links.mint(order) };
      },
    }),
    call(REVOKE_ORDER_LINKS, {
      access: 'staff',
      handle: async ({ params, staff }) => {
        const order = await findOrder(db, readId(params.id) ?? 0);
        if (!order) return refuse(404, 'This order does not exist');
        await db.transaction().execute(async (trx) => {
          await revokeLinks(trx, order.id);
          await addNote(trx, order.id, `All links were revoked by ${staff.username}`);
        });
        return staffOrderJson(db, order, deps.gateway.staffPage(order));
      },
    }),
  ];
}

type Db = Kysely<Tables>;
type Asked = Pick<OrderFilter, 'words' | 'status'>;

async function countOrders(db: Db, words: string): Promise<Partial<Record<OrderStatus, number>>> {
  const rows = await searched(db, { words, status: '' })
    .select(['status', ({ fn }) => fn.countAll<number>().as('count')])
    .groupBy('status')
    .execute();
  return Object.fromEntries(
    ORDER_STATUSES.flatMap((status) =>
      rows.filter((row) => row.status === status).map(({ count }) => [status, Number(count)]),
    ),
  );
}

async function listOrders(db: Db, filter: OrderFilter): Promise<Order[]> {
  return searched(db, filter)
    .selectAll()
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(ORDERS_PAGE)
    .offset((filter.page - 1) * ORDERS_PAGE)
    .execute();
}

/** All that fit, newest first, in pieces. */
export async function* eachOrder(db: Db, filter: Asked): AsyncGenerator<Order[]> {
  const all = searched(db, filter)
    .selectAll()
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(500);
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
function searched(db: Db, { words, status }: Asked) {
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

async function withOrder(
  { db, gateway }: OrderDeps,
  id: string | undefined,
  statuses: readonly OrderStatus[],
  act: (order: Order) => Promise<StaffOutcome>,
) {
  const order = await findOrder(db, readId(id) ?? 0);
  if (!order) return refuse(404, 'This order does not exist');
  if (!statuses.includes(order.status)) {
    return refuse(409, `This cannot be done with an order that is ${order.status}`);
  }
  const foreign = refuseOtherProvider(order, gateway);
  if (foreign) return refuse(409, foreign.refused);
  const outcome = await act(order);
  if (outcome === 'unavailable') return providerUnavailable();
  if (outcome !== 'done') return refuse(409, outcome.refused);
  const after = await orderNow(db, order);
  return staffOrderJson(db, after, gateway.staffPage(after));
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
  if (charge === 'unavailable' || 'refused' in charge) return charge;
  const shown = amount === undefined ? 'All that was left' : formatDollars(amount);
  await noteAndFollow(deps, order, `${shown} given back by ${username}`, { charges: [charge] });
  const after = await orderNow(deps.db, order);
  if (after.status === 'refunded') await cancelSubscription(deps, after);
  return 'done';
}

/** An order that is not paid is abandoned. A month that has not been paid cannot be used to its end. */
export async function endOrder(
  deps: OrderDeps,
  order: Order,
  when: 'now' | 'period-end',
  username: string,
): Promise<StaffOutcome> {
  if (awaitsPayment(order.status)) return cancelUnpaid(deps, order, username);
  const effective = order.status === 'paid' ? when : 'now';
  const outcome = await deps.gateway.cancel(order, effective);
  if (outcome !== 'done') return outcome;
  const [ends, has] =
    effective === 'now' ? ['at once', { ended: true }] : ['at the end of the paid month', {}];
  await noteAndFollow(deps, order, `Ended ${ends} by ${username}`, has);
  return 'done';
}

/** Notes who did it, and lets the order follow. One that never reached the provider has ended all the same. */
async function noteAndFollow(
  deps: OrderDeps,
  known: Order,
  note: string,
  has: Pick<PaymentState, 'charges' | 'ended'>,
): Promise<void> {
  await addNote(deps.db, known.id, note);
  await followNow(deps, await orderNow(deps.db, known), note, has);
}
