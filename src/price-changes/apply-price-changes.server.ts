/**
 * Has the payment provider charge the new prices that customers were given notice of. Each step can
 * be repeated: that the provider may have them is saved before it is asked.
 */
import { setTimeout } from 'node:timers/promises';
import { bySite } from '../billing/cause.server.ts';
import { whileClaimed } from '../billing/claim-order.server.ts';
import type { OtherRenewal } from '../billing/gateway.server.ts';
import { insertEvent, readEvents, recordEvent } from '../billing/order-event-store.server.ts';
import { alertStaff, getOrder, lockOrder } from '../billing/order-store.server.ts';
import type { Refused } from '../billing/outcome.server.ts';
import { isOpen } from '../billing/price-change.ts';
import {
  APPLY_MS,
  findPriceChangesToApply,
  type PriceChange,
  readNotices,
  updatePriceChange,
} from '../billing/price-change-store.server.ts';
import type { OrderContext } from '../billing/refresh-order.server.ts';
import { pricesOf } from '../billing/settle-price-change.server.ts';
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
  if (!gateway.setPrices) return;
  for (const { id, orderId } of await findPriceChangesToApply(db, gateway, Date.now())) {
    if (isStopped()) return;
    await logFailure('price-change-failed', { orderId }, () =>
      withDeadline(VISITOR_WAITS_MS, () => apply(context, id)),
    );
    await setTimeout(PRICE_CHANGE_PAUSE_MS, undefined, { ref: false });
  }
}

/** Has the provider charge the prices that the change now calls for. */
async function apply(context: OrderContext, id: number): Promise<void> {
  const { db, gateway } = context;
  // Another instance may have been here.
  const [change] = await findPriceChangesToApply(db, gateway, Date.now(), id);
  if (!change) return;
  const order = await getOrder(db, { id: change.orderId });
  await whileClaimed(db, order, async (claimed) => {
    const { effectiveAt } = change;
    // An earlier try whose renewal has moved may have left the new prices there.
    const which = isOpen(change) && effectiveAt <= Date.now() + APPLY_MS ? 'new' : 'old';
    const begun = isOpen(change) ? ({ state: 'applying' } as const) : {};
    if (!(await updateUnlessChanged(db, change, begun))) return;
    const { from, to } = pricesOf(change);
    const outcome = await gateway.setPrices?.(claimed, which === 'new' ? to : from, {
      from: which === 'new' ? effectiveAt : null,
      key: `prices-${id}-${which}-${effectiveAt}`,
    });
    if (outcome && outcome !== 'unavailable')
      await storeOutcome(context, { ...change, ...begun }, which, outcome);
  });
}

/** Returns false, and changes nothing, if the notice was taken back or moved meanwhile. */
function updateUnlessChanged(
  db: Db,
  change: PriceChange,
  to: Partial<PriceChange>,
  alongside?: (trx: Trx) => Promise<void>,
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    await lockOrder(trx, change.orderId);
    const now = (await readNotices(trx, [change.orderId])).find(({ id }) => id === change.id);
    if (now?.state !== change.state || now.effectiveAt !== change.effectiveAt) return false;
    await updatePriceChange(trx, change, to);
    await alongside?.(trx);
    return true;
  });
}

async function storeOutcome(
  context: OrderContext,
  change: PriceChange,
  which: 'new' | 'old',
  outcome: 'done' | Refused | OtherRenewal,
): Promise<void> {
  const { db } = context;
  const { id, orderId, effectiveAt } = change;
  if (outcome === 'done') {
    await updateUnlessChanged(db, change, setUp(change, which), async (trx) => {
      await insertEvent(trx, orderId, { kind: 'price-set-up', which, effectiveAt }, bySite());
      if (!isOpen(change)) await tellTakenBack({ ...context, db: trx }, orderId);
    });
  } else if ('refused' in outcome) {
    const { refused: reason } = outcome;
    const notice = { id, effectiveAt };
    await alertStaff(context, orderId, { kind: 'price-not-set-up', which, reason, notice });
  } else {
    // The renewal is over, at the new prices or at the old ones, or has been moved.
    const { renewsAt, billed } = outcome;
    const to = billed?.isNew ? setUp(change, 'new') : { effectiveAt: renewsAt };
    await updateUnlessChanged(db, change, to, async (trx) => {
      if (!billed || billed.isNew) return;
      const { invoice, amount } = billed;
      const event = { kind: 'old-price-charged', invoice, amount } as const;
      const order = await getOrder(trx, { id: orderId });
      await recordEvent({ ...context, db: trx }, order, { event }, bySite());
    });
  }
}

/** What the provider having these prices makes of the change. */
function setUp(change: PriceChange, which: 'new' | 'old'): Partial<PriceChange> {
  if (which === 'new') return { setUpAt: Date.now() };
  return isOpen(change) ? { state: 'announced' } : { state: 'withdrawn', reason: 'taken-back' };
}

/** Taken back under release 1.0, which notified nobody until the provider had the old prices. */
async function tellTakenBack({ db, notify }: OrderContext, orderId: number): Promise<void> {
  const events = await readEvents(db, orderId);
  const taken = events.findLast(({ event }) => event.kind === 'price-withdrawn');
  await notify(db, priceWithdrawn, orderId, taken?.id);
}
