/** Money that goes back, by a refund or by the bank, counts once, in whatever order it is heard. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  bill,
  billed,
  charge,
  charged,
  followedOrder,
  inAnyOrder,
} from '../../tests/support/payment-facts.ts';
import { startTestApp, type TestApp } from '../../tests/support/test-app.ts';
import { cents } from '../platform/money.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());
const placed = () => followedOrder(app);

describe('a refund', () => {
  test('of a part is noted with the total refunded so far, which never decreases', async () => {
    const order = await placed();
    const part = charge({ refunded: cents(50_00) });
    const more = { ...part, refunded: cents(120_50) };
    const { status, refunded, notes } = await order.hear(
      billed(bill(0)),
      charged(part),
      charged(more),
      charged(part),
    );
    expect([status, refunded]).toEqual(['paid', 120.5]);
    expect(notes).toEqual(['$50.00 refunded in all (test)', '$120.50 refunded in all (test)']);
    expect(order.notified).toEqual(['order-paid', 'order-refunded', 'order-refunded']);
  });

  test('of all that was paid ends the order, and notifies once', async () => {
    const make = () => [billed(bill(0)), charged(charge({ refunded: cents(450_00) }))];
    for (const facts of inAnyOrder(make)) {
      const order = await placed();
      expect(await order.hear(...facts)).toMatchObject({ status: 'refunded', refunded: 450 });
      expect(order.notified).toEqual(['order-paid', 'order-refunded']);
    }
  });

  test('of one month of two leaves the order as it is; that of both ends it', async () => {
    const order = await placed();
    const [first, second] = [1, 2].map(() => charged(charge({ refunded: cents(450_00) })));
    const once = await order.hear(billed(bill(0), bill(1)), first ?? {});
    expect([once.status, once.refunded]).toEqual(['paid', 450]);
    const twice = await order.hear(second ?? {});
    expect([twice.status, twice.refunded]).toEqual(['refunded', 900]);
  });

  test('of parts of two months is their sum, whichever is told of once more', async () => {
    const first = charge({ refunded: cents(10_00) });
    const second = charge({ refunded: cents(20_00) });
    const order = await placed();
    await order.hear(billed(bill(0), bill(1)), charged(first, second));
    const more = { ...first, refunded: cents(15_00) };
    expect((await order.hear(charged(more))).refunded).toBe(35);
  });

  test('of one month of two leaves the order paid', async () => {
    const order = await placed();
    const once = charged(charge({ refunded: cents(450_00) }));
    expect((await order.hear(billed(bill(0)), billed(bill(1)), once)).status).toBe('paid');
  });

  test('of all that was paid after a refusal passes through each status between', async () => {
    const order = await placed();
    await order.hear({ refused: true });
    const all = charged(charge({ refunded: cents(450_00) }));
    const { way } = await order.hear({ ...billed(bill(0)), ...all });
    expect(way).toEqual(['pending', 'failed', 'processing', 'paid', 'refunded']);
  });

  test('of all while a month is overdue passes through paid', async () => {
    const order = await placed();
    await order.hear(billed(bill(0)), billed(bill(1, { paid: false })));
    const { way } = await order.hear(charged(charge({ refunded: cents(450_00) })));
    expect(way).toEqual(['pending', 'paid', 'past_due', 'paid', 'refunded']);
  });
});

describe('a dispute', () => {
  test('is noted and notifies when it begins; its end is noted', async () => {
    const order = await placed();
    const open = charge({ dispute: 'open' });
    const facts = [open, open, { ...open, dispute: 'won' as const }].map((each) => charged(each));
    expect(await order.hear(billed(bill(0)), ...facts)).toMatchObject({
      status: 'paid',
      dispute: 'won',
      notes: ['Dispute open (test)', 'Dispute won (test)'],
    });
    expect(order.notified).toEqual(['order-paid', 'order-disputed']);
  });

  test.each([
    ['won', 'paid'],
    ['lost', 'refunded'],
  ] as const)(
    'that is %s stays so, also when its beginning is heard later',
    async (dispute, status) => {
      const make = () => {
        const open = charge({ dispute: 'open' });
        return [billed(bill(0)), charged(open), charged({ ...open, dispute })];
      };
      for (const facts of inAnyOrder(make)) {
        expect(await (await placed()).hear(...facts)).toMatchObject({ dispute, status });
      }
    },
  );

  test('of two months notifies for each, and the worse one is shown', async () => {
    const order = await placed();
    const both = charged(charge({ dispute: 'won' }), charge({ dispute: 'open' }));
    expect((await order.hear(billed(bill(0), bill(1)), both)).dispute).toBe('open');
    expect(order.notified).toEqual(['order-paid', 'order-disputed', 'order-disputed']);
  });

  test('is not forgotten when a refund is heard of without it', async () => {
    const order = await placed();
    const open = charge({ dispute: 'open' });
    const { dispute: _, ...refund } = { ...open, refunded: cents(10_00) };
    expect(await order.hear(billed(bill(0)), charged(open), charged(refund))).toMatchObject({
      dispute: 'open',
      refunded: 10,
    });
  });
});
