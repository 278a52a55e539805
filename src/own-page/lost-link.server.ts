/**
 * A customer who lost the link to an order requests it by email address. Neither the answer nor its
 * time says whether there is one. What opens an order is sent to the address in that order, to the
 * letter: two addresses that differ only in case may be two people's.
 */

import { kindsWith } from '../billing/event-kinds.server.ts';
import { refuseOutcome } from '../billing/outcome.server.ts';
import { orderReference } from '../billing/reference.ts';
import { MAX_LINKS_IN_MAIL, ORDER_ACCESS_MS, ORDER_LINK_CALLS } from '../limits.ts';
import type { NotificationKind } from '../notifications/notification.server.ts';
import { accessLink, deleteOldAccessLinks } from '../orders/order-access.server.ts';
import type { OrderPlace } from '../orders/order-api.ts';
import { deleteOlder, sameEmail } from '../platform/database/queries.server.ts';
import type { Db, Row } from '../platform/database/tables.server.ts';
import { type Call, call } from '../platform/http/call.server.ts';
import { Interval } from '../platform/interval.server.ts';
import { lockMailbox } from '../platform/message-limits.server.ts';
import { DAY_MS, HOUR_MS } from '../platform/time.ts';
import type { Site } from '../site.server.ts';
import { SEND_LINK, SEND_LINKS } from './own-page-api.ts';
import { linkedOrders, noMail } from './own-page-calls.server.ts';

/** By an address that is typed, or by the page of an order. */
export function lostLinkCalls(context: Site): Call[] {
  const { db, notify, mail } = context;
  const { withLinkedOrder } = linkedOrders(context);
  type Request = Pick<Row<'orderLinkRequests'>, 'email' | 'orderId' | 'place'>;

  async function send({ email, ...from }: Request) {
    await db.transaction().execute(async (trx) => {
      await lockMailbox(trx, email);
      const createdAt = Date.now();
      const recipients = await findDue(trx, email, createdAt);
      // Stored and queued even if there is nothing to send, so that it takes the same time.
      for (const address of recipients.length > 0 ? recipients : [null]) {
        const holdUntil = address === null ? null : createdAt + ORDER_ACCESS_MS;
        const { id } = await trx
          .insertInto('orderLinkRequests')
          .values({ ...from, email: address ?? email, createdAt, holdUntil })
          .returning('id')
          .executeTakeFirstOrThrow();
        await notify(trx, orderLinks, id);
      }
    });
    return null;
  }

  const options = { access: 'anyone', limit: ORDER_LINK_CALLS } as const;
  return [
    call(SEND_LINKS, options, ({ body: { email } }) =>
      mail ? send({ email, orderId: null, place: null }) : refuseOutcome(noMail(context)),
    ),
    call(
      SEND_LINK,
      options,
      withLinkedOrder('link', async ({ email, id: orderId }, { place }) =>
        mail ? send({ email, orderId, place }) : noMail(context),
      ),
    ),
  ];
}

/** Emails for one request. Strangers with further spellings of an address come after its owner. */
const MAX_SPELLINGS = 5;

/** The address's spellings in its orders, oldest first, without those whose links still hold. */
async function findDue(trx: Db, email: string, now: number): Promise<string[]> {
  const orders = await selectLinked(trx, email).select('email').orderBy('id').execute();
  const spellings = new Set(orders.map((order) => order.email));
  const sent = await trx
    .selectFrom('orderLinkRequests')
    .select('email')
    .where(sameEmail('email', email))
    .where('holdUntil', '>', now)
    .execute();
  const holding = sent.map((request) => request.email);
  return [...spellings].slice(0, MAX_SPELLINGS).filter((address) => !holding.includes(address));
}

/** Leaves out those neither paid nor accepted by invoice: the address may be someone else's. */
function selectLinked(db: Db, email: string) {
  return db
    .selectFrom('orders')
    .where(sameEmail('email', email))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('orderEvents')
          .select('orderId')
          .whereRef('orderId', '=', 'orders.id')
          .where('orderEvents.kind', 'in', kindsWith('acceptance')),
      ),
    );
}

export function deleteOldLinkRequests({ db }: Site): Interval {
  return new Interval('link-request-cleanup-failed', HOUR_MS, async () => {
    for (const table of ['orderLinkRequests', 'emailChanges'] as const)
      await deleteOlder(db, table, Date.now() - DAY_MS);
    await deleteOldAccessLinks(db);
  });
}

interface LinkRequest {
  request: Row<'orderLinkRequests'>;
  orders: Pick<Row<'orders'>, 'id' | 'email' | 'planName' | 'linkVersion'>[];
}

const LABELS: Record<OrderPlace, string> = {
  pay: 'Pay',
  card: 'Enter a new card',
  prices: 'See both prices',
  plan: 'Keep or change plan',
};

export const orderLinks: NotificationKind<LinkRequest> = {
  kind: 'order-links',
  label: 'Links to orders',
  find: findRequest,
  reference: (id) => `L-${id}`,
  topic: ({ request }) => `links ${request.id}`,
  audiences: () => ['customer'],
  async customerEmail({ request: { orderId, place }, orders }, _at, context) {
    const [newest] = orders;
    if (!newest) return undefined;
    const asked = orders.filter(({ id }) => id === orderId);
    const sorted = [...asked, ...orders.filter(({ id }) => id !== orderId)];
    const links = sorted.map(async (order) => {
      const to = order.id === orderId ? place : null;
      const url = await accessLink(context, order, to);
      return [
        {
          kind: 'heading' as const,
          text: `Order ${orderReference(order.id)}, ${order.planName}`,
        },
        { kind: 'link' as const, label: to ? LABELS[to] : 'Open order', url },
      ];
    });
    const [these, they] =
      orders.length === 1
        ? ['this link. It works', 'It opens your order']
        : ['these links. Each works', 'Each opens one order'];
    return {
      to: newest.email,
      subject: `Your orders at ${context.company.name}`,
      heading: orders.length === 1 ? 'The link to your order' : 'The links to your orders',
      parts: [
        `Someone, probably you, asked us for ${these} once and expires in 30 minutes.`,
        ...(await Promise.all(links)).flat(),
        `${they}, where you can see payments, change your plan, or cancel. Please don’t share this email.`,
      ],
      question: 'If you didn’t ask for this, ignore this email. Questions?',
    };
  },
};

async function findRequest(db: Db, id: number): Promise<LinkRequest | undefined> {
  const request = await db
    .selectFrom('orderLinkRequests')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  if (!request) return undefined;
  const linked = selectLinked(db, request.email)
    .select(['id', 'email', 'planName', 'linkVersion'])
    .where('email', '=', request.email);
  const newest = await linked.orderBy('id', 'desc').limit(MAX_LINKS_IN_MAIL).execute();
  const isOlder = !newest.some(({ id }) => id === request.orderId);
  const asked = isOlder ? await linked.where('id', '=', request.orderId).execute() : [];
  const orders = [...asked, ...newest].slice(0, MAX_LINKS_IN_MAIL);
  return { request, orders: request.holdUntil === null ? [] : orders };
}
