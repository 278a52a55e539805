import type { Page } from 'playwright-core';
import { holdRequests } from './hold-requests.ts';

/** Opens an address and holds back the page's script until the returned function is called. */
export async function openBeforeScript(page: Page, address: string): Promise<() => void> {
  const release = await holdRequests(page, /\/assets\/(shell|checkout)\.browser-/);
  // `goto` would wait for the script (wait-for-script.ts).
  await page.goto(`${new URL(address).origin}/robots.txt`);
  await page.evaluate((to) => window.location.assign(to), address);
  await page.waitForURL(address, { waitUntil: 'commit' });
  await page.locator('#main').waitFor();
  return release;
}
