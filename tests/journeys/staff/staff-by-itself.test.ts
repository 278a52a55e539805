import { describe, expect, test } from 'vitest';
import { SCREENS, sharedBrowser } from '../../support/browser.ts';
import { sharedTestApp } from '../../support/test-app.ts';

const [DESKTOP] = SCREENS;
const PAGES = ['/admin', '/admin/orders', '/admin/logs', '/admin/logs?tab=raw', '/admin/account'];

describe('a staff page that is left open', () => {
  const browser = sharedBrowser();
  const app = sharedTestApp();

  test.each(PAGES)('makes no call by itself: %s', async (path) => {
    const page = await browser.open(DESKTOP, { as: await app.staff() });
    await page.clock.install();
    const requested: string[] = [];
    page.on('request', (request) => requested.push(request.url()));
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.locator('.skeleton').first().waitFor({ state: 'detached' });
    await page.clock.runFor(5 * 60_000);
    await page.evaluate(() => {
      document.dispatchEvent(new Event('visibilitychange'));
      for (const event of ['focus', 'online']) window.dispatchEvent(new Event(event));
    });
    await page.mouse.move(5, 5);
    await page.clock.runFor(60_000);
    const calls = requested.filter((url) => url.includes('/api/'));
    expect(calls.length).toBeGreaterThan(1);
    expect(calls.filter((url, index) => calls.indexOf(url) < index)).toEqual([]);
  });
});
