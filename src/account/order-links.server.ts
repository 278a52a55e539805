/** Somebody has asked for the links to the orders of an email address; they go to that address alone. */
import type { Kysely } from 'kysely';
import { openingHours } from '../company/hours.ts';
import type { NotificationKind } from '../notifications/notification.server.ts';
import { awaitsPayment, ORDER_STATUSES, orderReference } from '../orders/order.ts';
import type { Row, Tables } from '../platform/database/tables.server.ts';
import { sameAddress } from '../platform/http/same-address.server.ts';
import { STAFF_PAGES } from '../staff/staff-pages.ts';

/** The newest of an address that has more. */
const MOST_LINKS = 20;

interface Asked {
  request: Row<'orderLinkRequests'>;
  orders: Pick<Row<'orders'>, 'id' | 'email' | 'planName' | 'linkVersion'>[];
}

export function linksTopic(requestId: number): string {
  return `links ${requestId}`;
}

export const orderLinks: NotificationKind<Asked> = {
  kind: 'order-links',
  find: findAsked,
  reference: (id) => `L-${id}`,
  topic: ({ request }) => linksTopic(request.id),
  channels: () => ['mail-customer'],
  boundedRecipient: ({ request }) => request.email,
  staffMessage: (_asked, { publicUrl }) => ({
    title: 'Order links requested',
    suspicious: false,
    warning: null,
    facts: [],
    text: null,
    lines: [],
    reply: null,
    staffUrl: `${publicUrl}${STAFF_PAGES.orders.path}`,
  }),
  async customerEmail({ orders }, _at, writer) {
    const [newest] = orders;
    if (!newest) return undefined;
    const { name, legalName, address, phone, hours } = writer.company;
    const links = orders.map(async (order) => ({
      kind: 'link' as const,
      label: `Order ${orderReference(order.id)}, ${order.planName}`,
      url: await writer.accessPage(order),
    }));
    const { street, city, region, postalCode } = address;
    return {
      // As it was ordered with: what somebody typed just now may differ in the case of its letters.
      to: newest.email,
      name: '',
      subject: `Your orders at ${name}`,
      heading: orders.length === 1 ? 'The link to your order' : 'The links to your orders',
      parts: [
        'Somebody, probably you, asked us for these links. Each one opens its order, where you can see payments, change your plan, or cancel. It works once, for 30 minutes. Please don’t share it.',
        ...(await Promise.all(links)),
        `If you didn’t ask, there is nothing to do. Questions? Reply to this email or call ${phone.display}, ${openingHours(hours)}.`,
      ],
      footer: [`${legalName}, ${street}, ${city}, ${region} ${postalCode}`, writer.publicUrl],
    };
  },
};

/** Of an order that was never paid the address may be somebody else's. */
async function findAsked(db: Kysely<Tables>, id: number): Promise<Asked | undefined> {
  const request = await db
    .selectFrom('orderLinkRequests')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  if (!request) return undefined;
  const orders = await db
    .selectFrom('orders')
    .select(['id', 'email', 'planName', 'linkVersion'])
    .where(sameAddress('email', request.email))
    .where(
      'status',
      'in',
      ORDER_STATUSES.filter((status) => !awaitsPayment(status)),
    )
    .orderBy('id', 'desc')
    .execute();
  return { request, orders: orders.slice(0, MOST_LINKS) };
}
