/** Script that could not be fetched is fetched again when somebody presses on what it would have drawn. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCREENS, useBrowser } from '../../support/browser.ts';
import { menu } from '../../support/move-steps.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

describe('script that failed to come', () => {
  const browser = useBrowser();
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.stop());

  test('is brought by a press on a part of the home page', async () => {
    const page = await browser.open(SCREENS[0], {
      expectComplaints: /ERR_FAILED|Failed to fetch dynamically imported module/,
    });
    let away = true;
    let lists = 0;
    await page.route(/\/home-parts-[^/]*\.js$/, (route) =>
      away ? route.abort() : route.continue(),
    );
    page.on('request', (request) => {
      if (request.url().endsWith('/api/solutions')) lists += 1;
    });
    // Not by `goto`, which waits until the script has taken the page over.
    await page.goto(`${app.address}/robots.txt`);
    await page.evaluate(() => window.location.assign('/'));
    const heading = page.getByRole('heading', { name: 'Industry Solutions' });
    const failed = page.waitForEvent('requestfailed');
    await heading.click();
    await failed;
    expect(lists).toBe(0);
    away = false;
    // A press that comes while the first try is failing is part of that try.
    await expect
      .poll(async () => {
        await heading.click();
        return lists;
      })
      .toBeGreaterThan(0);
  });

  test('leaves the menu usable, and can close it once it has come', async () => {
    const page = await browser.open(SCREENS[1]);
    const come = Promise.withResolvers<void>();
    await page.route('**/assets/site.browser-*', async (route) => {
      await come.promise;
      await route.continue();
    });
    const parsed = page.waitForEvent('domcontentloaded');
    const opened = page.goto(app.address);
    await parsed;
    expect(await menu(page).isVisible()).toBe(false);
    const button = page.getByRole('button', { name: 'Open menu' });
    await button.tap();
    await menu(page).waitFor();
    await button.tap();
    await menu(page).waitFor({ state: 'hidden' });
    await button.tap();
    await menu(page).waitFor();
    come.resolve();
    await opened;
    await page.getByRole('button', { name: 'Close menu' }).tap();
    await menu(page).waitFor({ state: 'hidden' });
  });
});
