/** What a customer does with a subscription of the test gateway, as with one at Stripe. */
import { type FollowDeps, followPayment } from '../../orders/follow-payment.server.ts';
import type { PaymentState, StaffOutcome } from '../../orders/gateway.server.ts';
import type { Subscriptions } from '../../orders/subscription.server.ts';
import { cents } from '../../platform/money.ts';
import { chargeOf, monthly, priceChange } from './proration.ts';
import { PAID } from './test-bill.server.ts';
import { NOTHING_RUNS, testCardChange } from './test-card-change.server.ts';
import { brandOfEnding } from './test-cards.ts';
import { insertChange, unbilled } from './test-change-store.server.ts';
import { testNow } from './test-clock.server.ts';
import {
  findRunning,
  keepSubscription,
  linesOf,
  lockSubscription,
  type Subscription,
} from './test-subscription-store.server.ts';

const NOT_THIS_MONTH = { refused: 'The price has changed. Please look at it again.' };

export function testSubscriptions({ db, notify }: FollowDeps): Required<Subscriptions> {
  return {
    now: () => testNow(db),

    async standing({ id }) {
      const found = await findRunning(db, id);
      if (!found) return NOTHING_RUNS;
      const month = found.ending ? 0 : monthly(linesOf(found));
      const asked = month + (await unbilled(db, id)) - found.creditCents;
      const { charge } = chargeOf(asked);
      const none = found.ending === 1 && charge === 0;
      return {
        periodEnd: found.periodEnd,
        next: none ? null : { total: charge, tax: cents(0) },
        card: {
          brand: brandOfEnding(found.cardLast4),
          last4: found.cardLast4,
          expiryMonth: 12,
          expiryYear: found.cardYear,
        },
      };
    },

    async preview({ id }, { lines, at }) {
      const found = await findRunning(db, id);
      if (!found) return NOTHING_RUNS;
      if (!isPaidAt(found, at)) return NOT_THIS_MONTH;
      const { difference: sum } = priceChange(linesOf(found), lines, { ...found, at });
      const month = monthly(lines);
      const asked = month + (await unbilled(db, id)) + sum - found.creditCents;
      return {
        monthly: month,
        difference: sum,
        next: { at: found.periodEnd, total: chargeOf(asked).charge, tax: cents(0) },
      };
    },

    change: ({ id }, change, key) =>
      db.transaction().execute(async (trx): Promise<StaffOutcome> => {
        const found = await findRunning(trx, id);
        if (!found) return NOTHING_RUNS;
        const { at, lines } = change;
        const { difference, peak } = priceChange(linesOf(found), lines, { ...found, at });
        const asked = { orderId: id, key, at, cents: difference, billed: 0 } as const;
        const isNew = await insertChange(trx, asked);
        if (!isNew) return 'done';
        if (!isPaidAt(found, at)) {
          // What was refused may be asked again, with another moment.
          await trx
            .deleteFrom('testChanges')
            .where('orderId', '=', id)
            .where('key', '=', key)
            .execute();
          return NOT_THIS_MONTH;
        }
        const changed = { lines: JSON.stringify(lines), changedAt: at, peakCents: peak };
        await keepSubscription(trx, id, changed);
        const state = { ...PAID, plan: { lines, next: change.next } };
        await followPayment({ db: trx, notify }, id, state, 'test subscription changed');
        return 'done';
      }),

    resume: ({ id }) =>
      db.transaction().execute(async (trx): Promise<StaffOutcome> => {
        const found = await findRunning(trx, id);
        if (!found) return NOTHING_RUNS;
        await keepSubscription(trx, id, { ending: 0 });
        await followPayment({ db: trx, notify }, id, { ...PAID, endsAt: null }, 'test resumed');
        return 'done';
      }),
    ...testCardChange({ db, notify }),
  };
}

/** A change counts within the month that is paid, and never before the last one. */
function isPaidAt(found: Subscription, at: number): boolean {
  const { status, periodStart, periodEnd, changedAt } = found;
  return status === 'active' && at >= Math.max(periodStart, changedAt) && at < periodEnd;
}

/** Ends it now, or lets it end with the month that is paid. */
export function endTestSubscription(
  { db, notify }: FollowDeps,
  orderId: number,
  when: 'now' | 'period-end',
): Promise<StaffOutcome> {
  return db.transaction().execute(async (trx): Promise<StaffOutcome> => {
    const found = await lockSubscription(trx, orderId);
    const lasts = when === 'period-end' && found?.status === 'active';
    await keepSubscription(trx, orderId, lasts ? { ending: 1 } : { status: 'ended', nextAt: null });
    const state: PaymentState = {
      ...PAID,
      // Nothing has been paid, so there is no month to use to its end.
      ...(!found && { status: 'requires_payment_method' }),
      ...(lasts ? { endsAt: found.periodEnd } : { ended: true }),
    };
    await followPayment({ db: trx, notify }, orderId, state, 'test subscription ended');
    return 'done';
  });
}
