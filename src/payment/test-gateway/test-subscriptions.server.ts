/** What a customer does with a subscription of the test gateway, as with one at Stripe. */
import type { Kysely } from 'kysely';
import { type FollowDeps, followPayment } from '../../orders/follow-payment.server.ts';
import type { PaymentState, StaffOutcome } from '../../orders/gateway.server.ts';
import type { Subscriptions } from '../../orders/subscription.server.ts';
import type { Tables } from '../../platform/database/tables.server.ts';
import { cents } from '../../platform/money.ts';
import { payOpen } from './bill-test-subscription.server.ts';
import { chargeOf, difference, monthly } from './proration.ts';
import { PAID } from './test-bill.server.ts';
import { findCardEntry, markCardUsed, startCardEntry } from './test-card-store.server.ts';
import { brandOfEnding, chargesLater, expiryYear } from './test-cards.ts';
import { testNow } from './test-clock.server.ts';
import {
  findSubscription,
  insertChange,
  keepSubscription,
  linesOf,
  lockSubscription,
  type Subscription,
  unbilled,
} from './test-subscription-store.server.ts';

type Db = Kysely<Tables>;

const NOTHING_RUNS = { refused: 'No subscription is running for this order.' };
const NOT_THIS_MONTH = { refused: 'The price has changed. Please look at it again.' };
const DECLINED = {
  refused: 'This card couldn’t pay what is overdue. Please try another card.',
};
const NO_CARD = { refused: 'No card has been entered yet. Please enter one.' };

export function testSubscriptions({ db, notify }: FollowDeps): Required<Subscriptions> {
  async function running(on: Db, orderId: number): Promise<Subscription | undefined> {
    const found = on.isTransaction
      ? await lockSubscription(on, orderId)
      : await findSubscription(on, orderId);
    return found?.status === 'ended' ? undefined : found;
  }
  return {
    now: () => testNow(db),

    async standing({ id }) {
      const found = await running(db, id);
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
      const found = await running(db, id);
      if (!found) return NOTHING_RUNS;
      if (!isPaidAt(found, at)) return NOT_THIS_MONTH;
      const sum = difference(linesOf(found), lines, { ...found, at });
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
        const found = await running(trx, id);
        if (!found) return NOTHING_RUNS;
        const sum = difference(linesOf(found), change.lines, { ...found, at: change.at });
        const asked = { orderId: id, key, at: change.at, cents: sum, billed: 0 } as const;
        const isNew = await insertChange(trx, asked);
        if (!isNew) return 'done';
        if (!isPaidAt(found, change.at)) {
          // What was refused may be asked again, with another moment.
          await trx
            .deleteFrom('testChanges')
            .where('orderId', '=', id)
            .where('key', '=', key)
            .execute();
          return NOT_THIS_MONTH;
        }
        await keepSubscription(trx, id, { lines: JSON.stringify(change.lines) });
        return 'done';
      }),

    resume: ({ id }) =>
      db.transaction().execute(async (trx): Promise<StaffOutcome> => {
        const found = await running(trx, id);
        if (!found) return NOTHING_RUNS;
        await keepSubscription(trx, id, { ending: 0 });
        await followPayment({ db: trx, notify }, id, { ...PAID, endsAt: null }, 'test resumed');
        return 'done';
      }),

    async startCard({ id }) {
      return (await running(db, id))
        ? { clientSecret: await startCardEntry(db, id) }
        : NOTHING_RUNS;
    },

    finishCard: ({ id }, clientSecret) =>
      db.transaction().execute(async (trx): Promise<StaffOutcome> => {
        const found = await running(trx, id);
        if (!found) return NOTHING_RUNS;
        const entered = await findCardEntry(trx, clientSecret);
        if (entered?.orderId !== id || entered.status !== 'succeeded') return NO_CARD;
        if (entered.used) return 'done';
        if (found.status === 'past_due' && !chargesLater(entered)) return DECLINED;
        const card = {
          cardToken: entered.token,
          cardLast4: entered.last4,
          cardYear: expiryYear(await testNow(trx)),
        };
        await keepSubscription(trx, id, card);
        await markCardUsed(trx, clientSecret);
        if (found.status === 'past_due') {
          const invoices = await payOpen(trx, { ...found, ...card });
          const why = 'test card replaced';
          await followPayment({ db: trx, notify }, id, { ...PAID, invoices }, why);
        }
        return 'done';
      }),
  };
}

/** A change counts within the month that is paid. */
function isPaidAt({ status, periodStart, periodEnd }: Subscription, at: number): boolean {
  return status === 'active' && at >= periodStart && at < periodEnd;
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
