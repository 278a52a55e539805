/** Calls on an order by the browser that placed it and by staff, who also refund and end it. */

import { billedOf, type Order } from '../billing/billed-order.server.ts';
import { cancelIfOver } from '../billing/cancel-at-provider.server.ts';
import { type Actor, byCustomer, staffActor } from '../billing/cause.server.ts';
import { whileClaimed } from '../billing/claim-order.server.ts';
import { cancelUnpaid, endOrder, keepPlan } from '../billing/end-order.server.ts';
import { markPaid } from '../billing/mark-paid.server.ts';
import { askProvider, insertEvent } from '../billing/order-event-store.server.ts';
import {
  awaitsPayment,
  canTransition,
  ENDABLE,
  ORDER_STATUSES,
  type OrderStatus,
  REFUNDABLE,
} from '../billing/order-status.ts';
import { findOrder, getOrder, updateOrder } from '../billing/order-store.server.ts';
import {
  isNotDone,
  type Outcome,
  outdated,
  providerUnavailable,
  refuseOutcome,
} from '../billing/outcome.server.ts';
import { isOrderAt, refuseOtherProvider } from '../billing/provider-mode.server.ts';
import { type OrderContext, refreshForVisitor } from '../billing/refresh-order.server.ts';
import { refundOrder } from '../billing/refund.server.ts';
import { setStatus } from '../billing/set-status.server.ts';
import { wasStarted } from '../billing/subscription-store.server.ts';
import { ORDER_STATUS_CALLS } from '../limits.ts';
import { refuse } from '../platform/http/answer.server.ts';
import { type Call, type CallRequest, call } from '../platform/http/call.server.ts';
import type { Site } from '../site.server.ts';
import { accessLink, hasAccess, receiptLink, revokeLinks } from './order-access.server.ts';
import {
  CANCEL_ORDER,
  GET_ORDER,
  KEEP_PLAN,
  MAKE_ORDER_LINK,
  MARK_PAID,
  REFUND_ORDER,
  REVOKE_ORDER_LINKS,
  SET_PO_NUMBER,
  UPDATE_STATUS,
} from './order-api.ts';
import { orderJson, staffOrderJson } from './order-json.server.ts';
import { STATUS_WORDS } from './status-words.ts';

const inWords = (status: OrderStatus) => STATUS_WORDS[status].staff.toLowerCase();

/** Also of a paid order with an unpaid renewal, and of one that ended before its last invoice. */
const MAY_OWE = ORDER_STATUSES.filter((status) => status !== 'refunded');

type OrderRequest = Pick<CallRequest<unknown, 'recognized'>, 'id' | 'cookies' | 'staff'>;

/** What the calls share: who may act on an order, and how a change is answered. */
export function orderRequests(context: Site) {
  const { db, gateway } = context;

  /** A 404 for both missing orders and those of others, so that no one can probe for orders. */
  async function withOrder<Done>(
    { id, cookies, staff }: OrderRequest,
    act: (order: Order) => Promise<Done>,
  ) {
    const order = await findOrder(db, id);
    const may = staff !== null || (await hasAccess(db, id, cookies));
    return order && may ? act(order) : refuse(404, 'This order does not exist');
  }

  const buyerJson = async (order: Order) => orderJson(order, await receiptLink(context, order));

  /** Runs a staff action on an order as staff saw it, and answers with the order. */
  const staffAction = <Body extends { version?: number }>(
    request: OrderRequest & { body: Body },
    statuses: readonly OrderStatus[],
    act: (order: Order) => Promise<Outcome>,
  ) =>
    withOrder(request, async (order) => {
      const { id, version } = order;
      const seen = { id, version: request.body.version ?? version };
      const outcome =
        refuseOtherProvider(gateway, order) ??
        (await whileClaimed(db, seen, async (claimed) =>
          statuses.includes(claimed.status)
            ? act(claimed)
            : { refused: `This cannot be done with an order that is ${inWords(claimed.status)}` },
        ));
      const now = await staffOrderJson(context, await getOrder(db, order));
      return outcome === 'done' ? now : refuseOutcome(outcome, now);
    });

  return { withOrder, buyerJson, staffAction };
}

