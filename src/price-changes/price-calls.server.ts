/** Staff compare what customers pay with the catalogue, give notice, and take it back. */

import { staffActor } from '../billing/cause.server.ts';
import { monthlyOf } from '../billing/event-facts.server.ts';
import { comesAt, isOpen, mayBeThere } from '../billing/notice.ts';
import {
  findNotice,
  insertNotice,
  type Notice,
  readNotices,
  updateNotice,
} from '../billing/notice-store.server.ts';
import { insertEvent } from '../billing/order-event-store.server.ts';
import { isBillable } from '../billing/order-status.ts';
import { findOrder, lockOrder } from '../billing/order-store.server.ts';
import { orderReference } from '../billing/reference.ts';
import { daysToCome } from '../catalogue/catalogue-content.server.ts';
import { inDollars, linesInDollars, parseLines, repriced } from '../catalogue/pricing.ts';
import { localDate } from '../company/days.ts';
import type { InTransaction } from '../notifications/notification.server.ts';
import { deleteWaiting, findDeliveries } from '../notifications/outbox-store.server.ts';
import { isErased } from '../orders/order.ts';
import type { Db, Row } from '../platform/database/tables.server.ts';
import { refuse } from '../platform/http/answer.server.ts';
import { type Call, call, type Staff } from '../platform/http/call.server.ts';
import { type Cents, totalOf } from '../platform/money.ts';
import { isoTime, isoTimeOrNull } from '../platform/time.ts';
import type { Site } from '../site.server.ts';
import { accountNames } from '../staff/account-store.server.ts';
import { recordAudit } from '../staff/audit-store.server.ts';
import { type Compared, comparePrices } from './compare-prices.server.ts';
import { NOTICE_MS } from './first-charge.server.ts';
import { GIVE_NOTICE, LIST_PRICES, PREVIEW_NOTICE, type PriceRowJson } from './price-change-api.ts';
import {
  noticeEmail,
  PRICE_NOTIFICATIONS,
  priceAnnounced,
  priceWithdrawn,
  termsAnnounced,
} from './price-change-mails.server.ts';

const NO_MAIL = 'Email is not set up, so no customer can be given notice.';
const OTHER_PRICES = 'The prices have changed. Please look at them again.';
const TOO_LATE = 'It is being applied. Give notice of another price instead.';

/** Why nothing was done for an order, after its number. */
const SKIPS = {
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
type Skip = keyof typeof SKIPS;

export function priceCalls(context: Site): Call[] {
  const { db, mail, today } = context;
  const days = () => daysToCome(context.content.plans, context.content.addOns, today());
  const isKnown = (day: string) => day === today() || days().includes(day);
  return [
    call(LIST_PRICES, 'staff', async ({ query }) => {
      const asked = query.get('day') ?? '';
      const day = isKnown(asked) ? asked : (days()[0] ?? today());
      const rows = await rowsJson(db, await comparePrices(context, day));
      return { day, today: today(), days: days(), rows };
    }),
    call(PREVIEW_NOTICE, 'staff', async ({ body: { kind, day, order } }) => {
      const [row] = isKnown(day) ? await comparePrices(context, day, order) : [];
      if (!row) return refuse(409, OTHER_PRICES);
      const notice = { id: 0, ...toAnnounce(row, kind) };
      const email = await noticeEmail(row.order, { kind: `${kind}-announced`, notice }, context);
      if (!email) return refuse(409, 'This customer gets no email');
      // The mail library is loaded only where it is needed.
      const { customerEmailText } = await import('../notifications/mail.server.ts');
      return { to: email.to, subject: email.subject, text: customerEmailText(email, context) };
    }),
    call(GIVE_NOTICE, 'staff', async ({ body: { kind, day, orders, byHand }, staff, address }) => {
      if (kind !== 'take-back' && !mail && !byHand) return refuse(409, NO_MAIL);
      if (kind !== 'take-back' && !isKnown(day)) return refuse(409, OTHER_PRICES);
      const done: string[] = [];
      const skipped: [reference: string, why: Skip][] = [];
      const audit = { kind: `notice-${kind}` as const, by: staff, address };
      let line: number | undefined;
      for (const { id, after } of orders) {
        const reference = orderReference(id);
        // Each in a transaction of its own: a press that was cut off can be repeated.
        await db.transaction().execute(async (trx) => {
          const asked = { id, day, after, byHand, by: staff };
          const site = { ...context, db: trx };
          const act = () =>
            kind === 'take-back' ? takeBack(site, asked) : announce(site, kind, asked);
          const skip = (await findOrder(trx, id)) ? await act() : 'missing';
          if (skip) {
            skipped.push([reference, skip]);
            return;
          }
          done.push(reference);
          line = await recordAudit(trx, { ...audit, detail: done.join(', ') }, line);
        });
      }
      if (done.length === 0 && skipped.every(([, why]) => why === 'too-late'))
        return refuse(409, TOO_LATE);
      const leftOut = skipped.map(([reference, why]) => `${reference} ${SKIPS[why]}`);
      return { done: done.length, skipped: leftOut };
    }),
  ];
}

interface Asked {
  id: number;
  day: string;
  /** The new price that staff were shown. */
  after: Cents;
  /** Staff have delivered the notice: no email is sent. */
  byHand: boolean;
  by: Staff;
}

type TrxSite = Site & InTransaction;

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
  const notice = toAnnounce(row, kind);
  const at = Date.now();
  const id = await insertNotice(trx, {
    orderId,
    kind,
    fromLines: JSON.stringify(kind === 'price' ? row.before : []),
    toLines: JSON.stringify(kind === 'price' ? row.after : []),
    effectiveAt: notice.effectiveAt,
    at,
    deliveredAt: byHand ? at : null,
    accountId: by.accountId,
  });
  const event = { kind: `${kind}-announced` as const, notice: { id, ...notice, byHand } };
  const eventId = await insertEvent(trx, orderId, event, { actor: staffActor({ staff: by }) });
  if (!byHand) await notify(trx, notification, orderId, eventId);
  return undefined;
}

