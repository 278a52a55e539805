/** The page's script does not load: renamed by a deploy, blocked or stalled. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { SCREENS, sharedBrowser } from '../../support/browser.ts';
import { holdRequests } from '../../support/hold-requests.ts';
import { captureLog } from '../../support/logged.ts';
import { menu } from '../../support/move-steps.ts';
import { sharedTestApp } from '../../support/test-app.ts';
import { variant } from '../../support/variant.ts';

const MESSAGE = 'Part of this page didn’t load. Please reload it.';
const STAFF_MESSAGE = 'The staff area didn’t load. Reload it';
const CASES = [
  { path: '/news', script: 'shell.browser', message: MESSAGE, fault: 'is missing' },
  { path: '/', script: 'home', message: MESSAGE, fault: 'is blocked' },
  { path: '/checkout', script: 'checkout.browser', message: MESSAGE, fault: 'never ends' },
  { path: '/admin-login', script: 'admin.browser', message: STAFF_MESSAGE, fault: 'is missing' },
] as const;

describe('a page whose script does not load', () => {
  const browser = sharedBrowser();
  const app = sharedTestApp();

  const allowErrors = /Failed to load resource|Failed to fetch dynamically imported module/;

  /** Opens a page without script first: our `goto` would wait for hydration. */
  async function openWithoutScript() {
    const page = await browser.visit(SCREENS[1], app, '/robots.txt', { allowErrors });
    const loads: string[] = [];
    page.on('framenavigated', () => loads.push(page.url()));
    return { page, loads };
  }
  const open = async (page: Page, path: string) => {
    await page.evaluate((address) => window.location.assign(address), path);
    await page.waitForURL(app.address + path, { waitUntil: 'commit' });
  };

  test('once reloads by itself and works', async () => {
    const { page, loads } = await openWithoutScript();
    await page.route('**/assets/shell.browser-*', (route) =>
      loads.length < 2 ? route.fulfill({ status: 404 }) : route.fallback(),
    );
    await open(page, '/news');
    await page.locator(':root[data-ready]').waitFor();
    await expect.poll(() => loads).toHaveLength(2);
    expect(await page.getByText('Part of this page didn’t load').isVisible()).toBe(false);
  });

  variant.each(CASES)(
    'at $path says so when it $fault',
    async ({ path, script, message, fault }) => {
      const log = captureLog();
      const { page, loads } = await openWithoutScript();
      await page.route(`**/assets/${script}-*`, (route) => {
        if (fault === 'is missing') return route.fulfill({ status: 404 });
        return fault === 'never ends' ? undefined : route.abort();
      });
      await open(page, path);
      const failure = page.getByText(message);
      if (fault !== 'never ends') {
        // Set at once, where the notice alone could also have waited.
        await page.locator(':root[data-failed]').waitFor();
        await failure.waitFor();
        await expect.poll(() => loads).toHaveLength(2);
        await expect
          .poll(() => log.lines)
          .toContainEqual(
            expect.objectContaining({ event: 'part-failed', kind: 'script', page: path }),
          );
      } else {
        await failure.waitFor({ state: 'attached' });
        expect(await failure.isVisible()).toBe(false);
        const waits = await page.evaluate(() =>
          document.getAnimations().map((each) => {
            const { delay } = each.effect?.getTiming() ?? {};
            each.finish();
            return delay;
          }),
        );
        expect(waits).toContain(15_000);
        await failure.waitFor();
      }
    },
  );

  variant('at all has a menu that opens', async () => {
    const { page } = await openWithoutScript();
    await page.route('**/assets/shell.browser-*', (route) => route.fulfill({ status: 404 }));
    await open(page, '/news');
    await page.getByText('Part of this page didn’t load').waitFor();
    await page.getByRole('button', { name: 'Open menu' }).tap();
    await menu(page).waitFor();
    await page.keyboard.press('Escape');
    await menu(page).waitFor({ state: 'hidden' });
  });

  variant.each([
    { path: '/', name: 'Next slide', outcome: 'figure[aria-hidden=false]:nth-of-type(2)' },
    { path: '/safeguards-check#finish', name: 'See the result', outcome: 'form [role=alert]' },
  ])('at $path keeps a press on $name, and does it once it has loaded', async (wanted) => {
    const { page } = await openWithoutScript();
    const release = await holdRequests(page, '**/assets/shell.browser-*');
    await open(page, wanted.path);
    await page.getByRole('button', { name: wanted.name }).tap();
    expect(await page.locator(wanted.outcome).count()).toBe(0);
    release();
    await page.locator(wanted.outcome).waitFor({ state: 'attached' });
  });
});
