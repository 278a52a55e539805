/** The emails of notices. */

import type { Order } from '../billing/billed-order.server.ts';
import { bySite } from '../billing/cause.server.ts';
import { isByAgreement, monthlyOf } from '../billing/event-facts.server.ts';
import { untilThen } from '../billing/notice.ts';
import { findNotice, type Notice, updateNotice } from '../billing/notice-store.server.ts';
import type { EventOf, OrderEvent } from '../billing/order-event.server.ts';
import { findEvent, recordEvent } from '../billing/order-event-store.server.ts';
import { isOver } from '../billing/order-status.ts';
import { findOrder, lockOrder } from '../billing/order-store.server.ts';
import { orderReference } from '../billing/reference.ts';
import { fullLines, type SubscribedOrder } from '../billing/subscription-store.server.ts';
import { isHigher, parseLines, priceOf, repriced } from '../catalogue/pricing.ts';
import { formatDay } from '../company/days.ts';
import type {
  CustomerEmail,
  MessageContext,
  NotificationKind,
} from '../notifications/notification.server.ts';
import { receiptLink } from '../orders/order-access.server.ts';
import { difference, type MailTexts, orderEmail } from '../orders/order-mail-texts.server.ts';
import type { Db } from '../platform/database/tables.server.ts';
import { formatDollars, totalOf } from '../platform/money.ts';
import { CONTENT_PATHS } from '../routes.ts';
import { dayIfRead } from './first-charge.server.ts';

type NoticeGiven = EventOf<'price-announced' | 'terms-announced'>;
type NoticeEvent = NoticeGiven | EventOf<'price-withdrawn'>;
type Announced = Pick<Notice, 'effectiveAt' | 'from' | 'to'>;
/** What an email says. */
type Said = { kind: 'price-withdrawn' } | { kind: NoticeGiven['kind']; notice: Announced };

export const priceAnnounced = priceNotification('price-announced', 'Price notice for order');
export const priceWithdrawn = priceNotification(
  'price-withdrawn',
  'Price notice taken back for order',
);
export const termsAnnounced = priceNotification('terms-announced', 'Notice of new terms for order');

/** Their subject is the order, which has at most one open notice of each kind. */
export const PRICE_NOTIFICATIONS = [priceAnnounced, priceWithdrawn, termsAnnounced];

function priceNotification(
  kind: NoticeEvent['kind'],
  label: string,
): NotificationKind<{ order: Order; event: NoticeEvent }> {
  return {
    kind,
    label,
    async find(db, id, eventId) {
      const [order, event] = [await findOrder(db, id), await findNoticeEvent(db, eventId)];
      if (!order || !event) return undefined;
      const isGood = event.kind === 'price-withdrawn' || (await findAnnounced(db, id, event));
      return isGood ? { order, event } : undefined;
    },
    reference: orderReference,
    topic: ({ order }) => `order ${order.id}`,
    audiences: () => ['customer'],
    async settled(context, { subjectId, eventId }, isAccepted) {
      const event = await findNoticeEvent(context.db, eventId);
      if (!event || event.kind === 'price-withdrawn') return;
      const order = await lockOrder(context.db, subjectId);
      const notice = await findAnnounced(context.db, subjectId, event);
      // Staff may have taken it back while the email was on its way.
      if (notice?.state !== 'announced') return;
      if (isAccepted) return updateNotice(context.db, notice, { deliveredAt: Date.now() });
      const { id, kind: about } = notice;
      await updateNotice(context.db, notice, { state: 'withdrawn', reason: 'undelivered' });
      const undelivered = { kind: 'notice-undelivered', notice: id, about } as const;
      await recordEvent(context, order, { event: undelivered }, bySite());
    },
    async customerEmail({ order, event }, _at, context) {
      if (isOver(order.status)) return undefined;
      if (event.kind === 'price-withdrawn') return noticeEmail(order, event, context);
      const notice = await saveAsRead(context.db, order.id, event);
      return notice && noticeEmail(order, { kind: event.kind, notice }, context);
    },
  };
}

