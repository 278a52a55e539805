/** Another card for a running test subscription, as at Stripe: charged from then on, and at once for what is overdue. */
import { type FollowDeps, followPayment } from '../../orders/follow-payment.server.ts';
import type { StaffOutcome } from '../../orders/gateway.server.ts';
import type { Subscriptions } from '../../orders/subscription.server.ts';
import { payOpen } from './bill-test-subscription.server.ts';
import { PAID } from './test-bill.server.ts';
import { findCardEntry, markCardUsed, startCardEntry } from './test-card-store.server.ts';
import { chargesLater, expiryYear } from './test-cards.ts';
import { testNow } from './test-clock.server.ts';
import { findRunning, keepSubscription } from './test-subscription-store.server.ts';

export const NOTHING_RUNS = { refused: 'No subscription is running for this order.' };
const DECLINED = {
  refused: 'This card couldn’t pay what is overdue. Please try another card.',
};
const NO_CARD = { refused: 'No card has been entered yet. Please enter one.' };

export function testCardChange({
  db,
  notify,
}: FollowDeps): Pick<Required<Subscriptions>, 'startCard' | 'finishCard'> {
  return {
    async startCard({ id }) {
      return (await findRunning(db, id))
        ? { clientSecret: await startCardEntry(db, id) }
        : NOTHING_RUNS;
    },

    finishCard: ({ id }, clientSecret) =>
      db.transaction().execute(async (trx): Promise<StaffOutcome> => {
        const found = await findRunning(trx, id);
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
