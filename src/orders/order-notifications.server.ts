/** What happens to orders, as staff, customers and programs are notified of it. */

import { attributionOf } from '../attribution/attribution-store.server.ts';
import type { Order } from '../billing/billed-order.server.ts';
import { snapshotOf } from '../billing/event-facts.server.ts';
import {
  copyOf,
  kindsWith,
  type NotifiedKind,
  notificationOf,
} from '../billing/event-kinds.server.ts';
import { invoiceStateOf, isOwed } from '../billing/invoice.ts';
import type { Invoice } from '../billing/invoice-store.server.ts';
import type { EventKind, EventOf, OrderEvent, Snapshot } from '../billing/order-event.server.ts';
import { findEvent, type StoredEvent } from '../billing/order-event-store.server.ts';
import { owesByCard } from '../billing/order-status.ts';
import { findOrder } from '../billing/order-store.server.ts';
import { orderReference, quoteReference, withoutSpaces } from '../billing/reference.ts';
import { planInWords } from '../billing/subscription.ts';
import { paysRealMoney } from '../billing/subscription-store.server.ts';
import { onceJson, parseLines } from '../catalogue/pricing.ts';
import { formatDay } from '../company/days.ts';
import type { MessageContext, NotificationKind } from '../notifications/notification.server.ts';
import type { Db } from '../platform/database/tables.server.ts';
import { toDollars } from '../platform/money.ts';
import { isoTimeOrNull } from '../platform/time.ts';
import { recordPath } from '../routes.ts';
import { accountNames } from '../staff/account-store.server.ts';
import { eventInWords } from './describe-event.server.ts';
import { isErased } from './order.ts';
import { nextDay, orderEmail, type TextsByKind } from './order-mail-texts.server.ts';
import { staffMessage, staffTextOf } from './order-staff-texts.server.ts';
import { PAYMENT_MAIL_TEXTS } from './payment-mail-texts.server.ts';
import { PLAN_MAIL_TEXTS } from './plan-mail-texts.server.ts';

/** As docs/integrations.md lists them. */
const EVENT_TYPES: Partial<Record<EventKind, string>> = {
  accepted: 'quote.accepted',
  'quote-accepted': 'quote.accepted',
  paid: 'order.paid',
  renewed: 'order.renewed',
  failed: 'order.failed',
  'renewal-failed': 'order.failed',
  changed: 'order.changed',
  'start-moved': 'order.changed',
  ending: 'order.changed',
  paused: 'order.changed',
  ended: 'order.ended',
  refunded: 'order.refunded',
  'refund-failed': 'order.refunded',
};

export const MAIL_TEXTS: TextsByKind = { ...PAYMENT_MAIL_TEXTS, ...PLAN_MAIL_TEXTS };

/** In place of what staff should do about a customer who is notified. */
const NOT_TOLD =
  'The buyer was erased, and gets no email about this. Only the payment provider may still know who it was';

interface EventDetails {
  order: Order;
  event: OrderEvent;
  /** What held then; what holds now, of an event of release 1.0. */
  so: Snapshot;
  /** The member of staff who asked for it, as customers read the name. */
  by: string | null;
}

export const ORDER_NOTIFICATIONS = [
  ...kindsWith('notified').map(orderNotification),
  ...kindsWith('paper').map((kind) => paperCopy(kind, orderNotification(kind))),
];

/** To the order's address for papers. */
function paperCopy(
  kind: NotifiedKind,
  { event: _, staffMessage: _staff, ...own }: NotificationKind<EventDetails>,
): NotificationKind<EventDetails> {
  return {
    ...own,
    kind: copyOf(kind),
    label: `Copy: ${own.label}`,
    topic: ({ order }) => `papers of order ${order.id}`,
    audiences: () => ['customer'],
    limitedRecipient: ({ order }) =>
      paysRealMoney(order.subscription) ? undefined : (order.billsTo ?? undefined),
    async customerEmail(details, at, context) {
      const email = await own.customerEmail?.(details, at, context);
      const { billsTo } = details.order;
      return email && billsTo !== null ? { ...email, to: billsTo, name: '' } : undefined;
    },
  };
}

