/** Delivers notices: the email says what holds as it leaves, and what becomes of it is stored. */
import type { Order } from '../billing/billed-order.server.ts';
import { bySite } from '../billing/cause.server.ts';
import { billedMonths } from '../billing/invoice-store.server.ts';
import { findNotice, type Notice, updateNotice } from '../billing/notice-store.server.ts';
import type { EventOf, OrderEvent } from '../billing/order-event.server.ts';
import { findEvent, insertEvent, recordEvent } from '../billing/order-event-store.server.ts';
import { isOver } from '../billing/order-status.ts';
import { findOrder, lockOrder } from '../billing/order-store.server.ts';
import { orderReference } from '../billing/reference.ts';
import { fullLines } from '../billing/subscription-store.server.ts';
import { isHigher, repriced } from '../catalogue/pricing.ts';
import type { NotificationKind } from '../notifications/notification.server.ts';
import type { Db } from '../platform/database/tables.server.ts';
import { totalOf } from '../platform/money.ts';
import { earliestCharge, firstRenewal, isEarlyEnough } from './first-charge.server.ts';
import { type NoticeGiven, noticeEmail } from './notice-mails.server.ts';

type NoticeEvent = NoticeGiven | EventOf<'price-withdrawn'>;

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
      return order && event && { order, event };
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
      const notice = await asRead(context.db, order.id, event);
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
function asRead(db: Db, orderId: number, event: NoticeGiven): Promise<Notice | undefined> {
  return db.transaction().execute(async (trx) => {
    const order = await lockOrder(trx, orderId);
    const notice = await findAnnounced(trx, orderId, event);
    if (!notice || notice.deliveredAt !== null) return notice;
    const from = fullLines(order);
    const isPrice = notice.kind === 'price' && from.length > 0;
    const read = { ...notice, ...(isPrice && { from, to: repriced(from, notice.to) }) };
    const effectiveAt = await dayIfRead(trx, read);
    const { id } = notice;
    const says = { effectiveAt, from: read.from, to: read.to };
    await updateNotice(trx, notice, says);
    if (effectiveAt !== notice.effectiveAt || isOtherSum(says, notice))
      await insertEvent(trx, orderId, { kind: 'notice-moved', notice: { id, ...says } }, bySite());
    return { ...notice, ...says };
  });
}

function isOtherSum(one: Pick<Notice, 'from' | 'to'>, other: Pick<Notice, 'from' | 'to'>): boolean {
  return totalOf(one.from) !== totalOf(other.from) || totalOf(one.to) !== totalOf(other.to);
}

/** The day of a notice if the customer reads it now: until it is delivered, it moves. */
async function dayIfRead(trx: Db, notice: Notice): Promise<number> {
  const { orderId, kind, from, to, effectiveAt } = notice;
  const now = Date.now();
  const raised = kind === 'terms' || isHigher(from, to);
  if (isEarlyEnough(effectiveAt, now, raised)) return effectiveAt;
  const earliest = earliestCharge(now, 0, raised);
  if (kind === 'terms') return earliest;
  const notBilled = { anchor: effectiveAt, until: effectiveAt };
  return firstRenewal((await billedMonths(trx, [orderId])).get(orderId) ?? notBilled, earliest);
}

async function findNoticeEvent(db: Db, eventId: number | null): Promise<NoticeEvent | undefined> {
  const event = eventId === null ? undefined : (await findEvent(db, eventId))?.event;
  return event && isOfNotice(event) ? event : undefined;
}

function isOfNotice(event: OrderEvent): event is NoticeEvent {
  return PRICE_NOTIFICATIONS.some(({ kind }) => kind === event.kind);
}
