/** An order as it travels, and how it is read and updated: by the browser that made it, and by staff. Anyone else learns nothing of it. */
import type { Kysely } from 'kysely';
import { linesInDollars } from '../catalogue/pricing.ts';
import type { Tables } from '../platform/database/tables.server.ts';
import { refuse } from '../platform/http/answer.server.ts';
import { type Call, type CallRequest, call, readId } from '../platform/http/call.server.ts';
import { type Cookies, tokenHash } from '../platform/http/cookies.server.ts';
import { cents, toDollars } from '../platform/money.ts';
import { quoteReference } from '../quotes/quote.ts';
import { cancelSubscription, cancelUnpaid } from './abandon-order.server.ts';
import { followNow, moveOrder, type OrderDeps } from './follow-payment.server.ts';
import { providerUnavailable } from './gateway.server.ts';
import { awaitsPayment, isOver, mayFollow, type OrderStatus, salesTax } from './order.ts';
import { GET_ORDER, UPDATE_STATUS } from './order-api.ts';
import { readNotes } from './order-billing-store.server.ts';
import type { OrderPageLinks } from './order-page-link.server.ts';
import { findOrder, hasAccess, type Order, readHistory } from './order-store.server.ts';
import { wasStarted } from './payment.ts';

interface Deps extends OrderDeps {
  cookies: Cookies;
  links: Pick<OrderPageLinks, 'loadKey' | 'address'>;
}

export function orderCalls({ cookies, links, ...deps }: Deps): Call[] {
  const { db, gateway } = deps;
  const isOwn = (orderId: number, headers: Headers) =>
    hasAccess(db, orderId, tokenHash(cookies.read(headers.get('cookie'), 'order_key')));

  /** The order if the caller may see it; missing and foreign look the same. */
  async function visibleOrder({
    params,
    headers,
    staff,
  }: CallRequest<unknown, 'recognised'>): Promise<Order | undefined> {
    const id = readId(params.id);
    if (id === undefined) return undefined;
    const order = await findOrder(db, id);
    const may = staff !== null || (await isOwn(id, headers));
    return may ? order : undefined;
  }

  /** As its buyer sees it. The key may not have been read yet: the database was away at the start. */
  async function ownJson(order: Order) {
    await links.loadKey();
    return orderJson(order, links.address(order));
  }

  return [
    call(GET_ORDER, {
      access: 'recognised',
      handle: async (request) => {
        const order = await visibleOrder(request);
        if (!order) return notFound();
        return request.staff ? staffOrderJson(db, order, gateway.staffPage(order)) : ownJson(order);
      },
    }),
    call(UPDATE_STATUS, {
      access: 'recognised',
      handle: async (request) => {
        const { body, staff, headers } = request;
        const order = await visibleOrder(request);
        if (!order) return notFound();
        if (body.paymentId != null && body.paymentId !== order.paymentId) {
          return refuse(409, 'This payment does not belong to the order');
        }
        // Staff who buy something come back from paying like anybody else.
        const returns = body.status === 'processing' && (await isOwn(order.id, headers));
        if (staff && !returns) {
          return setStatus(deps, order, body.status, staff.username);
        }
        const asks =
          wasStarted(order) && order.provider === gateway.provider && awaitsPayment(order.status);
        const now = asks ? await followNow(deps, order, 'customer returned') : order;
        return now === 'unavailable' ? providerUnavailable() : ownJson(now);
      },
    }),
  ];
}

function notFound(): Response {
  return refuse(404, 'This order does not exist');
}

async function setStatus(deps: OrderDeps, order: Order, to: OrderStatus, username: string) {
  const { db, gateway, notify } = deps;
  const from = order.status;
  if (to === 'canceled' && awaitsPayment(from) && mayFollow(from, to, 'staff')) {
    const outcome = await cancelUnpaid(deps, order, username);
    if (outcome === 'unavailable') return providerUnavailable();
    if (outcome !== 'done') return refuse(409, outcome.refused);
  } else if (from !== to) {
    const changed =
      mayFollow(from, to, 'staff') &&
      (await db
        .transaction()
        .execute((trx) =>
          moveOrder(trx, notify, { orderId: order.id, from, to, cause: `set by ${username}` }),
        ));
    if (!changed) return refuse(409, `An order that is ${from} cannot become ${to}`);
    if (isOver(to) && order.provider === gateway.provider) {
      await cancelSubscription({ db, gateway }, order);
    }
  }
  return orderJson({ ...order, status: to });
}

/** The order as the API shows it: amounts in dollars. `page`: the address of its page, for its buyer alone. */
export function orderJson(order: Order, page: string | null = null) {
  return {
    id: order.id,
    name: order.name,
    email: order.email,
    phone: order.phone,
    company: order.company,
    planId: order.planId,
    paymentMethod: order.paymentMethod,
    ms365Option: order.ms365Option,
    ms365Users: order.ms365Users,
    includeCloudBackup: order.includeCloudBackup === 1,
    status: order.status,
    amount: toDollars(cents(order.amountCents)),
    tax: toDollars(salesTax(order)),
    paymentId: order.paymentId,
    createdAt: new Date(order.createdAt).toISOString(),
    planName: order.planName,
    lines: linesInDollars(order),
    refunded: toDollars(cents(order.refundedCents)),
    endsAt: order.endsAt === null ? null : new Date(order.endsAt).toISOString(),
    quote: order.quoteId === null ? null : quoteReference(order.quoteId),
    page,
  };
}

/** An order in the list that staff see. */
export function orderRow(order: Order) {
  return { ...orderJson(order), dispute: order.dispute };
}

/** What staff see besides; `providerPage` is the order's page at the payment provider. */
export async function staffOrderJson(
  db: Kysely<Tables>,
  order: Order,
  providerPage: string | null,
) {
  const storyOf = await stories(db, [order]);
  return { ...orderRow(order), ...storyOf(order), providerPage };
}

/** The same of many orders, with as few queries. */
export async function staffOrdersJson(
  db: Kysely<Tables>,
  orders: readonly Order[],
  providerPage: (order: Order) => string | null,
) {
  const storyOf = await stories(db, orders);
  return orders.map((order) => ({
    ...orderRow(order),
    ...storyOf(order),
    providerPage: providerPage(order),
  }));
}

async function stories(db: Kysely<Tables>, orders: readonly Order[]) {
  const ids = orders.map(({ id }) => id);
  const history = Map.groupBy(await readHistory(db, ids), ({ orderId }) => orderId);
  const notes = Map.groupBy(await readNotes(db, ids), ({ orderId }) => orderId);
  return ({ id }: Order) => ({
    history: (history.get(id) ?? []).map(({ orderId: _, ...past }) => past),
    notes: (notes.get(id) ?? []).map(({ orderId: _, ...note }) => note),
  });
}
