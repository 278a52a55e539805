/**
 * A customer who lost the link to an order requests it by email address. The answer never says whether there is
 * one: the request is only stored, and the orders are looked up when the email is sent.
 */
import type { Generated } from 'kysely';
import type { NotificationKind } from '../notifications/notification.server.ts';
import type { Notify } from '../notifications/outbox.server.ts';
import { awaitsPayment, ORDER_STATUSES, orderReference } from '../orders/order.ts';
import { accessLink } from '../orders/order-access.server.ts';
import { sameEmail } from '../platform/database/queries.server.ts';
import type { Db, Row } from '../platform/database/tables.server.ts';
import { refuse } from '../platform/http/answer.server.ts';
import { type Call, call } from '../platform/http/call.server.ts';
import type { Limit } from '../platform/http/rate-limit.server.ts';
import { Interval } from '../platform/interval.server.ts';
import { countTowardMailboxLimit } from '../platform/message-limits.server.ts';
import { DAY_MS, HOUR_MS } from '../platform/time.ts';
import { SEND_LINKS } from './account-api.ts';

declare module '../platform/database/tables.server.ts' {
  interface Tables {
    /** Requests for the links of an email address. */
    orderLinkRequests: {
      id: Generated<number>;
      email: string;
      createdAt: number;
    };
  }
}

const LIMIT: Limit = { name: 'order-links', rules: [{ calls: 5, seconds: 15 * 60 }] };

interface Deps {
  db: Db;
  notify: Notify;
  /** Whether the site can send email; `phone` is offered when it cannot. */
  mail: boolean;
  phone: string;
}

export function lostLinkCall({ db, notify, mail, phone }: Deps): Call {
  return call(SEND_LINKS, {
    access: 'anyone',
    limit: LIMIT,
    handle: async ({ body: { email }, limitKey, countTowardLimit }) => {
      if (!mail) return refuse(409, `We can’t send email from here. Please call ${phone}.`);
      await db.transaction().execute(async (trx) => {
        const { id } = await trx
          .insertInto('orderLinkRequests')
          .values({ email, createdAt: Date.now() })
          .returning('id')
          .executeTakeFirstOrThrow();
        if (await countTowardMailboxLimit(trx, email, 'links'))
          await notify(trx, orderLinks, id, limitKey);
      });
      countTowardLimit();
      return null;
    },
  });
}

/** Deletes requests after a day. */
export function deleteOldLinkRequests(db: Db): Interval {
  return new Interval('link-requests-not-forgotten', HOUR_MS, async () => {
    await db
      .deleteFrom('orderLinkRequests')
      .where('createdAt', '<', Date.now() - DAY_MS)
      .execute();
  });
}

/** Orders listed in one email, newest first. */
const MAX_LINKS = 20;

interface LinkRequest {
  request: Row<'orderLinkRequests'>;
  orders: Pick<Row<'orders'>, 'id' | 'email' | 'planName' | 'linkVersion'>[];
}

export const orderLinks: NotificationKind<LinkRequest> = {
  kind: 'order-links',
  label: 'Links to orders',
  find: findRequest,
  reference: (id) => `L-${id}`,
  topic: ({ request }) => `links ${request.id}`,
  channels: () => ['mail-customer'],
  async customerEmail({ orders }, _at, context) {
    const [newest] = orders;
    if (!newest) return undefined;
    const links = orders.map(async (order) => ({
      kind: 'link' as const,
      label: `Order ${orderReference(order.id)}, ${order.planName}`,
      url: await accessLink(context, order),
    }));
    return {
      // The order's own spelling: the address in the request may differ in case.
      to: newest.email,
      subject: `Your orders at ${context.company.name}`,
      heading: orders.length === 1 ? 'The link to your order' : 'The links to your orders',
      parts: [
        'Someone, probably you, asked us for these links. Each one opens its order, where you can see payments, change your plan, or cancel. It works once, for 30 minutes. Please don’t share it.',
        ...(await Promise.all(links)),
      ],
      question: 'If you didn’t ask, there is nothing to do. Questions?',
    };
  },
};

/** Leaves out orders that were never paid: the address may belong to someone else. */
async function findRequest(db: Db, id: number): Promise<LinkRequest | undefined> {
  const request = await db
    .selectFrom('orderLinkRequests')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  if (!request) return undefined;
  const orders = await db
    .selectFrom('orders')
    .select(['id', 'email', 'planName', 'linkVersion'])
    .where(sameEmail('email', request.email))
    .where(
      'status',
      'in',
      ORDER_STATUSES.filter((status) => !awaitsPayment(status)),
    )
    .orderBy('id', 'desc')
    .execute();
  return { request, orders: orders.slice(0, MAX_LINKS) };
}
