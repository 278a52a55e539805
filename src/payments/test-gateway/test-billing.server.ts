/** Looks from time to time which test subscriptions have something due. */
import type { FollowDeps } from '../../orders/follow-payment.server.ts';
import { Interval } from '../../platform/interval.server.ts';
import { adoptOrders } from './adopt-test-orders.server.ts';
import { billNext } from './bill-test-subscription.server.ts';

const EVERY_MS = 60 * 1000;

/** Bills all that is due by now. Of several instances one at a time takes a step, and each step is taken once. */
export function testBilling(deps: FollowDeps): Interval {
  return new Interval('test-billing-failed', EVERY_MS, async (isStopped) => {
    await adoptOrders(deps);
    while (!isStopped() && (await billNext(deps)));
  });
}
