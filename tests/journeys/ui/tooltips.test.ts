import { describe, expect, test } from 'vitest';
import { SCREENS, sharedBrowser } from '../../support/browser.ts';
import { sharedTestApp } from '../../support/test-app.ts';
import { stopClock } from './stop-clock.ts';

describe('a tooltip of an icon-only button', () => {
  const [desk] = SCREENS;
  const browser = sharedBrowser();
  const app = sharedTestApp();

  async function openHome() {
    const page = await browser.open(desk);
    await stopClock(page);
    await page.goto(app.address);
    await page.locator('html[data-ready]').waitFor({ state: 'attached' });
    return { page, tooltip: page.locator('.tooltip:popover-open') };
  }

  test('appears after 700 ms, or at once within 300 ms of the last', async () => {
    const { page, tooltip } = await openHome();
    await page.getByRole('button', { name: 'Next slide' }).hover();
    await page.clock.runFor(650);
    await expect.poll(() => tooltip.count()).toBe(0);
    await page.clock.runFor(100);
    expect(await tooltip.textContent()).toBe('Next slide');
    await page.getByRole('button', { name: 'Previous slide' }).hover();
    await page.clock.runFor(10);
    expect(await tooltip.textContent()).toBe('Previous slide');
    await page.mouse.move(300, 300);
    await expect.poll(() => tooltip.count()).toBe(0);
    await page.clock.runFor(400);
    await page.getByRole('button', { name: 'Next slide' }).hover();
    await page.clock.runFor(10);
    await expect.poll(() => tooltip.count()).toBe(0);
  });

  test('appears at once on keyboard focus, and disappears on Escape or blur', async () => {
    const { page, tooltip } = await openHome();
    await page.getByRole('button', { name: 'Chat with us' }).focus();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Tab');
    // As when Tab scrolls another part of the page under the pointer.
    await page.mouse.move(310, 310);
    await page.clock.runFor(10);
    expect(await tooltip.textContent()).toBe('Chat with us');
    await page.keyboard.press('Escape');
    await expect.poll(() => tooltip.count()).toBe(0);
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Tab');
    await page.clock.runFor(10);
    await expect.poll(() => tooltip.count()).toBe(1);
    await page.keyboard.press('Shift+Tab');
    await expect.poll(() => tooltip.count()).toBe(0);
  });
});
