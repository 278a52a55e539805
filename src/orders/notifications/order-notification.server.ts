/** What the notifications about orders have in common: who hears of it, and all that is said of any order. */

import { priceLinesOf } from '../../catalogue/pricing.ts';
import { momentIn } from '../../company/company-time.ts';
import { openingHours } from '../../company/hours.ts';
import type {
  CustomerEmail,
  NotificationKind,
  StaffMessage,
  Writer,
} from '../../notifications/notification.server.ts';
import { cents, formatDollars } from '../../platform/money.ts';
import { quoteReference } from '../../quotes/quote.ts';
import { STAFF_PAGES } from '../../staff/staff-pages.ts';
import { isErased, orderReference, orderTopic } from '../order.ts';
import { findOrder, type Order } from '../order-store.server.ts';
import { ORDER_NEWS, type OrderNews } from './order-news.ts';

interface OrderEmail extends Pick<CustomerEmail, 'subject' | 'heading' | 'parts'> {
  /** The words of the link to the order, which follows the parts. */
  link?: string;
  /** What is said before the ways to ask questions, which come last. */
  closing?: string;
}

interface Words<Told extends Order> {
  /** One sentence for staff; left out where the customer alone hears of it. */
  happened?(order: Told): string;
  /** `number` is the order's reference, `at` when it happened, in milliseconds since 1970. */
  email(about: { order: Told; number: string; writer: Writer; at: number }): OrderEmail;
}

const TEST_MODE = 'Test mode: no money was taken.';

export function orderNotification(kind: OrderNews, words: Words<Order>): NotificationKind<Order> {
  return detailedNotification(kind, words, findOrder);
}

/** Of an order with something that belongs to it; it is read when the words are written. */
export function detailedNotification<Told extends Order>(
  kind: OrderNews,
  { happened, email }: Words<Told>,
  find: NotificationKind<Told>['find'],
): NotificationKind<Told> {
  return {
    kind,
    about: 'orderId',
    find,
    reference: orderReference,
    topic: ({ id }) => orderTopic(id),
    channels: () => (happened ? ['teams', 'mail-staff', 'mail-customer'] : ['mail-customer']),
    boundedRecipient: ({ provider, email }) => (provider === 'test' ? email : undefined),
    staffMessage: (order, writer) =>
      staffMessage(ORDER_NEWS[kind], happened?.(order) ?? '', order, writer),
    customerEmail(order, at, writer) {
      if (isErased(order)) return undefined;
      const { legalName, address, phone, hours } = writer.company;
      const { street, city, region, postalCode } = address;
      const number = orderReference(order.id);
      const words = email({ order, number, writer, at });
      const { subject, heading, parts, link = 'View order and billing', closing = '' } = words;
      return {
        to: order.email,
        // With the test gateway no money has been paid: a stranger may have typed the name.
        name: order.provider === 'test' ? '' : order.name,
        subject,
        heading,
        parts: [
          ...(order.provider === 'test' ? [{ kind: 'warning' as const, text: TEST_MODE }] : []),
          ...parts,
          { kind: 'link', label: link, url: writer.customerPage(order) },
          `${closing}Questions? Reply to this email or call ${phone.display}, ${openingHours(hours)}.`,
        ],
        footer: [`${legalName}, ${street}, ${city}, ${region} ${postalCode}`, writer.publicUrl],
      };
    },
  };
}

function staffMessage(
  title: string,
  happened: string,
  order: Order,
  { company, publicUrl }: Writer,
): StaffMessage {
  const {
    id,
    name,
    company: buyer,
    email,
    phone,
    planName,
    amountCents,
    provider,
    createdAt,
    quoteId,
  } = order;
  const number = orderReference(id);
  const erased = isErased(order);
  const placedFor: StaffMessage['facts'] = buyer ? [['Company', buyer]] : [];
  const contact: StaffMessage['facts'] = [
    ['Email', email],
    ['Phone', phone ?? 'Not provided'],
  ];
  return {
    title: `${title} ${number}`,
    suspicious: false,
    warning: provider === 'test' ? TEST_MODE : null,
    facts: [
      ['What happened', happened],
      ['Name', name],
      ...placedFor,
      ...(erased ? [] : contact),
      ['Plan', planName],
      ...(quoteId === null
        ? []
        : ([['Quote', quoteReference(quoteId)]] satisfies [string, string][])),
      ['Monthly total', formatDollars(cents(amountCents))],
      ['Placed', momentIn(company, createdAt)],
    ],
    text: null,
    lines: priceLinesOf(order),
    reply: erased ? null : { name, email, subject: `Re: Your order ${number} at ${company.name}` },
    staffUrl: `${publicUrl}${STAFF_PAGES.orders.path}?open=${id}`,
  };
}
