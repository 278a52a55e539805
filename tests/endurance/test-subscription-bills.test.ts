/** What a customer is shown before a change is what the next bills charge, on a real database. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { oracleBills } from '../support/bill-oracle.ts';
import { randomStory, seeded } from '../support/random-changes.ts';
import { sized } from '../support/sized.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { testBooks } from '../support/test-subscription.ts';

let app: TestApp;
beforeEach(async () => {
  app = await startTestApp();
});
afterEach(() => app.stop());

/** Each block has a site of its own: after a minute it would renew by itself what the story is about to change. */
const BLOCKS = Array.from({ length: sized(1, 40) }, (_, block) => block);
const STORIES = sized(120, 500);

test.each(BLOCKS)(
  'random subscriptions with random changes are billed as they were shown, block %i',
  async (block) => {
    const { begin, subscriptions, pass, bills, forget } = testBooks(app);
    const random = seeded(7 + block);
    for (let story = 0; story < STORIES; story += 1) {
      const { start, first, changes } = randomStory(random);
      const order = await begin(start, 'succeeds', first);
      let shown: number | undefined;
      for (const change of changes) {
        const preview = await subscriptions.preview(order, change);
        if (preview === 'unavailable' || 'refused' in preview) throw new Error('no preview');
        shown = preview.next.total;
        expect(await subscriptions.change(order, change)).toBe('done');
        // Asked for twice, made once.
        expect(await subscriptions.change(order, change)).toBe('done');
        const standing = await subscriptions.getSubscription(order);
        expect(standing).toMatchObject({ next: { total: shown }, periodEnd: preview.next.at });
      }
      const expected = oracleBills(first, changes, start);
      const standing = await subscriptions.getSubscription(order);
      if (standing === 'unavailable' || 'refused' in standing) throw new Error('nothing stands');
      expect(standing.next?.total).toBe(expected[0]);
      expect(shown ?? expected[0]).toBe(expected[0]);
      await pass(standing.periodEnd);
      const after = await subscriptions.getSubscription(order);
      if (after === 'unavailable' || 'refused' in after) throw new Error('nothing stands');
      await pass(after.periodEnd);
      const charged = (await bills(order.id)).map(({ amountCents, paid }) => [amountCents, paid]);
      expect([story, charged]).toEqual([story, expected.map((amount) => [amount, 1])]);
      await forget(order.id);
    }
  },
);
