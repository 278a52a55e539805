/** The menu on small screens, and everything that closes it. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { SCREENS, sharedBrowser } from '../../support/browser.ts';
import { menu, scrollTop } from '../../support/move-steps.ts';
import { sharedTestApp } from '../../support/test-app.ts';
import { variant } from '../../support/variant.ts';

const [, PHONE] = SCREENS;

describe('the menu on a phone', () => {
  const browser = sharedBrowser();
  const app = sharedTestApp();

  async function openMenu(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Open menu' }).click();
    await menu(page).waitFor();
  }

  const pressOutside = (page: Page) => page.mouse.click(PHONE.width / 2, PHONE.height - 10);
  /** A press within the first 100 ms does not count. */
  const pressOutsideUntilClosed = (page: Page) =>
    expect
      .poll(async () => {
        await pressOutside(page);
        return menu(page).isVisible();
      })
      .toBe(false);

  test('closes by its button, by Escape, by moving the focus out of it and by a click outside', async () => {
    const page = await browser.visit(PHONE, app, '/news');
    await openMenu(page);
    await page.getByRole('button', { name: 'Close menu' }).click();
    await menu(page).waitFor({ state: 'hidden' });

    await openMenu(page);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Escape');
    await menu(page).waitFor({ state: 'hidden' });
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    expect(await focused()).toContain('Open menu');

    await openMenu(page);
    // The menu would cover what has the focus then.
    await page.keyboard.press('Shift+Tab');
    await menu(page).waitFor({ state: 'hidden' });

    await openMenu(page);
    await pressOutsideUntilClosed(page);
  });

  variant('stays open when a press outside comes within 100 ms of opening it', async () => {
    const page = await browser.visit(PHONE, app, '/news');
    const devTools = await page.context().newCDPSession(page);
    await devTools.send('Animation.enable');
    // The 100 ms do not begin.
    await devTools.send('Animation.setPlaybackRate', { playbackRate: 0 });
    await openMenu(page);
    await pressOutside(page);
    expect(await menu(page).isVisible()).toBe(true);
    await menu(page).getByRole('link', { name: 'Pricing' }).click({ trial: true });
    await devTools.send('Animation.setPlaybackRate', { playbackRate: 1 });
    await pressOutsideUntilClosed(page);
  });

  test('closes after a link is chosen, which leads to its section', async () => {
    const page = await browser.visit(PHONE, app, '/');
    await openMenu(page);
    await menu(page).getByRole('link', { name: 'Pricing' }).click();
    await menu(page).waitFor({ state: 'hidden' });
    await expect.poll(() => scrollTop(page)).toBeGreaterThan(1000);
  });
});
