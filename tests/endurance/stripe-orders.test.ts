/** The price that is shown, the order that is stored, and Stripe's invoice agree. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MS365_OPTIONS, monthlyPrice } from '../../src/catalogue/pricing.ts';
import { cents } from '../../src/platform/money.ts';
import { ownContent, todaysAddOnPrices } from '../support/own-content.ts';
import { sized } from '../support/sized.ts';
import { order, rowOf, sharedShop } from '../support/stripe-shop.ts';

const shop = sharedShop();

test('a random order has the same lines and total, to the cent, in the breakdown and on Stripe’s invoice', {
  timeout: 3_600_000,
}, async () => {
  const content = ownContent();
  const choices = fc.sample(
    fc.record({
      plan: fc.integer({ min: 0, max: 2 }),
      option: fc.constantFrom(...MS365_OPTIONS),
      users: fc.integer({ min: 1, max: 1000 }),
      backup: fc.boolean(),
    }),
    sized(150, 1_000),
  );
  const check = async ({ plan, option, users, backup }: (typeof choices)[number]) => {
    const choice = { ms365Option: option, ms365Users: users, includeCloudBackup: backup };
    const sold = content.plans[plan] ?? { name: '', price: cents(0) };
    const { total } = monthlyPrice(sold, choice, todaysAddOnPrices(content));
    const { orderId } = await order(shop, { planId: plan + 1, ...choice, amount: total / 100 });
    const row = await rowOf(shop, orderId);
    const lines: { amount: number; quantity: number }[] = JSON.parse(row.boughtLines);
    const invoice = [...shop.fake.state.invoice.values()].find(
      ({ parent }) => parent.subscription_details.subscription === row.subscription.subscriptionId,
    );
    expect(invoice?.lines.data.map(({ amount, quantity }) => ({ amount, quantity }))).toEqual(
      lines.map(({ amount, quantity }) => ({ amount, quantity })),
    );
    expect([
      row.subscription.amountCents,
      row.subscription.totalCents,
      invoice?.amount_due,
    ]).toEqual([total, total, total]);
  };
  for (let at = 0; at < choices.length; at += 10) {
    await Promise.all(choices.slice(at, at + 10).map(check));
  }
  // Concurrent orders that need the same product create it once.
  expect(shop.fake.state.product.size).toBe(3 + 3 + 1);
});
