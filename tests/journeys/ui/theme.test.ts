/** The dark theme follows the system, and what a visitor chooses wins: at once, everywhere, and from the first paint. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectAccessible, SCREENS, useBrowser } from '../../support/browser.ts';
import { sharedTestApp } from '../../support/test-app.ts';

const LIGHT = { ground: 'rgb(255, 255, 255)', bar: '#ffffff' };
const DARK = { ground: 'rgb(20, 32, 44)', bar: '#14202c' };
/** A page of each kind: public, checkout, of an order, the not-found page, of staff. */
const DOCUMENTS = ['/', '/checkout', '/checkout/order', '/nowhere', '/admin-login'];

describe('the theme', () => {
  const browser = useBrowser();
  const app = sharedTestApp();

  const choice = (page: Page, name: string) =>
    page.getByRole('group', { name: 'Theme' }).getByRole('button', { name, exact: true });

  /** Without the page's modules: what is seen is what was painted first. */
  async function firstPaint(page: Page, path = '/') {
    await page.route(/\/(?!theme\.)[^/]*\.js$/, (route) => route.abort());
    const loaded = page.waitForEvent('load');
    await page.evaluate((to) => location.assign(to), app.address + path);
    await loaded;
    const seen = await look(page);
    await page.unrouteAll();
    return seen;
  }

  describe.each(SCREENS)('on a $name', (screen) => {
    test('follows the system, also when it changes', async () => {
      const page = await browser.open(screen, { expectComplaints: /404/ });
      await page.emulateMedia({ colorScheme: 'dark' });
      for (const path of DOCUMENTS) {
        await page.goto(app.address + path);
        expect({ path, ...(await look(page)) }).toEqual({ path, ...DARK });
      }
      expect(await choice(page, 'System').getAttribute('aria-pressed')).toBe('true');
      await page.emulateMedia({ colorScheme: 'light' });
      expect(await look(page)).toEqual(LIGHT);
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
      expect((await look(page)).ground).toBe(LIGHT.ground);
    });

    test('that was chosen by keyboard stays, and is there before any other script of the page', async () => {
      const page = await browser.open(screen, { expectComplaints: /ERR_FAILED|404/ });
      await page.goto(app.address);
      await choice(page, 'Dark').focus();
      await page.keyboard.press('Enter');
      expect(await look(page)).toEqual(DARK);
      expect(await choice(page, 'Dark').getAttribute('aria-pressed')).toBe('true');
      expect(await choice(page, 'System').getAttribute('aria-pressed')).toBe('false');
      await expectAccessible(page);
      for (const path of DOCUMENTS)
        expect({ path, ...(await firstPaint(page, path)) }).toEqual({ path, ...DARK });
      await page.goto(app.address);
      expect(await choice(page, 'Dark').getAttribute('aria-pressed')).toBe('true');
      await page.emulateMedia({ colorScheme: 'dark' });
      await choice(page, 'Light').click();
      expect(await look(page)).toEqual(LIGHT);
      expect(await firstPaint(page)).toEqual(LIGHT);
      await page.goto(app.address);
      await choice(page, 'System').click();
      expect(await look(page)).toEqual(DARK);
      expect(await page.evaluate(() => localStorage.length)).toBe(0);
    });

    test('is the same in every tab', async () => {
      const page = await browser.open(screen);
      await page.goto(app.address);
      const other = await page.context().newPage();
      await other.goto(`${app.address}/news`);
      await choice(page, 'Dark').click();
      await expect.poll(() => look(other)).toEqual(DARK);
      expect(await choice(other, 'Dark').getAttribute('aria-pressed')).toBe('true');
      await choice(other, 'System').click();
      await expect.poll(() => look(page)).toEqual(LIGHT);
      expect(await choice(page, 'System').getAttribute('aria-pressed')).toBe('true');
    });

    test('is a choice for the page where the browser keeps nothing', async () => {
      const page = await browser.open(screen);
      await page.addInitScript(() => {
        const refuse = () => {
          throw new DOMException('The operation is insecure.', 'SecurityError');
        };
        Object.defineProperty(window, 'localStorage', { get: refuse });
      });
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.goto(app.address);
      expect(await look(page)).toEqual(DARK);
      await choice(page, 'Light').click();
      expect(await look(page)).toEqual(LIGHT);
      expect(await choice(page, 'Light').getAttribute('aria-pressed')).toBe('true');
      await page.reload();
      expect(await look(page)).toEqual(DARK);
    });
  });
});

/** What the page stands on, and what the browser's own bar is told. */
function look(page: Page): Promise<{ ground: string; bar: string | undefined }> {
  return page.evaluate(() => ({
    ground: getComputedStyle(document.body).backgroundColor,
    bar: [...document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')].find(
      ({ media }) => matchMedia(media).matches,
    )?.content,
  }));
}
