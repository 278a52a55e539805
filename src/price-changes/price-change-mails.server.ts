/** The emails about new prices and new terms. */

import type { Order } from '../billing/billed-order.server.ts';
import { bySite } from '../billing/cause.server.ts';
import { isByAgreement } from '../billing/event-facts.server.ts';
import { untilThen } from '../billing/notice.ts';
import { findNotice, type Notice, updateNotice } from '../billing/notice-store.server.ts';
import type { EventOf } from '../billing/order-event.server.ts';
import { findEvent, recordEvent } from '../billing/order-event-store.server.ts';
import { isOver } from '../billing/order-status.ts';
import { findOrder, lockOrder } from '../billing/order-store.server.ts';
import { orderReference } from '../billing/reference.ts';
import type { SubscribedOrder } from '../billing/subscription-store.server.ts';
import { isHigher, parseLines, priceOf } from '../catalogue/pricing.ts';
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

type NoticeEvent = EventOf<'price-announced' | 'price-withdrawn' | 'terms-announced'>;

interface NoticeMail {
  order: Order;
  event: NoticeEvent;
  stored?: Notice;
}

export const priceAnnounced = priceNotification('price-announced', 'Price notice for order');
export const priceWithdrawn = priceNotification(
  'price-withdrawn',
  'Price notice taken back for order',
);
export const termsAnnounced = priceNotification('terms-announced', 'Notice of new terms for order');

/** Their subject is the order, which has at most one open notice of each kind. */
export const PRICE_NOTIFICATIONS = [priceAnnounced, priceWithdrawn, termsAnnounced];

function priceNotification(kind: NoticeEvent['kind'], label: string): NotificationKind<NoticeMail> {
  return {
    kind,
    label,
    async find(db, id, eventId) {
      const [order, event] = [await findOrder(db, id), await findNoticeEvent(db, eventId)];
      if (!order || !event) return undefined;
      if (event.kind === 'price-withdrawn') return { order, event };
      const stored = await findAnnounced(db, id, event);
      // It was taken back, or another one given, before its email left.
      if (!stored || stored.state === 'withdrawn') return undefined;
      return { order, event, stored };
    },
    reference: orderReference,
    topic: ({ order }) => `order ${order.id}`,
    audiences: () => ['customer'],
    async settled(context, { subjectId, eventId }, isAccepted) {
      const event = await findNoticeEvent(context.db, eventId);
      if (!event || event.kind === 'price-withdrawn') return;
      const order = await lockOrder(context.db, subjectId);
      const stored = await findAnnounced(context.db, subjectId, event);
      // Staff may have taken it back while the email was on its way.
      if (stored?.state !== 'announced') return;
      if (isAccepted) return updateNotice(context.db, stored, { deliveredAt: Date.now() });
      const { id: notice, kind: about } = stored;
      await updateNotice(context.db, stored, { state: 'withdrawn', reason: 'undelivered' });
      const undelivered = { kind: 'notice-undelivered', notice, about } as const;
      await recordEvent(context, order, { event: undelivered }, bySite());
    },
    async customerEmail({ order, event, stored }, _at, context) {
      if (isOver(order.status)) return undefined;
      if (!stored || event.kind === 'price-withdrawn') return noticeEmail(order, event, context);
      const effectiveAt = await dayIfRead(context.db, stored);
      // What the customer reads is what holds.
      await updateNotice(context.db, stored, { effectiveAt });
      const notice = { ...event.notice, effectiveAt };
      return noticeEmail(order, { ...event, notice }, context);
    },
  };
}

/** Undefined once another notice was given. */
async function findAnnounced(
  db: Db,
  orderId: number,
  { kind, notice }: EventOf<'price-announced' | 'terms-announced'>,
) {
  const newest = await findNotice(db, orderId, kind === 'terms-announced' ? 'terms' : 'price');
  return newest?.id === notice.id ? newest : undefined;
}

async function findNoticeEvent(db: Db, eventId: number | null): Promise<NoticeEvent | undefined> {
  const event = eventId === null ? undefined : (await findEvent(db, eventId))?.event;
  switch (event?.kind) {
    case 'price-announced':
    case 'price-withdrawn':
    case 'terms-announced':
      return event;
    default:
      return undefined;
  }
}

export async function noticeEmail(
  order: SubscribedOrder,
  event: NoticeEvent,
  context: MessageContext,
): Promise<CustomerEmail | undefined> {
  return orderEmail(order, await textsOf(order, event, context), context);
}

async function textsOf(
  order: SubscribedOrder,
  event: NoticeEvent,
  context: MessageContext,
): Promise<MailTexts> {
  if (event.kind === 'price-announced') return priceTexts(order, event.notice, context);
  if (event.kind === 'price-withdrawn')
    return {
      subject: `Your price stays as it is: order ${orderReference(order.id)}`,
      heading: isByAgreement(event.monthly)
        ? 'Your price stays as it is'
        : `${formatDollars(totalOf(event.monthly.lines))} a month, as before`,
      parts: [
        `We’ve withdrawn the new price that we announced for your ${order.planName} plan. You don’t need to do anything.`,
      ],
    };
  const { company, publicUrl } = context;
  const day = formatDay(company, event.notice.effectiveAt);
  return {
    subject: `Our terms change on ${day}: order ${orderReference(order.id)}`,
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
    linkUrl: publicUrl + CONTENT_PATHS.termsOfService,
  };
}

function priceTexts(
  order: SubscribedOrder,
  { from, to, effectiveAt }: EventOf<'price-announced'>['notice'],
  { company }: MessageContext,
): MailTexts {
  const [before, after] = [totalOf(from), totalOf(to)];
  const day = formatDay(company, effectiveAt);
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
