/**
 * The test gateway's price preview equals what the next invoice charges, to the cent. The oracle counts days one by one, without
 * the product's code: a higher price counts from its day, a lower one from the next.
 */
import { expect, test } from 'vitest';
import type { PriceLine } from '../../src/catalogue/pricing.ts';
import type { Order } from '../../src/orders/order-store.server.ts';
import { randomLines, seededRandom } from '../support/seeded-random.ts';
import { sized } from '../support/sized.ts';
import { sharedTestApp } from '../support/test-app.ts';
import { testSubscriptions } from '../support/test-subscription.ts';

const app = sharedTestApp();

const SUBSCRIPTIONS = sized(20, 1_000);
const MONTHS = 3;
const MAX_CHANGES = 4;
const DAY = 86_400_000;

const random = seededRandom(1);

const monthly = (lines: readonly PriceLine[]) =>
  lines.reduce((sum, { unitPrice, quantity }) => sum + unitPrice * quantity, 0);

/** The same day of a later month, or the last day of a shorter month. */
function monthsAfter(start: number, months: number): number {
  const date = new Date(start);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + months];
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(date.getUTCDate(), last)) + (start % DAY);
}

/** The prorated difference in cents; half a cent is rounded up. */
function oracle(before: number, after: number, period: { from: number; to: number }, at: number) {
  let [days, charged] = [0, 0];
  for (let day = period.from; day < period.to; day += DAY) {
    days += 1;
    if (after > before ? at < day + DAY : at < day) charged += 1;
  }
  return Math.floor((2 * (after - before) * charged + days) / (2 * days));
}

test('customers are charged exactly the previewed price, for random subscriptions and changes', async () => {
  const { begin, pass, renewals, subscriptions } = testSubscriptions(app);
  const books: { order: Order; start: number; lines: PriceLine[]; owed: number }[] = [];
  for (let count = 0; count < SUBSCRIPTIONS; count += 1) {
    const start = Date.UTC(2030, 0, 1) + random(31 * DAY - 1_000);
    const [at, lines] = [start - (start % 1_000), randomLines(random)];
    books.push({ order: await begin(at, 'succeeds', lines), start: at, lines, owed: 0 });
  }
  for (let month = 0; month < MONTHS; month += 1) {
    const expected = new Map<number, number>();
    for (const book of books) {
      const period = {
        from: monthsAfter(book.start, month),
        to: monthsAfter(book.start, month + 1),
      };
      let at = period.from;
      for (let changes = random(MAX_CHANGES + 1); changes > 0; changes -= 1) {
        // After the previous change, or in the same second.
        if (random(4) > 0) at += 1_000 * random((period.to - at) / 1_000);
        const change = { lines: randomLines(random), at };
        const difference = oracle(monthly(book.lines), monthly(change.lines), period, at);
        book.owed += difference;
        book.lines = change.lines;
        const total = Math.max(0, monthly(book.lines) + book.owed);
        const next = { at: period.to, total, tax: 0 };
        const shown = { monthly: monthly(book.lines), difference, next };
        const previewed = await subscriptions.preview(book.order, change);
        // As JSON, which has no negative zero.
        expect(JSON.parse(JSON.stringify(previewed))).toEqual(shown);
        expect(await subscriptions.change(book.order, change)).toBe('done');
      }
      const due = monthly(book.lines) + book.owed;
      expected.set(book.order.id, Math.max(0, due));
      book.owed = Math.min(0, due);
    }
    await pass(Math.max(...books.map(({ start }) => monthsAfter(start, month + 1))));
    for (const { order } of books)
      expect((await renewals(order.id))[month]).toMatchObject({
        amountCents: expected.get(order.id),
        paid: 1,
      });
  }
});
