/** The theme follows the system until a visitor chooses one, which applies from the first paint. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectAccessible, SCREENS, sharedBrowser } from '../../support/browser.ts';
import { sharedTestApp } from '../../support/test-app.ts';
import { variant } from '../../support/variant.ts';

const LIGHT = { background: 'rgb(255, 255, 255)', bar: '#ffffff' };
const DARK = { background: 'rgb(20, 32, 44)', bar: '#14202c' };
const LIGHTEST = '/resources/';
/** A page of each document: public, checkout, staff. */
const DOCUMENTS = [LIGHTEST, '/checkout', '/admin-login'];

describe('the theme', () => {
  const browser = sharedBrowser();
  const app = sharedTestApp();

  const choice = (page: Page, name: string) =>
    page.getByRole('group', { name: 'Theme' }).getByRole('button', { name, exact: true });

  /** Blocks all scripts but theme.browser.ts, so that what is seen is the first paint. */
  async function firstPaint(page: Page, path = LIGHTEST) {
    await page.route(/\/(?!theme\.)[^/]*\.js$/, (route) => route.abort());
    const loaded = page.waitForEvent('load');
    await page.evaluate((to) => location.assign(to), app.address + path);
    await loaded;
    const colors = await colorsOf(page);
    await page.unrouteAll();
    return colors;
  }

  describe.each(SCREENS)('on a $name', (screen) => {
    variant('follows the system, and its changes', async () => {
      const page = await browser.open(screen);
      await page.emulateMedia({ colorScheme: 'dark' });
      for (const path of DOCUMENTS) {
        await page.goto(app.address + path);
        expect({ path, ...(await colorsOf(page)) }).toEqual({ path, ...DARK });
      }
      expect(await choice(page, 'System').getAttribute('aria-pressed')).toBe('true');
      await page.emulateMedia({ colorScheme: 'light' });
      expect(await colorsOf(page)).toEqual(LIGHT);
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
      expect((await colorsOf(page)).background).toBe(LIGHT.background);
    });

    test('chosen by keyboard stays, and applies from the first paint', async () => {
      const page = await browser.visit(screen, app, LIGHTEST, { allowErrors: /ERR_FAILED/ });
      await choice(page, 'Dark').focus();
      await page.keyboard.press('Enter');
      expect(await colorsOf(page)).toEqual(DARK);
      expect(await choice(page, 'Dark').getAttribute('aria-pressed')).toBe('true');
      expect(await choice(page, 'System').getAttribute('aria-pressed')).toBe('false');
      await expectAccessible(page);
      for (const path of DOCUMENTS)
        expect({ path, ...(await firstPaint(page, path)) }).toEqual({ path, ...DARK });
      await page.goto(app.address + LIGHTEST);
      expect(await choice(page, 'Dark').getAttribute('aria-pressed')).toBe('true');
      await page.emulateMedia({ colorScheme: 'dark' });
      await choice(page, 'Light').click();
      expect(await colorsOf(page)).toEqual(LIGHT);
      expect(await firstPaint(page)).toEqual(LIGHT);
      await page.goto(app.address + LIGHTEST);
      await choice(page, 'System').click();
      expect(await colorsOf(page)).toEqual(DARK);
      expect(await page.evaluate(() => localStorage.length)).toBe(0);
    });

    variant('can be chosen for one page where the browser blocks storage', async () => {
      const page = await browser.open(screen);
      await page.addInitScript(() => {
        const refuse = () => {
          throw new DOMException('The operation is insecure.', 'SecurityError');
        };
        Object.defineProperty(window, 'localStorage', { get: refuse });
      });
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.goto(app.address + LIGHTEST);
      expect(await colorsOf(page)).toEqual(DARK);
      await choice(page, 'Light').click();
      expect(await colorsOf(page)).toEqual(LIGHT);
      expect(await choice(page, 'Light').getAttribute('aria-pressed')).toBe('true');
      await page.reload();
      expect(await colorsOf(page)).toEqual(DARK);
    });
  });
});

/** The page's background, and the theme color of the browser's toolbar. */
function colorsOf(page: Page): Promise<{ background: string; bar: string | undefined }> {
  return page.evaluate(() => ({
    background: getComputedStyle(document.body).backgroundColor,
    bar: [...document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')].find(
      ({ media }) => matchMedia(media).matches,
    )?.content,
  }));
}
