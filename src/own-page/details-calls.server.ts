/** Customers and staff correct an order's facts; another address is confirmed by a link to it. */
import { hash } from 'node:crypto';
import type { Order } from '../billing/billed-order.server.ts';
import { type Actor, byCustomer, CUSTOMER, staffActor } from '../billing/cause.server.ts';
import { whileClaimed } from '../billing/claim-order.server.ts';
import {
  correctOrder,
  type Details,
  differing,
  forgetAsked,
} from '../billing/order-details.server.ts';
import type { Detail } from '../billing/order-event.server.ts';
import { askProvider, insertEvent } from '../billing/order-event-store.server.ts';
import { ORDER_STATUSES } from '../billing/order-status.ts';
import { getOrder, lockOrder, updateOrder } from '../billing/order-store.server.ts';
import { COULD_NOT, isNotDone, type Outcome } from '../billing/outcome.server.ts';
import { isOrderAt } from '../billing/provider-mode.server.ts';
import { ORDER_ACCESS_MS, ORDER_CHANGE_CALLS, ORDER_LINK_CALLS } from '../limits.ts';
import { ADDENDUM_CHANGED, keepAddendum } from '../orders/accepted-terms.server.ts';
import { admitBrowser } from '../orders/order-access.server.ts';
import { orderRequests } from '../orders/order-calls.server.ts';
import { type Call, call } from '../platform/http/call.server.ts';
import type { Site } from '../site.server.ts';
import { CHANGED } from './change-plan.server.ts';
import { emailToConfirm } from './email-change-mails.server.ts';
import {
  ACCEPT_ADDENDUM,
  ASK_FOR_EMAIL,
  CONFIRM_EMAIL,
  SET_DETAILS,
  SET_ORDER_DETAILS,
} from './own-page-api.ts';
import { linkedOrders, noMail, USED_LINK } from './own-page-calls.server.ts';
import { ownPageJson } from './own-page-json.server.ts';

export function detailsCalls(context: Site): Call[] {
  const { db, notify, mail } = context;
  const { withLinkedOrder, changeOrder } = linkedOrders(context);
  const { staffAction } = orderRequests(context);
  const changing = { access: 'anyone', limit: ORDER_CHANGE_CALLS } as const;
  return [
    call(
      SET_DETAILS,
      changing,
      changeOrder('access', (order, { token: _, version: _was, ...details }) =>
        correct(context, order, details, CUSTOMER),
      ),
    ),
    call(
      ACCEPT_ADDENDUM,
      changing,
      changeOrder('access', async ({ id }, { name, title, hash: shown }) => {
        const text = context.addendum();
        if (text?.hash !== shown) return { refused: ADDENDUM_CHANGED };
        await db.transaction().execute(async (trx) => {
          await lockOrder(trx, id);
          await updateOrder(trx, id, await keepAddendum(trx, text, { name, title }));
          await insertEvent(trx, id, { kind: 'addendum-accepted' }, byCustomer());
        });
        return 'done';
      }),
    ),
    call(SET_ORDER_DETAILS, 'staff', (request) =>
      staffAction(request, ORDER_STATUSES, (order) => {
        const { version: _, ...details } = request.body;
        return correct(context, order, details, staffActor(request));
      }),
    ),
    call(
      ASK_FOR_EMAIL,
      { access: 'anyone', limit: ORDER_LINK_CALLS },
      withLinkedOrder('access', async ({ id: orderId }, { email }) => {
        if (!mail) return noMail(context);
        await db.transaction().execute(async (trx) => {
          await lockOrder(trx, orderId);
          await forgetAsked(trx, orderId);
          const { id } = await trx
            .insertInto('emailChanges')
            .values({ orderId, email, createdAt: Date.now() })
            .returning('id')
            .executeTakeFirstOrThrow();
          await notify(trx, emailToConfirm, id);
        });
        return null;
      }),
    ),
    call(
      CONFIRM_EMAIL,
      changing,
      withLinkedOrder('link', async (order, { key }, { cookies }) => {
        const asked = await db
          .selectFrom('emailChanges')
          .select('email')
          .where('orderId', '=', order.id)
          .where('keyHash', '=', hash('sha256', key))
          .where('createdAt', '>', Date.now() - ORDER_ACCESS_MS)
          .executeTakeFirst();
        if (!asked) return USED_LINK;
        const outcome = await whileClaimed(
          db,
          order,
          (claimed) => correct(context, claimed, { email: asked.email }, CUSTOMER),
          () => CHANGED,
        );
        if (outcome !== 'done') return outcome;
        await db.transaction().execute(async (trx) => {
          await lockOrder(trx, order.id);
          await forgetAsked(trx, order.id);
          await admitBrowser(trx, order.id, cookies, 'opened a link');
        });
        return ownPageJson(context, await getOrder(db, order), true);
      }),
    ),
  ];
}

const AT_PROVIDER: readonly Detail[] = ['name', 'email', 'phone'];

/** The provider first: its own invoices name the customer, too. */
async function correct(
  context: Site,
  order: Order,
  details: Partial<Details>,
  actor: Actor,
): Promise<Outcome> {
  const { gateway } = context;
  const what = differing(order, details);
  if (what.length === 0) return 'done';
  const press = { kind: 'details-asked' as const, what };
  const isThere = isOrderAt(gateway, order) && what.some((detail) => AT_PROVIDER.includes(detail));
  const asked = await askProvider(context, order.id, { press, actor }, async () =>
    isThere ? gateway.setCustomer({ ...order, ...details }) : 'done',
  );
  // Staff alone read the provider's own reason.
  const isForStaff = asked === 'unavailable' || actor.is === 'staff';
  if (isNotDone(asked)) return isForStaff ? asked : { refused: COULD_NOT };
  await context.db.transaction().execute(async (trx) => {
    const now = await lockOrder(trx, order.id);
    await correctOrder({ db: trx, notify: context.notify }, now, details, asked);
  });
  return 'done';
}
