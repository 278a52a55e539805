/** The page's script does not arrive: after a deploy under its old name, or because something blocks or cuts it. */
import type { Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { SCREENS, useBrowser } from '../../support/browser.ts';
import { captureLog } from '../../support/logged.ts';
import { menu } from '../../support/move-steps.ts';
import { sharedTestApp } from '../../support/test-app.ts';

const SAYS = 'Part of this page didn’t load. Please reload it.';
const CASES = [
  { path: '/', entry: 'site', says: SAYS, fault: 'is not there' },
  { path: '/', entry: 'site', says: SAYS, fault: 'is blocked with what fetches it' },
  { path: '/checkout', entry: 'checkout', says: SAYS, fault: 'never ends' },
  {
    path: '/admin-login',
    entry: 'admin',
    says: 'The staff area didn’t load. Reload it',
    fault: 'is not there',
  },
] as const;

describe('script that does not arrive', () => {
  const browser = useBrowser();
  const app = sharedTestApp();

  const expectComplaints = /Failed to load resource|Failed to fetch dynamically imported module/;

  /** Not by `goto`, which waits until the script has taken the page over. */
  async function openWithoutScript() {
    const page = await browser.open(SCREENS[1], { expectComplaints });
    await page.goto(`${app.address}/robots.txt`);
    const loads: string[] = [];
    page.on('load', () => loads.push(page.url()));
    return { page, loads };
  }
  const open = async (page: Page, path: string) => {
    await page.evaluate((address) => window.location.assign(address), path);
    await page.waitForURL(app.address + path, { waitUntil: 'load' });
  };

  test('once: the page reloads by itself, and works', async () => {
    const { page, loads } = await openWithoutScript();
    await page.route('**/assets/site.browser-*', (route) => route.fulfill({ status: 404 }), {
      times: 1,
    });
    await open(page, '/');
    await page.locator(':root[data-ready]').waitFor();
    expect(loads).toHaveLength(2);
    expect(await page.getByText('Part of this page didn’t load').isVisible()).toBe(false);
  });

  test.each(CASES)('$path says so when its script $fault', async ({ path, entry, says, fault }) => {
    const log = captureLog();
    onTestFinished(log.restore);
    const { page, loads } = await openWithoutScript();
    const script =
      fault === 'is blocked with what fetches it' ? 'start.browser' : `${entry}.browser`;
    await page.route(`**/assets/${script}-*`, (route) => {
      if (fault === 'is not there') return route.fulfill({ status: 404 });
      return fault === 'never ends' ? undefined : route.abort();
    });
    await open(page, path);
    const failure = page.getByText(says);
    if (fault === 'is not there') {
      await failure.waitFor();
      expect(loads).toHaveLength(2);
      await expect
        .poll(() => log.lines)
        .toContainEqual(
          expect.objectContaining({ event: 'part-failed', kind: 'script', page: path }),
        );
    } else {
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
  });

  test('ever: the phone’s menu opens, and no button can be pressed in vain', async () => {
    const { page } = await openWithoutScript();
    await page.route('**/assets/site.browser-*', (route) => route.fulfill({ status: 404 }));
    await open(page, '/');
    await page.getByText('Part of this page didn’t load').waitFor();
    await page.getByRole('button', { name: 'Open menu' }).tap();
    await menu(page).waitFor();
    await page.getByRole('button', { name: 'Close menu' }).tap();
    await menu(page).waitFor({ state: 'hidden' });
    expect(await page.getByRole('button', { name: 'Next slide' }).isDisabled()).toBe(true);
  });
});
