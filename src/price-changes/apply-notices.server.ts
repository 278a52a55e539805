/**
 * Has the payment provider charge the prices of notices. Each step can be repeated: that it may
 * have them is saved before it is asked.
 */
import { setTimeout } from 'node:timers/promises';
import { bySite } from '../billing/cause.server.ts';
import { whileClaimed } from '../billing/claim-order.server.ts';
import type { Gateway } from '../billing/gateway.server.ts';
import { isOpen } from '../billing/notice.ts';
import {
  findNoticesToApply,
  type Notice,
  readNotices,
  SET_PRICES_BEFORE_MS,
  updateNotice,
} from '../billing/notice-store.server.ts';
import type { OrderEvent } from '../billing/order-event.server.ts';
import { readEvents, recordEvent } from '../billing/order-event-store.server.ts';
import { getOrder, lockOrder } from '../billing/order-store.server.ts';
import type { OrderContext } from '../billing/refresh-order.server.ts';
import { hasNewPrice } from '../billing/settle-notice.server.ts';
import { PRICE_CHANGE_PAUSE_MS, VISITOR_WAITS_MS } from '../limits.ts';
import { withDeadline } from '../platform/deadline.server.ts';
import { logFailure } from '../platform/interval.server.ts';
import { priceWithdrawn } from './deliver-notice.server.ts';

type SetPrices = NonNullable<Gateway['setPrices']>;
export type Answer = Exclude<Awaited<ReturnType<SetPrices>>, 'unavailable'>;
/** 'restore': release 1.0 was taking it back. */
export type Task = 'new' | 'old' | 'restore';

export async function applyNotices(context: OrderContext, isStopped: () => boolean): Promise<void> {
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

async function apply(context: OrderContext, setPrices: SetPrices, id: number): Promise<void> {
  const { db, gateway } = context;
  // Another instance may have been here.
  const [notice] = await findNoticesToApply(db, gateway, Date.now(), id);
  if (!notice) return;
  const task = taskOf(notice, Date.now());
  const { which, beforeAsking } = TASKS[task];
  const { from, to, effectiveAt } = notice;
  const [prices, renewal] = which === 'new' ? [to, effectiveAt] : [from, null];
  const order = await getOrder(db, { id: notice.orderId });
  // Where the order is being changed, the next run tries again.
  await whileClaimed(db, order, async (claimed) => {
    if (!(await save(context, notice, { to: beforeAsking }))) return;
    const key = `prices-${id}-${which}-${effectiveAt}`;
    const answer = await setPrices(claimed, prices, { renewal, key });
    if (answer === 'unavailable') return;
    const asked = { ...notice, ...beforeAsking };
    await save(context, asked, changeAfter(answer, task, notice, Date.now()));
  });
}

/** 'old': an earlier try, whose renewal has moved, may have left the new prices there. */
export function taskOf(notice: Notice, now: number): Task {
  if (!isOpen(notice)) return 'restore';
  return notice.effectiveAt <= now + SET_PRICES_BEFORE_MS ? 'new' : 'old';
}

interface Steps {
  /** The prices that the provider is to have. */
  which: 'new' | 'old';
  /** What is saved before it is asked, and once it has them. */
  beforeAsking: Partial<Notice>;
  whenDone: (now: number) => Partial<Notice>;
}

const APPLYING = { state: 'applying' } as const;
const TAKEN_BACK = { state: 'withdrawn', reason: 'taken-back' } as const;
const TASKS: Record<Task, Steps> = {
  new: { which: 'new', beforeAsking: APPLYING, whenDone: (now) => ({ setUpAt: now }) },
  old: { which: 'old', beforeAsking: APPLYING, whenDone: () => ({ state: 'announced' }) },
  restore: { which: 'old', beforeAsking: {}, whenDone: () => TAKEN_BACK },
};

/** Of a notice, and what is recorded with it. */
interface Change {
  to: Partial<Notice>;
  event?: OrderEvent;
}

/** What the provider's answer makes of the notice. */
export function changeAfter(answer: Answer, task: Task, notice: Notice, now: number): Change {
  const { id, effectiveAt } = notice;
  const { which, whenDone } = TASKS[task];
  if (answer === 'done')
    return { to: whenDone(now), event: { kind: 'price-set-up', which, effectiveAt } };
  if ('refused' in answer) {
    const hasNone = 'lines' in answer && !hasNewPrice(notice, answer.lines);
    return {
      // The next run tries again, unless it is taken back.
      to: hasNone && isOpen(notice) ? { state: 'announced' } : {},
      event: {
        ...{ kind: 'price-not-set-up', which, reason: answer.refused },
        notice: { id, effectiveAt },
      },
    };
  }
  // The renewal is over, at the new prices or at the old ones, or has been moved.
  const { renewsAt, billed } = answer;
  if (!billed) return { to: { effectiveAt: renewsAt } };
  const { atNewPrices, invoice, amount } = billed;
  if (atNewPrices) return { to: { setUpAt: now } };
  return { to: { effectiveAt: renewsAt }, event: { kind: 'old-price-charged', invoice, amount } };
}

/** Returns false, and saves nothing, if the notice was taken back or moved meanwhile. */
function save(
  { db, notify }: OrderContext,
  notice: Notice,
  { to, event }: Change,
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const order = await lockOrder(trx, notice.orderId);
    const now = (await readNotices(trx, [order.id])).find(({ id }) => id === notice.id);
    if (now?.state !== notice.state || now.effectiveAt !== notice.effectiveAt) return false;
    await updateNotice(trx, notice, to);
    if (event) await recordEvent({ db: trx, notify }, order, { event }, bySite());
    // Release 1.0 notified nobody until the provider had the old prices.
    if (to.state !== 'withdrawn') return true;
    const events = await readEvents(trx, order.id);
    const taken = events.findLast(({ event: { kind } }) => kind === 'price-withdrawn');
    await notify(trx, priceWithdrawn, order.id, taken?.id);
    return true;
  });
}
