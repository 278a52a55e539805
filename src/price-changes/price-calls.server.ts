/** Staff compare what customers pay with the catalogue, give notice, and take it back. */
import { type Notice, readNotices } from '../billing/notice-store.server.ts';
import { orderReference } from '../billing/reference.ts';
import { daysToCome } from '../catalogue/catalogue-content.server.ts';
import { inDollars } from '../catalogue/pricing.ts';
import { findDeliveries } from '../notifications/outbox-store.server.ts';
import type { Db, Row } from '../platform/database/tables.server.ts';
import { refuse } from '../platform/http/answer.server.ts';
import { type Call, call } from '../platform/http/call.server.ts';
import { isoTime, isoTimeOrNull } from '../platform/time.ts';
import type { Site } from '../site.server.ts';
import { accountNames } from '../staff/account-store.server.ts';
import { recordAudit } from '../staff/audit-store.server.ts';
import { type Compared, comparePrices } from './compare-prices.server.ts';
import { PRICE_NOTIFICATIONS, termsAnnounced } from './deliver-notice.server.ts';
import { giveNotice, SKIPS, type Skip, toAnnounce } from './give-notice.server.ts';
import { noticeEmail } from './notice-mails.server.ts';
import { GIVE_NOTICE, LIST_PRICES, PREVIEW_NOTICE, type PriceRowJson } from './price-change-api.ts';

const NO_MAIL = 'Email is not set up, so no customer can be given notice.';
const OTHER_PRICES = 'The prices have changed. Please look at them again.';
const TOO_LATE = 'It is being applied. Give notice of another price instead.';

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
      const notice = toAnnounce(row, kind);
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
        const outcome = await db.transaction().execute(async (trx) => {
          const asked = { kind, id, day, after, byHand, by: staff };
          const why = await giveNotice({ ...context, db: trx }, asked);
          if (why) return { why };
          const detail = [...done, reference].join(', ');
          return { line: await recordAudit(trx, { ...audit, detail }, line) };
        });
        if (outcome.why) skipped.push([reference, outcome.why]);
        else done.push(reference);
        line ??= outcome.line;
      }
      if (done.length === 0 && skipped.every(([, why]) => why === 'too-late'))
        return refuse(409, TOO_LATE);
      const leftOut = skipped.map(([reference, why]) => `${reference} ${SKIPS[why]}`);
      return { done: done.length, skipped: leftOut };
    }),
  ];
}

/** With the newest notice of each kind to each order, and its email. */
async function rowsJson(db: Db, rows: readonly Compared[]): Promise<PriceRowJson[]> {
  const ids = rows.map(({ order }) => order.id);
  const notices = Map.groupBy(await readNotices(db, ids), ({ orderId }) => orderId);
  const sent = await findDeliveries(db, PRICE_NOTIFICATIONS, ids);
  sent.sort((one, other) => other.id - one.id);
  const mails = Map.groupBy(sent, ({ subjectId }) => subjectId);
  const givers = [...notices.values()].flat().map(({ accountId }) => accountId);
  const names = await accountNames(db, givers);
  const newestNotice = (orderId: number, kind: Notice['kind']) => {
    const notice = notices.get(orderId)?.findLast((one) => one.kind === kind);
    if (!notice) return null;
    const isOfKind = (mail: Row<'outbox'>) =>
      (mail.kind === termsAnnounced.kind) === (kind === 'terms');
    // One that was delivered by hand has none.
    const mail = mails.get(orderId)?.find(isOfKind);
    const { state, reason, at, effectiveAt, from, to, accountId } = notice;
    return {
      ...{ state, reason, at: isoTime(at), effectiveAt: isoTime(effectiveAt) },
      ...{ before: inDollars(from), after: inDollars(to) },
      mail: mail && mail.createdAt >= at ? mail.state : null,
      by: names.name(accountId) ?? '',
    };
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
