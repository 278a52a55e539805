/** The preview of a change shows exactly what the next invoice charges, for any series of changes. */
import { describe, expect, test } from 'vitest';
import type { PriceLine } from '../../src/catalogue/pricing.ts';
import { type Month, ProrationOracle } from '../support/proration-oracle.ts';
import { month, openSubscriptions, subscriptionsAt } from '../support/running-subscription.ts';
import { randomLines, seededRandom } from '../support/seeded-random.ts';
import { sized } from '../support/sized.ts';
import { sharedShop } from '../support/stripe-shop.ts';

const SEEDS = [1, 2, 3, 4, 5];
/** Each is changed several times in each of several months. */
const SUBSCRIPTIONS = sized(4, 100);
/** Each block has its own fake Stripe, which forgets nothing: thousands of subscriptions would fill the memory. */
const BLOCKS = Array.from({ length: sized(1, 20) }, (_, block) => block);
const MONTHS = 3;
const MAX_CHANGES = 4;

const named = (lines: readonly PriceLine[]): Month =>
  new Map(lines.map(({ kind, unitPrice: unit, quantity }) => [kind, { unit, quantity }]));

describe.each(
  BLOCKS.flatMap((block) => [
    { how: 'without tax', taxPercent: 0, block },
    { how: 'with sales tax', taxPercent: 8, block },
  ]),
)('$how, block $block', ({ taxPercent, block }) => {
  const shop = sharedShop({}, { taxPercent });
  const { running } = subscriptionsAt(shop);

  test.each(SEEDS)('a generated subscription is invoiced as previewed, seed %i', async (seed) => {
    const random = seededRandom(seed + taxPercent + 100 * block);
    const { subscriptions } = openSubscriptions(shop);
    for (let count = 0; count < SUBSCRIPTIONS; count += 1) {
      const { order, subscription } = await running();
      subscription.automatic_tax.enabled = taxPercent > 0;
      const customer = shop.fake.state.customer.get(subscription.customer);
      Object.assign(customer ?? {}, { address: { country: 'US', postal_code: '30301' } });
      let lines = month(20);
      for (let turn = 0; turn < MONTHS; turn += 1) {
        const [{ current_period_start: start = 0, current_period_end: end = 0 } = {}] =
          subscription.items.data;
        const owed = customer?.balance ?? 0;
        const oracle = new ProrationOracle(named(lines), { start, end }, { taxPercent, owed });
        let at = start;
        for (let changes = random(MAX_CHANGES); changes > 0; changes -= 1) {
          // Later than the change before it, or in the same second.
          if (random(4) > 0) at += random(end - at);
          lines = randomLines(random);
          const change = { lines, at: at * 1000 };
          const shown = await subscriptions.preview(order, change);
          const difference = oracle.change(named(lines), at);
          const { total, tax } = oracle.nextInvoice();
          const monthly = lines.reduce((sum, { amount }) => sum + amount, 0);
          expect(shown).toEqual({ monthly, difference, next: { at: end * 1000, total, tax } });
          expect(await subscriptions.change(order, change)).toBe('done');
        }
        const expected = oracle.nextInvoice();
        const next = { total: expected.total, tax: expected.tax };
        const shown = { periodEnd: end * 1000, next };
        expect(await subscriptions.getSubscription(order)).toMatchObject(shown);
        const invoice = shop.fake.renew(subscription.id, { pay: true });
        expect(invoice).toMatchObject({ status: 'paid', amount_paid: expected.total });
        expect(customer?.balance).toBe(expected.owed);
      }
    }
  });
});