/** Undefined once it was taken back, or another one given. */
async function findAnnounced(
  db: Db,
  orderId: number,
  { kind, notice }: NoticeGiven,
): Promise<Notice | undefined> {
  const newest = await findNotice(db, orderId, kind === 'terms-announced' ? 'terms' : 'price');
  return newest?.id === notice.id && newest.state !== 'withdrawn' ? newest : undefined;
}

/** What the customer reads is what holds: the plan as it is now, from a day that is far enough. */
function saveAsRead(db: Db, orderId: number, event: NoticeGiven): Promise<Notice | undefined> {
  return db.transaction().execute(async (trx) => {
    const order = await lockOrder(trx, orderId);
    const notice = await findAnnounced(trx, orderId, event);
    if (!notice || notice.deliveredAt !== null) return notice;
    const from = fullLines(order);
    const isPrice = notice.kind === 'price' && from.length > 0;
    const read = { ...notice, ...(isPrice && { from, to: repriced(from, notice.to) }) };
    const effectiveAt = await dayIfRead(trx, read);
    await updateNotice(trx, notice, { effectiveAt, from: read.from, to: read.to });
    return { ...read, effectiveAt };
  });
}

async function findNoticeEvent(db: Db, eventId: number | null): Promise<NoticeEvent | undefined> {
  const event = eventId === null ? undefined : (await findEvent(db, eventId))?.event;
  return event && isOfNotice(event) ? event : undefined;
}

function isOfNotice(event: OrderEvent): event is NoticeEvent {
  return PRICE_NOTIFICATIONS.some(({ kind }) => kind === event.kind);
}

export async function noticeEmail(
  order: SubscribedOrder,
  said: Said,
  context: MessageContext,
): Promise<CustomerEmail | undefined> {
  return orderEmail(order, await textsOf(order, said, context), context);
}

async function textsOf(
  order: SubscribedOrder,
  said: Said,
  context: MessageContext,
): Promise<MailTexts> {
  const number = orderReference(order.id);
  if (said.kind === 'price-withdrawn') {
    const monthly = monthlyOf(order);
    return {
      subject: `Your price stays as it is: order ${number}`,
      heading: isByAgreement(monthly)
        ? 'Your price stays as it is'
        : `${formatDollars(totalOf(monthly.lines))} a month, as before`,
      parts: [
        `We’ve withdrawn the new price that we announced for your ${order.planName} plan. You don’t need to do anything.`,
      ],
    };
  }
  const day = formatDay(context.company, said.notice.effectiveAt);
  if (said.kind === 'price-announced') return priceTexts(order, said.notice, day);
  return {
    subject: `Our terms change on ${day}: order ${number}`,
    heading: `Our terms change on ${day}`,
    parts: [
      `The terms for your ${order.planName} plan change on ${day}. Your price stays the same.`,
      {
        kind: 'words',
        words: [
          'If you agree, you don’t need to do anything. If you don’t, ',
          { label: 'open your order', url: await receiptLink(context, order, 'plan') },
          ` and cancel your plan before ${day}.`,
        ],
      },
    ],
    link: 'Read the new terms',
    linkUrl: context.publicUrl + CONTENT_PATHS.termsOfService,
  };
}

function priceTexts(order: SubscribedOrder, { from, to }: Announced, day: string): MailTexts {
  const [before, after] = [totalOf(from), totalOf(to)];
  const number = orderReference(order.id);
  const isLower = !isHigher(from, to);
  const hasDiscount = parseLines(order.subscription.priceLines).some(
    ({ kind }) => kind === 'discount',
  );
  const advice = isLower
    ? ['You don’t need to do anything.']
    : [
        `If you agree, you don’t need to do anything. If you don’t, open your order and cancel your plan before ${day}, and you’ll never pay the new price.`,
      ];
  return {
    subject: isLower
      ? `Good news: your price goes down on ${day}, order ${number}`
      : `Your price changes on ${day}: order ${number}`,
    heading: `Your price from ${day}: ${formatDollars(after)} a month`,
    parts: [
      `Your ${order.planName} plan will cost ${difference(before, after, 'today')}, before any sales tax.`,
      { kind: 'prices', price: priceOf(to), today: priceOf(from) },
      ...advice,
      untilThen(to),
      ...(hasDiscount ? ['Your discount still applies.'] : []),
    ],
    link: isLower ? 'See both prices' : 'Review the new price',
    place: 'prices',
  };
}