function orderNotification<Kind extends NotifiedKind>(kind: Kind): NotificationKind<EventDetails> {
  const { label, toStaff } = staffTextOf(kind);
  const email = MAIL_TEXTS[kind];
  const type = EVENT_TYPES[kind];
  const isOfKind = (event: OrderEvent): event is EventOf<Kind> => event.kind === kind;
  return {
    kind: notificationOf(kind),
    label,
    async find(db, id, eventId) {
      const order = await findOrder(db, id);
      const stored = eventId === null ? undefined : await findEvent(db, eventId);
      if (!order || !stored) return undefined;
      const so = stored.snapshot ?? snapshotOf(order);
      return { order, event: stored.event, so, by: await staffBehind(db, stored) };
    },
    reference: orderReference,
    topic: ({ order }) => `order ${order.id}`,
    audiences: () => [
      ...(toStaff ? (['staff'] as const) : []),
      ...(email ? (['customer'] as const) : []),
    ],
    ...(type && { event: { type, data: eventData } }),
    limitedRecipient: ({ order }) => (paysRealMoney(order.subscription) ? undefined : order.email),
    staffMessage: ({ order, event }, context) => {
      const words = eventInWords(event, (time) => formatDay(context.company, time));
      const more = isOfKind(event) && toStaff?.(event, order);
      const text = [...words, email && isErased(order) ? NOT_TOLD : more]
        .filter(Boolean)
        .join('. ');
      const isKept = event.kind === 'ending' && event.endsAt === null;
      const title = isKept ? 'Cancellation taken back: order' : label;
      return staffMessage(title, text, order, context);
    },
    async customerEmail({ order, event, so, by }, at, context) {
      const invoice = invoiceOfEvent(order, event);
      if (!isOfKind(event) || !isStillOwed(event, order, invoice)) return undefined;
      const number = orderReference(order.id);
      const { poNumber } = invoice ?? order;
      const lines = invoice ? parseLines(invoice.lines) : [];
      const of = { ...order, poNumber, planName: so.plan.plan ?? order.planName };
      const next = nextDay(of, so, context.company, at);
      // The provider may report it days later.
      const paidAt = invoice?.paidAt ?? at;
      const texts = email?.({ event, order: of, so, lines, number, context, at, paidAt, by, next });
      return texts && orderEmail(of, texts, context);
    },
  };
}

async function staffBehind(db: Db, { causeId }: StoredEvent): Promise<string | null> {
  const press = causeId === null ? undefined : await findEvent(db, causeId);
  if (press?.actor.is !== 'staff') return null;
  const { account } = press.actor;
  return (await accountNames(db, [account])).publicName(account);
}

/** Its number of the purchase order is the one of that day. */
function invoiceOfEvent({ invoices }: Order, event: OrderEvent): Invoice | undefined {
  const newest = 'invoices' in event ? event.invoices.at(-1) : null;
  const about = 'invoice' in event && typeof event.invoice === 'object' ? event.invoice : newest;
  return invoices.find(({ id }) => id === about?.id);
}

/** No one is asked to pay what has been paid since. */
function isStillOwed({ kind }: OrderEvent, order: Order, invoice: Invoice | undefined): boolean {
  switch (kind) {
    case 'overdue':
    case 'debit-returned':
      return invoice !== undefined && isOwed(invoiceStateOf(invoice));
    case 'invoice-sent':
      return invoice === undefined || isOwed(invoiceStateOf(invoice));
    case 'renewal-failed':
      return owesByCard(order) && (invoice === undefined || invoice.status === 'open');
    default:
      return true;
  }
}

/** Amounts in dollars; the buyer as known now, the rest as it was when it happened. */
async function eventData({ order, so }: EventDetails, { db, publicUrl }: MessageContext) {
  const { id, name, email, phone, company, quoteId } = order;
  const { status, startsOn = null } = so;
  const { plan = order.planName, license } = so.plan;
  return {
    reference: withoutSpaces(orderReference(id)),
    quote: quoteId === null ? null : withoutSpaces(quoteReference(quoteId)),
    test: !paysRealMoney(order.subscription),
    ...{ name, email, phone, company },
    ...{ status, startsOn },
    plan: [plan, license, planInWords(so.plan)].filter(Boolean).join(', '),
    monthlyAmount: so.monthly === null ? null : toDollars(so.monthly),
    refunded: toDollars(so.refunded),
    endsAt: isoTimeOrNull(so.endsAt),
    once: onceJson(parseLines(order.boughtOnce)),
    source: (await attributionOf(db, 'order', id)) ?? null,
    url: `${publicUrl}${recordPath('orders', id)}`,
  };
}
