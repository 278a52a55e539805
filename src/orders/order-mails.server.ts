/** Notifies staff and customers of an order's events. Details are read when a message is sent. */

import { attributionOf } from '../attribution/attribution-store.server.ts';
import { priceLinesOf } from '../catalogue/pricing.ts';
import { formatDateTime } from '../company/hours.ts';
import type {
  MessageContext,
  NotificationKind,
  StaffMessage,
} from '../notifications/notification.server.ts';
import type { DbAndNotify } from '../notifications/outbox.server.ts';
import type { Row } from '../platform/database/tables.server.ts';
import { formatDollars, toDollars } from '../platform/money.ts';
import { isoTimeOrNull } from '../platform/time.ts';
import { STAFF_PAGES } from '../routes.ts';
import {
  isErased,
  isOwed,
  orderReference,
  paysRealMoney,
  planInWords,
  quoteReference,
} from './order.ts';
import { receiptLink } from './order-access.server.ts';
import {
  firstOwed,
  invoiceStateOf,
  needsConfirmation,
  readInvoices,
} from './order-billing.server.ts';
import { addAlerts, findAlert } from './order-history-store.server.ts';
import {
  ORDER_TEXTS,
  type OrderDetails,
  type OrderTexts,
  present,
} from './order-mail-texts.server.ts';
import { findOrder, lockOrder, type Order } from './order-store.server.ts';

export const TEST_MODE = 'Test mode: no money was taken.';

/** The events staff and customers are notified of. */
export type OrderEvent = keyof typeof ORDER_TEXTS;

/** As docs/integrations.md lists them. */
const EVENT_TYPES: Partial<Record<string, string>> = {
  'order-accepted': 'quote.accepted',
  'quote-accepted': 'quote.accepted',
  'order-paid': 'order.paid',
  'order-renewed': 'order.renewed',
  'order-failed': 'order.failed',
  'order-renewal-failed': 'order.failed',
  'order-changed': 'order.changed',
  'order-ending': 'order.changed',
  'order-paused': 'order.changed',
  'order-ended': 'order.ended',
  'order-refunded': 'order.refunded',
  'order-refund-failed': 'order.refunded',
} satisfies Partial<Record<keyof typeof ORDER_TEXTS, string>>;

/** The invoice that an email names, when several are owed: the newest like this. */
const ABOUT: Partial<Record<string, (invoice: Row<'orderInvoices'>) => boolean>> = {
  'order-overdue': (invoice) => invoice.overdue === 1 && isOwed(invoiceStateOf(invoice)),
  'order-debit-returned': (invoice) => invoiceStateOf(invoice) === 'debit_returned',
};

export const ORDER_NOTIFICATIONS = Object.entries(ORDER_TEXTS).map(([kind, texts]) =>
  notificationOf(kind, texts),
);

export function orderNotification(event: OrderEvent): NotificationKind<OrderDetails> {
  return notificationOf(event, ORDER_TEXTS[event]);
}

/** Staff are notified of each text about an order once. */
export async function alertStaff(
  { db, notify }: DbAndNotify,
  orderId: number,
  alert: string,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockOrder(trx, orderId);
    if (await addAlerts(trx, orderId, [alert]))
      await notify(trx, orderNotification('order-alert'), orderId);
  });
}

function notificationOf(
  kind: string,
  { label, staffSummary, email }: OrderTexts,
): NotificationKind<OrderDetails> {
  return {
    kind,
    label,
    async find(db, id) {
      const order = await findOrder(db, id);
      if (!order) return undefined;
      const invoices = await readInvoices(db, id);
      const invoice = invoices.find(({ paid }) => paid);
      const isAbout = ABOUT[kind];
      const owed = isAbout
        ? invoices.find(isAbout)
        : (firstOwed(invoices) ?? invoices.find(needsConfirmation));
      return { order, invoice, owed, alert: await findAlert(db, id) };
    },
    reference: orderReference,
    topic: ({ order }) => `order ${order.id}`,
    channels: () => [
      ...(staffSummary ? (['teams', 'mail-staff'] as const) : []),
      ...(email ? (['mail-customer'] as const) : []),
    ],
    ...(EVENT_TYPES[kind] && { event: { type: EVENT_TYPES[kind], data: eventData } }),
    limitedRecipient: ({ order }) => (paysRealMoney(order) ? undefined : order.email),
    staffMessage: (details, context) =>
      staffMessage(label, staffSummary?.(details, context.company) ?? '', details.order, context),
    async customerEmail(details, at, context) {
      const { order } = details;
      if (!email || isErased(order)) return undefined;
      const number = orderReference(order.id);
      const texts = email({ ...details, number, context, at });
      if (!texts) return undefined;
      const { parts, link = 'View order and billing', ...others } = texts;
      const isReal = paysRealMoney(order);
      return {
        to: order.email,
        name: isReal ? order.name : '',
        question: 'Questions?',
        ...others,
        parts: [
          ...(isReal ? [] : [{ kind: 'warning' as const, text: TEST_MODE }]),
          ...parts,
          { kind: 'link', label: link, url: await receiptLink(context, order) },
        ],
      };
    },
  };
}

/** Amounts in dollars. */
async function eventData({ order }: OrderDetails, { db, publicUrl }: MessageContext) {
  const { id, name, email, phone, company, quoteId } = order;
  return {
    reference: orderReference(id),
    quote: quoteId === null ? null : quoteReference(quoteId),
    status: order.status,
    test: !paysRealMoney(order),
    ...{ name, email, phone, company },
    plan: planInWords(order),
    monthlyAmount: toDollars(order.amountCents),
    refunded: toDollars(order.refundedCents),
    endsAt: isoTimeOrNull(order.endsAt),
    source: (await attributionOf(db, 'order', id)) ?? null,
    url: `${publicUrl}${STAFF_PAGES.orders.path}?open=${id}`,
  };
}

function staffMessage(
  label: string,
  summary: string,
  order: Order,
  { company, publicUrl }: MessageContext,
): StaffMessage {
  const { name, email, phone, quoteId } = order;
  const number = orderReference(order.id);
  const erased = isErased(order);
  return {
    title: `${label} ${number}`,
    warning: paysRealMoney(order) ? null : TEST_MODE,
    facts: present(
      ['What happened', summary],
      ['Name', name],
      ['Company', order.company],
      ['Email', email],
      ['Phone', erased ? null : (phone ?? 'Not provided')],
      ['Plan', order.planName],
      ['Quote', quoteId === null ? null : quoteReference(quoteId)],
      ['Purchase order', order.poNumber],
      ['Monthly total', formatDollars(order.amountCents)],
      ['Placed', formatDateTime(company, order.createdAt)],
    ),
    lines: priceLinesOf(order),
    reply: erased ? null : { name, email, subject: `Re: Your order ${number} at ${company.name}` },
    staffUrl: `${publicUrl}${STAFF_PAGES.orders.path}?open=${order.id}`,
  };
}
