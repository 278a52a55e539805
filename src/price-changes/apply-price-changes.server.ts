/**
 * Has the payment provider charge the new prices that customers were given notice of. Each step can
 * be repeated: that the provider may have them is saved before it is asked.
 */
import { setTimeout } from 'node:timers/promises';
import { bySite } from '../billing/cause.server.ts';
import { whileClaimed } from '../billing/claim-order.server.ts';
import type { Gateway, OtherRenewal, Unchanged } from '../billing/gateway.server.ts';
import { isOpen } from '../billing/notice.ts';
import {
  findNoticesToApply,
  type Notice,
  readNotices,
  SET_PRICES_BEFORE_MS,
  updateNotice,
} from '../billing/notice-store.server.ts';
import { insertEvent, readEvents, recordEvent } from '../billing/order-event-store.server.ts';
import { getOrder, lockOrder } from '../billing/order-store.server.ts';
import type { Refused } from '../billing/outcome.server.ts';
import type { OrderContext } from '../billing/refresh-order.server.ts';
import { hasNewPrice } from '../billing/settle-notice.server.ts';
import { PRICE_CHANGE_PAUSE_MS, VISITOR_WAITS_MS } from '../limits.ts';
import type { Db, Trx } from '../platform/database/tables.server.ts';
import { withDeadline } from '../platform/deadline.server.ts';
import { logFailure } from '../platform/interval.server.ts';
import { priceWithdrawn } from './price-change-mails.server.ts';

export async function applyPriceChanges(
  context: OrderContext,
  isStopped: () => boolean,
): Promise<void> {
  const { db, gateway } = context;
  const { setPrices } = gateway;
  if (!setPrices) return;
  for (const { id, orderId } of await findNoticesToApply(db, gateway, Date.now())) {
    if (isStopped()) return;
    await logFailure('price-change-failed', { orderId }, () =>
      withDeadline(VISITOR_WAITS_MS, () => apply(context, setPrices, id)),
    );
    await setTimeout(PRICE_CHANGE_PAUSE_MS, undefined, { ref: false });
  }
}

/** Has the provider charge the prices that the notice now calls for. */
async function apply(
  context: OrderContext,
  setPrices: NonNullable<Gateway['setPrices']>,
  id: number,
): Promise<void> {
  const { db, gateway } = context;
  // Another instance may have been here.
  const [notice] = await findNoticesToApply(db, gateway, Date.now(), id);
  if (!notice) return;
  const order = await getOrder(db, { id: notice.orderId });
  await whileClaimed(db, order, async (claimed) => {
    const { effectiveAt } = notice;
    // An earlier try whose renewal has moved may have left the new prices there.
    const which =
      isOpen(notice) && effectiveAt <= Date.now() + SET_PRICES_BEFORE_MS ? 'new' : 'old';
    const applying = isOpen(notice) ? ({ state: 'applying' } as const) : {};
    if (!(await updateUnlessChanged(db, notice, applying))) return;
    const outcome = await setPrices(claimed, which === 'new' ? notice.to : notice.from, {
      renewal: which === 'new' ? effectiveAt : null,
      key: `prices-${id}-${which}-${effectiveAt}`,
    });
    if (outcome !== 'unavailable')
      await storeOutcome(context, { ...notice, ...applying }, which, outcome);
  });
}

/** Returns false, and changes nothing, if the notice was taken back or moved meanwhile. */
function updateUnlessChanged(
  db: Db,
  notice: Notice,
  to: Partial<Notice>,
  alongside?: (trx: Trx) => Promise<void>,
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    await lockOrder(trx, notice.orderId);
    const now = (await readNotices(trx, [notice.orderId])).find(({ id }) => id === notice.id);
    if (now?.state !== notice.state || now.effectiveAt !== notice.effectiveAt) return false;
    await updateNotice(trx, notice, to);
    await alongside?.(trx);
    return true;
  });
}

async function storeOutcome(
  context: OrderContext,
  notice: Notice,
  which: 'new' | 'old',
  outcome: 'done' | Refused | Unchanged | OtherRenewal,
): Promise<void> {
  const { db } = context;
  const { id, orderId, effectiveAt } = notice;
  if (outcome === 'done') {
    await updateUnlessChanged(db, notice, setUp(notice, which), async (trx) => {
      await insertEvent(trx, orderId, { kind: 'price-set-up', which, effectiveAt }, bySite());
      if (isOpen(notice)) return;
      // Taken back under release 1.0, which notified nobody until the provider had the old prices.
      const events = await readEvents(trx, orderId);
      const taken = events.findLast(({ event }) => event.kind === 'price-withdrawn');
      await context.notify(trx, priceWithdrawn, orderId, taken?.id);
    });
  } else if ('refused' in outcome) {
    const about = { reason: outcome.refused, notice: { id, effectiveAt } };
    const event = { kind: 'price-not-set-up', which, ...about } as const;
    const hasNone = 'lines' in outcome && !hasNewPrice(notice, outcome.lines);
    // It can be taken back again, and is tried again.
    const to = isOpen(notice) && hasNone ? ({ state: 'announced' } as const) : {};
    await updateUnlessChanged(db, notice, to, async (trx) => {
      const order = await getOrder(trx, { id: orderId });
      await recordEvent({ ...context, db: trx }, order, { event }, bySite());
    });
  } else {
    // The renewal is over, at the new prices or at the old ones, or has been moved.
    const { renewsAt, billed } = outcome;
    const to = billed?.atNewPrices ? setUp(notice, 'new') : { effectiveAt: renewsAt };
    await updateUnlessChanged(db, notice, to, async (trx) => {
      if (!billed || billed.atNewPrices) return;
      const { invoice, amount } = billed;
      const event = { kind: 'old-price-charged', invoice, amount } as const;
      const order = await getOrder(trx, { id: orderId });
      await recordEvent({ ...context, db: trx }, order, { event }, bySite());
    });
  }
}

/** What the provider having these prices makes of the notice. */
function setUp(notice: Notice, which: 'new' | 'old'): Partial<Notice> {
  if (which === 'new') return { setUpAt: Date.now() };
  return isOpen(notice) ? { state: 'announced' } : { state: 'withdrawn', reason: 'taken-back' };
}
