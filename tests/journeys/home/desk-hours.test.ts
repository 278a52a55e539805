/** The page says next to the hours whether the support desk is open now, and keeps this up to date. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { SCREENS, useBrowser } from '../../support/browser.ts';
import { sharedTestApp } from '../../support/test-app.ts';

const OPEN = 'Open now, until 5:30 PM ET';
const PLAIN = 'Monday through Friday: 8:30 AM to 5:30 PM ET';

describe.each(SCREENS)('the support hours on a $name', (screen) => {
  const browser = useBrowser();
  const app = sharedTestApp();

  /** In the contact section and in the footer. */
  const said = (page: Page) =>
    page
      .locator('#contact dd, footer p')
      .filter({ hasText: 'Monday through Friday' })
      .evaluateAll((all) =>
        all.map((each) => each.firstElementChild?.textContent?.replaceAll('\u00a0', ' ').trim()),
      );

  test('show within half a minute that the desk has closed, and nothing moves', async () => {
    const page = await browser.open(screen);
    await page.clock.install({ time: '2026-03-20T17:28:30-04:00' });
    await page.goto(app.address);
    await expect.poll(() => said(page)).toEqual([OPEN, OPEN]);
    const before = await page.locator('footer').boundingBox();
    await page.clock.runFor(121_000);
    const closed = 'Opens Monday 8:30 AM ET';
    await expect.poll(() => said(page)).toEqual([closed, closed]);
    expect(await page.locator('footer').boundingBox()).toEqual(before);
  });

  test('do not say without script whether the desk is open', async () => {
    const html = (await app.visitor().get('/')).text;
    expect(html).not.toMatch(/Open now|Opens /);
    const page = await browser.open(screen, { script: false });
    await page.goto(app.address);
    const hours = page.locator('#contact dd').filter({ hasText: PLAIN });
    expect(await hours.locator(':scope > :first-child').isVisible()).toBe(false);
  });
});
