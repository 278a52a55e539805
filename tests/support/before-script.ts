import type { Page } from 'playwright-core';

/** Opens an address and holds back the page's script until the returned function is called. */
export async function openBeforeScript(page: Page, address: string): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(/\/assets\/(site|checkout)\.browser-/, async (route) => {
    await released;
    await route.fallback();
  });
  // `goto` would wait for the script (wait-for-script.ts).
  await page.goto(`${new URL(address).origin}/robots.txt`);
  await page.evaluate((to) => window.location.assign(to), address);
  await page.waitForURL(address);
  await page.locator('#main').waitFor();
  return release;
}
