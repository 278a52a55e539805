/**
 * Has the payment provider charge the new prices that customers were given notice of, and the old
 * ones again after a notice was taken back. Each step can be repeated: that the provider may have
 * the new prices is saved before it is asked, and stays until it has shown which ones it has.
 */

import { setTimeout } from 'node:timers/promises';
import { bySite } from '../billing/cause.server.ts';
import { whileClaimed } from '../billing/claim-order.server.ts';
import type { OrderContext } from '../billing/follow-payment.server.ts';
import type { OtherRenewal, Outcome } from '../billing/gateway.server.ts';
import type { OrderEvent } from '../billing/order-event.server.ts';
import { insertEvent, readEvents, recordEvent } from '../billing/order-event-store.server.ts';
import { alertStaff, getOrder, lockOrder, type Order } from '../billing/order-store.server.ts';
import {
  APPLY_MS,
  findPriceChangesToApply,
  moveState,
  type PriceChange,
  pricesOf,
} from '../billing/price-change-store.server.ts';
import { VISITOR_WAITS_MS } from '../limits.ts';
import { withDeadline } from '../platform/deadline.server.ts';
import { Interval, logFailure } from '../platform/interval.server.ts';
import { HOUR_MS } from '../platform/time.ts';
import { priceWithdrawn } from './price-change-mails.server.ts';

const EVERY_MS = 60 * 1000;
/** A change takes up to four calls, of which a provider gets ten a second. */
const CHANGE_EVERY_MS = 400;
/** How many orders are changed at once, so that slow answers do not slow all down. */
const AT_ONCE = 3;
/** After this many failures in a row the provider counts as away until the next run. */
const MAX_FAILURES = 3;
/** How long before a charge staff are alerted that it would be at a price that was taken back. */
const ALERT_MS = 2 * HOUR_MS;
const NO_ANSWER = 'there is no answer yet';

export function priceChangeInterval(context: OrderContext): Interval {
  return new Interval('price-changes-failed', EVERY_MS, (isStopped) =>
    applyPriceChanges(context, isStopped),
  );
}

export async function applyPriceChanges(
  context: OrderContext,
  isStopped: () => boolean,
  everyMs = CHANGE_EVERY_MS,
): Promise<void> {
  const { db, gateway } = context;
  if (!gateway.setPrices) return;
  const found = await findPriceChangesToApply(db, gateway, Date.now());
  // From anywhere: some that fail each time must not keep out those behind them.
  const start = Math.floor(Math.random() * found.length);
  const waiting = [...found.slice(start), ...found.slice(0, start)];
  const pace = pacer(everyMs);
  let failures = 0;
  async function work(): Promise<void> {
    for (;;) {
      const next = isStopped() || failures >= MAX_FAILURES ? undefined : waiting.shift();
      if (!next) return;
      await pace();
      const outcome = await logFailure('price-change-failed', { orderId: next.orderId }, () =>
        withDeadline(VISITOR_WAITS_MS, () => bring(context, next.id)),
      );
      failures = outcome === 'unavailable' ? failures + 1 : 0;
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  for (const change of await findPriceChangesToApply(db, gateway, Date.now()))
    if (change.state === 'restoring' && change.effectiveAt <= Date.now() + ALERT_MS)
      await alertStaff(context, change.orderId, notSetUp(change, 'old', NO_ANSWER));
}

function notSetUp({ id, effectiveAt }: PriceChange, which: 'old' | 'new', reason: string) {
  const notice = { id, effectiveAt };
  return { kind: 'price-not-set-up' as const, which, reason, notice };
}

/** Resolves for one caller after another, so many milliseconds apart. */
function pacer(everyMs: number): () => Promise<void> {
  let last = Number.NEGATIVE_INFINITY;
  return async () => {
    const now = performance.now();
    last = Math.max(now, last + everyMs);
    await setTimeout(last - now, undefined, { ref: false });
  };
}

/** Brings the provider to the prices that the change now calls for. */
async function bring(context: OrderContext, id: number): Promise<unknown> {
  const { db, gateway } = context;
  // Another instance may have been here, and staff may have taken the notice back since.
  const [found] = await findPriceChangesToApply(db, gateway, Date.now(), id);
  if (!found) return 'done';
  const order = await getOrder(db, { id: found.orderId });
  return whileClaimed(
    db,
    order,
    () => ({ refused: '' }),
    async (claimed) => {
      // An earlier try whose renewal has moved may have left the new prices there.
      const isEarly = found.effectiveAt > Date.now() + APPLY_MS;
      const isNew = found.state !== 'restoring' && !isEarly;
      const change: PriceChange =
        found.state === 'announced' ? { ...found, state: 'applying' } : found;
      // Under the lock, so that a notice that is taken back right now is not overtaken.
      const isMoved = await db.transaction().execute(async (trx) => {
        await lockOrder(trx, order.id);
        return moveState(trx, found, { state: change.state });
      });
      if (!isMoved) return 'done';
      const { from, to } = pricesOf(change);
      const outcome = await gateway.setPrices?.(claimed, isNew ? to : from, {
        from: isNew ? change.effectiveAt : null,
        key: `prices-${id}-${isNew ? 'new' : 'old'}-${change.effectiveAt}`,
      });
      return outcome === undefined ? 'done' : follow(context, claimed, change, isNew, outcome);
    },
  );
}

async function follow(
  context: OrderContext,
  order: Order,
  change: PriceChange,
  isNew: boolean,
  outcome: Outcome | OtherRenewal,
) {
  if (outcome === 'unavailable') return outcome;
  const which = isNew ? ('new' as const) : ('old' as const);
  if (typeof outcome === 'object' && 'refused' in outcome) {
    const { refused: reason } = outcome;
    await alertStaff(context, order.id, notSetUp(change, which, reason));
    return 'done';
  }
  await context.db.transaction().execute(async (trx) => {
    await lockOrder(trx, order.id);
    const to = outcome === 'done' ? { state: stateAt(change, isNew) } : stateAfter(outcome);
    // Taken back meanwhile: the next run restores the old prices.
    if (!(await moveState(trx, change, to))) return;
    const { effectiveAt } = change;
    if (outcome === 'done' && to.state !== 'announced')
      await insertEvent(trx, order.id, { kind: 'price-set-up', which, effectiveAt }, bySite());
    if (to.state === 'withdrawn') {
      const taken = (await readEvents(trx, order.id)).findLast(
        ({ event }) => event.kind === 'price-withdrawn',
      );
      await context.notify(trx, priceWithdrawn, order.id, undefined, taken?.id);
    }
    if (typeof outcome === 'object' && outcome.billed && !outcome.billed.isNew) {
      const { invoice, amount } = outcome.billed;
      const event: OrderEvent = { kind: 'old-price-charged', invoice, amount };
      await recordEvent({ ...context, db: trx }, order.id, { event }, bySite());
    }
  });
  return 'done';
}

function stateAt({ state }: PriceChange, isNew: boolean): PriceChange['state'] {
  if (isNew) return 'applied';
  return state === 'restoring' ? 'withdrawn' : 'announced';
}

/** The renewal is over, at the new prices or at the old ones, or has been moved. */
function stateAfter({ renewsAt, billed }: OtherRenewal) {
  return billed?.isNew
    ? { state: 'applied' as const }
    : { state: 'applying' as const, effectiveAt: renewsAt };
}
