import type { Page } from 'playwright-core';

/** From now on time passes for the page only when the test says so. */
export async function stopClock(page: Page) {
  await page.clock.install({ time: '2026-03-18T10:00:00-04:00' });
  // On a busy machine some seconds pass between the two, and no clock is turned back.
  await page.clock.pauseAt('2026-03-18T10:05:00-04:00');
}
