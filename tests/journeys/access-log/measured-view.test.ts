import { expect, test } from 'vitest';
import { SCREENS, sharedBrowser } from '../../support/browser.ts';
import { sharedTestApp } from '../../support/test-app.ts';

const browser = sharedBrowser();
const app = sharedTestApp();

test('a page view that is measured sends once what its visitor felt, when the page is left', async () => {
  const page = await browser.open(SCREENS[1]);
  await page.addInitScript(() => {
    Math.random = () => 0;
  });
  const stored = () =>
    app.database.db
      .selectFrom('webVitals')
      .select(['page', 'metric', 'amount'])
      .where('page', '=', '/news')
      .orderBy('metric')
      .execute();
  const measures = page.waitForResponse('**/assets/vitals.browser-*');
  await page.goto(`${app.address}/news`);
  await measures;
  await page.getByRole('button', { name: 'Open menu' }).tap();
  expect(await stored()).toEqual([]);
  await page.goto(`${app.address}/resources/`);
  const measured = ['cls', 'lcp'].map((metric) => ({ page: '/news', metric, amount: 1 }));
  await expect.poll(stored).toEqual(expect.arrayContaining(measured));
});
