/** The page's script does not arrive: after a deploy under its old name, or because something blocks it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCREENS, useBrowser } from '../../support/browser.ts';
import { menu } from '../../support/move-steps.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

describe('script that does not arrive', () => {
  const browser = useBrowser();
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.stop());

  const expectComplaints = /Failed to load resource|Failed to fetch dynamically imported module/;
  const SCRIPT = '**/assets/site.browser-*';

  /** Not by `goto`, which waits until the script has taken the page over. */
  async function openWithoutScript() {
    const page = await browser.open(SCREENS[1], { expectComplaints });
    await page.goto(`${app.address}/robots.txt`);
    const loads: string[] = [];
    page.on('load', () => loads.push(page.url()));
    return { page, loads };
  }

  test('once: the page reloads by itself, and works', async () => {
    const { page, loads } = await openWithoutScript();
    await page.route(SCRIPT, (route) => route.fulfill({ status: 404 }), { times: 1 });
    await page.evaluate(() => window.location.assign('/'));
    await page.getByRole('button', { name: 'Next slide', disabled: false }).waitFor();
    expect(loads).toHaveLength(2);
    expect(await page.getByText('Part of this page didn’t load').isVisible()).toBe(false);
  });

  test('ever: the page says so after one reload, its menu opens, and no button can be pressed in vain', async () => {
    const { page, loads } = await openWithoutScript();
    await page.route(SCRIPT, (route) => route.fulfill({ status: 404 }));
    await page.evaluate(() => window.location.assign('/'));
    await page.getByText('Part of this page didn’t load. Please reload it.').waitFor();
    expect(loads).toHaveLength(2);
    await page.getByRole('button', { name: 'Open menu' }).tap();
    await menu(page).waitFor();
    await page.getByRole('button', { name: 'Close menu' }).tap();
    await menu(page).waitFor({ state: 'hidden' });
    expect(await page.getByRole('button', { name: 'Next slide' }).isDisabled()).toBe(true);
  });
});
