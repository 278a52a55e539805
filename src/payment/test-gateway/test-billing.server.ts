/** Looks from time to time which test subscriptions have something due. */
import type { FollowDeps } from '../../orders/follow-payment.server.ts';
import { isDatabaseAway } from '../../platform/database/database-away.server.ts';
import { logFault } from '../../platform/log.server.ts';
import type { Reconciling } from '../stripe/reconcile-payments.server.ts';
import { adoptOrders } from './adopt-test-orders.server.ts';
import { billNext } from './bill-test-subscription.server.ts';

const EVERY_MS = 60 * 1000;

/** Goes on from its start until it is stopped. Of several instances one at a time takes a step, and each step once. */
export function testBilling(deps: FollowDeps): Reconciling {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  const run = () => {
    running ??= billAll(deps, () => stopped)
      .catch((error: unknown) => {
        if (!isDatabaseAway(error)) logFault('test-billing-failed', error);
      })
      .finally(() => {
        running = undefined;
      });
  };
  return {
    start() {
      run();
      timer = setInterval(run, EVERY_MS).unref();
    },
    async stop() {
      stopped = true;
      clearInterval(timer);
      await running;
    },
  };
}

/** All that is due by now. */
export async function billAll(deps: FollowDeps, isStopped: () => boolean): Promise<void> {
  await adoptOrders(deps);
  while (!isStopped() && (await billNext(deps)));
}
