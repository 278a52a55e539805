/** What happens to orders, as staff, customers and programs are notified of it. */

import { attributionOf } from '../attribution/attribution-store.server.ts';
import type { Order } from '../billing/billed-order.server.ts';
import {
  copyOf,
  kindsWith,
  type NotifiedKind,
  notificationOf,
} from '../billing/event-kinds.server.ts';
import { invoiceStateOf, isOwed } from '../billing/invoice.ts';
import type { Invoice } from '../billing/invoice-store.server.ts';
import {
  type EventKind,
  type EventOf,
  type OrderEvent,
  type Snapshot,
  snapshotOf,
} from '../billing/order-event.server.ts';
import { findEvent, type StoredEvent } from '../billing/order-event-store.server.ts';
import { owesByCard } from '../billing/order-status.ts';
import { findOrder } from '../billing/order-store.server.ts';
import { orderReference, quoteReference, withoutSpaces } from '../billing/reference.ts';
import { planInWords } from '../billing/subscription.ts';
import {
  isMonthly,
  monthlyPriceOf,
  paysRealMoney,
  type SubscribedOrder,
} from '../billing/subscription-store.server.ts';
import { onceJson, parseLines, startFacts } from '../catalogue/pricing.ts';
import { formatDateTime, formatDay } from '../company/hours.ts';
import { speaksOfMoney } from '../notifications/email-text.server.ts';
import type {
  CustomerEmail,
  MessageContext,
  NotificationKind,
  StaffMessage,
} from '../notifications/notification.server.ts';
import type { Db } from '../platform/database/tables.server.ts';
import { formatDollars, toDollars } from '../platform/money.ts';
import { isoTimeOrNull } from '../platform/time.ts';
import { recordPath } from '../routes.ts';
import { accountNames } from '../staff/account-store.server.ts';
import { eventInWords } from './describe-event.server.ts';
import { BY_AGREEMENT, isErased } from './order.ts';
import { receiptLink } from './order-access.server.ts';
import { type MailTexts, nextDay, present, type TextsByKind } from './order-mail-texts.server.ts';
import { staffTextOf } from './order-staff-texts.server.ts';
import { PAYMENT_MAIL_TEXTS } from './payment-mail-texts.server.ts';
import { PLAN_MAIL_TEXTS } from './plan-mail-texts.server.ts';

const TEST_MODE = 'Test mode: no money moves.';

/** As docs/integrations.md lists them. */
const EVENT_TYPES: Partial<Record<EventKind, string>> = {
  accepted: 'quote.accepted',
  'quote-accepted': 'quote.accepted',
  paid: 'order.paid',
  renewed: 'order.renewed',
  failed: 'order.failed',
  'renewal-failed': 'order.failed',
  changed: 'order.changed',
  ending: 'order.changed',
  paused: 'order.changed',
  ended: 'order.ended',
  refunded: 'order.refunded',
  'refund-failed': 'order.refunded',
};

export const MAIL_TEXTS: TextsByKind = { ...PAYMENT_MAIL_TEXTS, ...PLAN_MAIL_TEXTS };

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
      const text = [...words, isOfKind(event) && toStaff?.(event, order)]
        .filter(Boolean)
        .join('. ');
      return staffMessage(label, text, order, context);
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
      return texts && customerEmail(order, texts, context);
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

/** Whom an email greets: without real money a stranger could type any name. */
export function greeted({ name, company, subscription }: SubscribedOrder) {
  return paysRealMoney(subscription) ? { name, company } : {};
}

/** With the link to the order below what happened. Undefined for an erased buyer. */
export async function customerEmail(
  order: SubscribedOrder,
  { link = 'View order and billing', place, ...texts }: MailTexts,
  context: MessageContext,
): Promise<CustomerEmail | undefined> {
  if (isErased(order)) return undefined;
  const isReal = paysRealMoney(order.subscription);
  const url = await receiptLink(context, order, place);
  const isWarned = !isReal && speaksOfMoney([texts.heading, ...texts.parts]);
  return {
    to: order.email,
    ...greeted(order),
    question: 'Questions?',
    ...texts,
    parts: [
      ...(isWarned ? [{ kind: 'warning' as const, text: TEST_MODE }] : []),
      ...texts.parts.toSpliced(1, 0, { kind: 'link', label: link, url }),
    ],
  };
}

/** Amounts in dollars; the buyer as known now, the rest as it was when it happened. */
async function eventData({ order, so }: EventDetails, { db, publicUrl }: MessageContext) {
  const { id, name, email, phone, company, quoteId } = order;
  const { status, startsOn = null } = so;
  return {
    reference: withoutSpaces(orderReference(id)),
    quote: quoteId === null ? null : withoutSpaces(quoteReference(quoteId)),
    test: !paysRealMoney(order.subscription),
    ...{ name, email, phone, company },
    ...{ status, startsOn },
    plan: planInWords(so.plan),
    monthlyAmount: so.monthly === null ? null : toDollars(so.monthly),
    refunded: toDollars(so.refunded),
    endsAt: isoTimeOrNull(so.endsAt),
    once: onceJson(parseLines(order.boughtOnce)),
    source: (await attributionOf(db, 'order', id)) ?? null,
    url: `${publicUrl}${recordPath('orders', id)}`,
  };
}

function staffMessage(
  label: string,
  summary: string,
  order: Order,
  { company, publicUrl }: MessageContext,
): StaffMessage {
  const { name, email, phone, quoteId } = order;
  const price = monthlyPriceOf(order);
  const number = orderReference(order.id);
  const erased = isErased(order);
  return {
    title: `${label} ${number}`,
    warning: paysRealMoney(order.subscription) ? null : TEST_MODE,
    facts: present(
      ['What happened', summary],
      ['Name', name],
      ['Company', order.company],
      ['Email', email],
      ['Phone', erased ? null : (phone ?? 'Not provided')],
      ['Plan', order.planName],
      ['Quote', quoteId === null ? null : quoteReference(quoteId)],
      ['Purchase order', order.poNumber],
      [
        'Monthly total',
        isMonthly(order.subscription) ? formatDollars(price.total) : BY_AGREEMENT.staff,
      ],
      ...startFacts(price),
      ['Placed', formatDateTime(company, order.createdAt)],
    ),
    price,
    reply: erased ? null : { name, email, subject: `Re: Your order ${number} at ${company.name}` },
    staffUrl: `${publicUrl}${recordPath('orders', order.id)}`,
  };
}