export function orderCalls(context: Site): Call[] {
  const { db, gateway } = context;
  const { withOrder, buyerJson, staffAction } = orderRequests(context);
  return [
    call(GET_ORDER, 'recognized', (request) =>
      withOrder(request, async (order) =>
        request.staff ? staffOrderJson(context, order) : buyerJson(order),
      ),
    ),
    call(UPDATE_STATUS, { access: 'recognized', limit: ORDER_STATUS_CALLS }, (request) =>
      withOrder(request, async (order) => {
        const { body, staff, cookies } = request;
        if (body.paymentId != null && body.paymentId !== order.subscription.paymentId)
          return refuse(409, 'This payment does not belong to the order');
        // Signed-in staff may buy something too, and then return from paying like any customer.
        const isBuyer = body.status === 'processing' && (await hasAccess(db, order.id, cookies));
        if (staff && !isBuyer)
          return changeStatus(context, order, body, staffActor({ ...request, staff }));
        const isUndecided =
          wasStarted(order.subscription) &&
          isOrderAt(gateway, order) &&
          awaitsPayment(order.status);
        if (!isUndecided) return buyerJson(order);
        const now = await refreshForVisitor(context, order, byCustomer('returned'));
        return now === 'unavailable' ? providerUnavailable() : buyerJson(now);
      }),
    ),
    call(REFUND_ORDER, 'staff', (request) =>
      staffAction(request, REFUNDABLE, (order) =>
        refundOrder(context, order, request.body, staffActor(request)),
      ),
    ),
    call(CANCEL_ORDER, 'staff', (request) =>
      staffAction(request, ENDABLE, async (order) => {
        const { version, when } = request.body;
        if (wasDecidedUnseen(order, version)) return outdated(order);
        return endOrder(context, order, when, staffActor(request));
      }),
    ),
    call(KEEP_PLAN, 'staff', (request) =>
      staffAction(request, ENDABLE, (order) => keepPlan(context, order, staffActor(request))),
    ),
    call(MARK_PAID, 'staff', (request) =>
      staffAction(request, MAY_OWE, (order) =>
        markPaid(context, order, { ...request.body, actor: staffActor(request) }),
      ),
    ),
    call(SET_PO_NUMBER, 'staff', (request) =>
      staffAction(request, ORDER_STATUSES, async (order) => {
        const { poNumber } = request.body;
        if (poNumber === order.poNumber) return 'done';
        const asked = { press: { kind: 'po-number-asked' } as const, actor: staffActor(request) };
        const changed = await askProvider(context, order.id, asked, async () => {
          const outcome = await gateway.setPoNumber(order, poNumber);
          if (outcome === 'done')
            await db.transaction().execute((trx) => updateOrder(trx, order.id, { poNumber }));
          return outcome;
        });
        return isNotDone(changed) ? changed : 'done';
      }),
    ),
    call(MAKE_ORDER_LINK, 'staff', (request) =>
      withOrder(request, async (order) => {
        const cause = { actor: staffActor(request) };
        return db.transaction().execute(async (trx) => {
          await insertEvent(trx, order.id, { kind: 'link-made' }, cause);
          return { url: await accessLink({ ...context, db: trx }, order) };
        });
      }),
    ),
    call(REVOKE_ORDER_LINKS, 'staff', (request) =>
      withOrder(request, async (order) => {
        await db.transaction().execute(async (trx) => {
          await revokeLinks(trx, order.id);
          const actor = staffActor(request);
          await insertEvent(trx, order.id, { kind: 'links-revoked' }, { actor });
        });
        return staffOrderJson(context, order);
      }),
    ),
  ];
}

async function changeStatus(
  context: OrderContext,
  { id, version: present }: Order,
  { status: to, version }: { status: OrderStatus; version?: number },
  actor: Actor,
) {
  const decidedOn = { id, version: version ?? present };
  const outcome = await whileClaimed(context.db, decidedOn, async (claimed): Promise<Outcome> => {
    const { status: from } = claimed;
    if (from === to) return 'done';
    if (!canTransition(from, to, 'staff'))
      return { refused: `An order that is ${inWords(from)} cannot become ${inWords(to)}` };
    if (to !== 'canceled') return setByStaff(context, claimed, to, actor);
    if (wasDecidedUnseen(claimed, version)) return outdated(claimed);
    if (awaitsPayment(from)) return cancelUnpaid(context, claimed, actor);
    // Nothing runs here of what was placed with another provider.
    return isOrderAt(context.gateway, claimed)
      ? endOrder(context, claimed, 'now', actor)
      : setByStaff(context, claimed, to, actor);
  });
  const now = orderJson(await getOrder(context.db, { id }));
  return outcome === 'done' ? now : refuseOutcome(outcome, now);
}

async function setByStaff(
  context: OrderContext,
  order: Order,
  to: OrderStatus,
  actor: Actor,
): Promise<Outcome> {
  const changed = await setStatus(context, order, to, { actor, reason: 'set' });
  if (!changed) return outdated(await getOrder(context.db, order));
  if (isOrderAt(context.gateway, changed)) await cancelIfOver(context, changed);
  return 'done';
}

/** Who ends an order without a version may not have seen that money came in. */
function wasDecidedUnseen(order: Order, version: number | undefined): boolean {
  return version === undefined && billedOf(order).paid;
}