/** As the customer reads it: with all that is charged, but for discounts, which still apply. */
function toAnnounce({ order, after, firstChargeAt }: Compared, kind: Notice['kind']) {
  const isPrice = kind === 'price';
  const from = isPrice
    ? parseLines(order.subscription.priceLines).filter(({ amount }) => amount >= 0)
    : [];
  const effectiveAt = (isPrice ? firstChargeAt : null) ?? Date.now() + NOTICE_MS;
  return { effectiveAt, from, to: repriced(from, after) };
}

async function whyNoPrice(
  trx: Db,
  row: Compared,
  { after: shown }: Asked,
): Promise<Skip | undefined> {
  const { order, after, firstChargeAt } = row;
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

/** With the newest notice of each kind to each order, and its email. */
async function rowsJson(db: Db, rows: readonly Compared[]): Promise<PriceRowJson[]> {
  const ids = rows.map(({ order }) => order.id);
  const notices = Map.groupBy(await readNotices(db, ids), ({ orderId }) => orderId);
  const sent = await findDeliveries(db, PRICE_NOTIFICATIONS, ids);
  sent.sort((one, other) => other.id - one.id);
  const mails = Map.groupBy(sent, ({ subjectId }) => subjectId);
  const names = await accountNames(
    db,
    [...notices.values()].flat().map(({ accountId }) => accountId),
  );
  const newestNotice = (orderId: number, kind: Notice['kind']) => {
    const notice = notices.get(orderId)?.findLast((one) => one.kind === kind);
    if (!notice) return null;
    const isOfKind = (mail: Row<'outbox'>) =>
      (mail.kind === termsAnnounced.kind) === (kind === 'terms');
    // One that was delivered by hand has none.
    const mail = mails.get(orderId)?.find(isOfKind);
    const own = mail && mail.createdAt >= notice.at ? mail.state : null;
    return { ...noticeJson(notice), mail: own, by: names.name(notice.accountId) ?? '' };
  };
  return rows.map(({ order, before, after, firstChargeAt }) => ({
    orderId: order.id,
    reference: orderReference(order.id),
    name: order.name,
    company: order.company,
    planName: order.planName,
    before: inDollars(before),
    after: inDollars(after),
    firstChargeAt: isoTimeOrNull(firstChargeAt),
    price: newestNotice(order.id, 'price'),
    terms: newestNotice(order.id, 'terms'),
  }));
}

function noticeJson({ state, reason, at, effectiveAt, fromLines, toLines }: Notice) {
  return {
    state,
    reason,
    at: isoTime(at),
    effectiveAt: isoTime(effectiveAt),
    before: linesInDollars(fromLines),
    after: linesInDollars(toLines),
  };
}
