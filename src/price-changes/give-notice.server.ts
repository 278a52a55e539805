/** Gives an order's customer notice of a new price or of new terms, and takes a price back. */
import { staffActor } from '../billing/cause.server.ts';
import { monthlyOf } from '../billing/event-facts.server.ts';
import { comesAt, isOpen, mayBeThere } from '../billing/notice.ts';
import {
  findNotice,
  insertNotice,
  type Notice,
  updateNotice,
} from '../billing/notice-store.server.ts';
import { insertEvent } from '../billing/order-event-store.server.ts';
import { isBillable } from '../billing/order-status.ts';
import { findOrder, lockOrder } from '../billing/order-store.server.ts';
import { localDate } from '../company/days.ts';
import type { InTransaction } from '../notifications/notification.server.ts';
import { deleteWaiting } from '../notifications/outbox-store.server.ts';
import { isErased } from '../orders/order.ts';
import type { Db } from '../platform/database/tables.server.ts';
import type { Staff } from '../platform/http/call.server.ts';
import { type Cents, totalOf } from '../platform/money.ts';
import type { Site } from '../site.server.ts';
import { type Compared, comparePrices } from './compare-prices.server.ts';
import { priceAnnounced, priceWithdrawn, termsAnnounced } from './deliver-notice.server.ts';
import { earliestCharge } from './first-charge.server.ts';
import type { NoticeKind } from './price-change-api.ts';

/** Why nothing was done for an order, after its number. */
export const SKIPS = {
  missing: 'does not exist',
  'not-running': 'is not running',
  erased: 'has no email address',
  applying: 'gets another price right now, which must be charged first',
  announced: 'has been given notice already',
  same: 'pays this price already',
  unpaid: 'has not paid yet',
  changed: 'has changed since you opened this page',
  ending: 'ends before the first charge',
  'no-notice': 'has no notice to take back',
  'too-late': 'is about to pay the new price, which must be charged before another notice',
};
export type Skip = keyof typeof SKIPS;

interface Asked {
  kind: NoticeKind;
  id: number;
  day: string;
  /** The new price that staff were shown. */
  after: Cents;
  /** Staff have delivered the notice: no email is sent. */
  byHand: boolean;
  by: Staff;
}

type TrxSite = Site & InTransaction;

/** Undefined when it was done. */
export async function giveNotice(context: TrxSite, asked: Asked): Promise<Skip | undefined> {
  if (!(await findOrder(context.db, asked.id))) return 'missing';
  return asked.kind === 'take-back'
    ? takeBack(context, asked)
    : announce(context, asked.kind, asked);
}

const ANNOUNCED = {
  price: { notification: priceAnnounced, whyNot: whyNoPrice },
  terms: { notification: termsAnnounced, whyNot: whyNoTerms },
};

async function announce(
  context: TrxSite,
  kind: Notice['kind'],
  asked: Asked,
): Promise<Skip | undefined> {
  const { db: trx, notify } = context;
  const { id: orderId, day, byHand, by } = asked;
  const { notification, whyNot } = ANNOUNCED[kind];
  await lockOrder(trx, orderId);
  const [row] = await comparePrices(context, day, orderId);
  if (!row) return 'not-running';
  if (isErased(row.order) && !byHand) return 'erased';
  const skip = await whyNot(trx, row, asked);
  if (skip) return skip;
  const at = Date.now();
  const notice = toAnnounce(row, kind);
  const own = { orderId, kind, at, deliveredAt: byHand ? at : null, accountId: by.accountId };
  const id = await insertNotice(trx, { ...notice, ...own });
  const event = { kind: `${kind}-announced` as const, notice: { id, ...notice, byHand } };
  const eventId = await insertEvent(trx, orderId, event, { actor: staffActor({ staff: by }) });
  if (!byHand) await notify(trx, notification, orderId, eventId);
  return undefined;
}

export function toAnnounce(
  { before, after, firstChargeAt }: Compared,
  kind: Notice['kind'],
): Pick<Notice, 'effectiveAt' | 'from' | 'to'> {
  const inTime = earliestCharge(Date.now(), 0, true);
  return kind === 'price'
    ? { effectiveAt: firstChargeAt ?? inTime, from: before, to: after }
    : { effectiveAt: inTime, from: [], to: [] };
}

async function whyNoPrice(
  trx: Db,
  { order, after, firstChargeAt }: Compared,
  { after: shown }: Asked,
): Promise<Skip | undefined> {
  const earlier = await findNotice(trx, order.id);
  if (earlier?.state === 'applying' || earlier?.state === 'announced') return earlier.state;
  if (firstChargeAt === null) return order.subscription.cancelAt === null ? 'same' : 'ending';
  // Whose customer cannot end the plan yet.
  if (!isBillable(order)) return 'unpaid';
  return totalOf(after) === shown ? undefined : 'changed';
}

/** A press that is repeated sends no second email. */
async function whyNoTerms(trx: Db, { order }: Compared): Promise<Skip | undefined> {
  const sent = await findNotice(trx, order.id, 'terms');
  const isToCome = sent && isOpen(sent) && sent.effectiveAt > Date.now();
  return isToCome ? 'announced' : undefined;
}

/** The customer reads of it if the first email may have left. */
async function takeBack(
  { db: trx, notify, company, today }: TrxSite,
  { id: orderId, by }: Asked,
): Promise<Skip | undefined> {
  const order = await lockOrder(trx, orderId);
  const notice = await findNotice(trx, orderId);
  if (!notice || !isOpen(notice)) return 'no-notice';
  const comes = comesAt(notice);
  const isDue = comes !== undefined && localDate(company, comes) <= today();
  // While billing is paused there may be no renewal for long.
  const isPaused = order.subscription.status === 'paused';
  if (mayBeThere(notice) || (isDue && !isPaused)) return 'too-late';
  await updateNotice(trx, notice, { state: 'withdrawn', reason: 'taken-back' });
  const event = { kind: 'price-withdrawn', monthly: monthlyOf(order) } as const;
  const eventId = await insertEvent(trx, orderId, event, { actor: staffActor({ staff: by }) });
  const mayHaveLeft = await deleteWaiting(trx, priceAnnounced, orderId);
  if (mayHaveLeft || notice.deliveredAt !== null)
    await notify(trx, priceWithdrawn, orderId, eventId);
  return undefined;
}
