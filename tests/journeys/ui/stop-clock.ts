import type { Page } from 'playwright-core';

/** Stops the page's clock; from now on it moves only when the test moves it. */
export async function stopClock(page: Page) {
  await page.clock.install({ time: '2026-03-18T10:00:00-04:00' });
  // Seconds may pass between the two calls, and Playwright cannot turn the clock back.
  await page.clock.pauseAt('2026-03-18T10:05:00-04:00');
}
