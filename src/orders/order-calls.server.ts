/** An order as it travels, and how it is read and updated: by the browser that made it, and by staff. Anyone else learns nothing of it. */
import type { Kysely } from 'kysely';
import { linesInDollars } from '../catalogue/pricing.ts';
import type { Tables } from '../platform/database/tables.server.ts';
import { refuse } from '../platform/http/answer.server.ts';
import { type Call, type CallRequest, call, readId } from '../platform/http/call.server.ts';
import type { Cookies } from '../platform/http/cookies.server.ts';
import { cents, toDollars } from '../platform/money.ts';
import { quoteReference } from '../quotes/quote.ts';
import { cancelSubscription, cancelUnpaid } from './abandon-order.server.ts';
import { followNow, type OrderDeps, setStatus } from './follow-payment.server.ts';
import { type Gateway, providerUnavailable, refuseOutcome } from './gateway.server.ts';
import {
  awaitsPayment,
  isOver,
  mayFollow,
  type OrderStatus,
  salesTax,
  wasStarted,
} from './order.ts';
import { hasAccess, receiptLink } from './order-access.server.ts';
import { GET_ORDER, UPDATE_STATUS } from './order-api.ts';
import { readHistory } from './order-billing-store.server.ts';
import { findOrder, type Order } from './order-store.server.ts';

interface Deps extends OrderDeps {
  cookies: Cookies;
  publicUrl: string;
}

export function orderCalls(deps: Deps): Call[] {
  const { db, gateway, publicUrl } = deps;

  /** The order if the caller may see it; missing and foreign look the same. */
  async function visibleOrder({
    params,
    headers,
    staff,
  }: CallRequest<unknown, 'recognised'>): Promise<Order | undefined> {
    const id = readId(params.id);
    if (id === undefined) return undefined;
    const order = await findOrder(db, id);
    const may = staff !== null || (await hasAccess(deps, id, headers));
    return may ? order : undefined;
  }

  /** As its buyer sees it. */
  const ownJson = async (order: Order) => orderJson(order, await receiptLink(db, publicUrl, order));

  return [
    call(GET_ORDER, {
      access: 'recognised',
      handle: async (request) => {
        const order = await visibleOrder(request);
        if (!order) return orderNotFound();
        return request.staff ? staffOrderJson(db, gateway, order) : ownJson(order);
      },
    }),
    call(UPDATE_STATUS, {
      access: 'recognised',
      handle: async (request) => {
        const { body, staff, headers } = request;
        const order = await visibleOrder(request);
        if (!order) return orderNotFound();
        if (body.paymentId != null && body.paymentId !== order.paymentId) {
          return refuse(409, 'This payment does not belong to the order');
        }
        // Staff who buy something come back from paying like anybody else.
        const returns = body.status === 'processing' && (await hasAccess(deps, order.id, headers));
        if (staff && !returns) return changeStatus(deps, order, body.status, staff.username);
        const asks =
          wasStarted(order) && order.provider === gateway.provider && awaitsPayment(order.status);
        const now = asks ? await followNow(deps, order, 'customer returned') : order;
        return now === 'unavailable' ? providerUnavailable() : ownJson(now);
      },
    }),
  ];
}

export function orderNotFound(): Response {
  return refuse(404, 'This order does not exist');
}

async function changeStatus(deps: OrderDeps, order: Order, to: OrderStatus, username: string) {
  const from = order.status;
  if (from === to) return orderJson(order);
  if (to === 'canceled' && awaitsPayment(from) && mayFollow(from, to, 'staff')) {
    const outcome = await cancelUnpaid(deps, order, username);
    return outcome === 'done' ? orderJson({ ...order, status: to }) : refuseOutcome(outcome);
  }
  const changed = await setStatus(deps, order, to, `set by ${username}`);
  if (!changed) return refuse(409, `An order that is ${from} cannot become ${to}`);
  if (isOver(to) && order.provider === deps.gateway.provider) await cancelSubscription(deps, order);
  return orderJson(changed);
}

/** The order as the API shows it: amounts in dollars. `page`: the address of its page, for its buyer alone. */
export function orderJson(order: Order, page: string | null = null) {
  const { id, name, email, phone, company, planId, paymentMethod, ms365Option } = order;
  return {
    ...{ id, name, email, phone, company, planId, paymentMethod, ms365Option },
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

type StaffPages = Pick<Gateway, 'staffPage'>;

/** What staff see besides: what has happened, and where the order is at the payment provider. */
export async function staffOrdersJson(
  db: Kysely<Tables>,
  gateway: StaffPages,
  orders: readonly Order[],
) {
  const ids = orders.map(({ id }) => id);
  const historyOf = await readHistory(db, ids);
  return orders.map((order) => ({
    ...orderRow(order),
    ...historyOf(order.id),
    providerPage: gateway.staffPage(order),
  }));
}

export async function staffOrderJson(db: Kysely<Tables>, gateway: StaffPages, order: Order) {
  const historyOf = await readHistory(db, [order.id]);
  return { ...orderRow(order), ...historyOf(order.id), providerPage: gateway.staffPage(order) };
}
