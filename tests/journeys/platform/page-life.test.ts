import { describe, expect, inject, test } from 'vitest';
import { SCREENS, sharedBrowser } from '../../support/browser.ts';
import { canKeepPages } from '../../support/find-browser.ts';
import { scrollTop } from '../../support/move-steps.ts';
import { sharedTestApp } from '../../support/test-app.ts';
import { untilReady } from '../../support/wait-for-script.ts';

describe('a page on a phone', () => {
  const browser = sharedBrowser();
  const app = sharedTestApp();

  test('keeps its scroll position after going back and after a reload', async () => {
    const page = await browser.visit(SCREENS[1], app, '/');
    const article = page.getByRole('link', { name: 'Read More' }).first();
    await article.scrollIntoViewIfNeeded();
    const place = await scrollTop(page);
    expect(place).toBeGreaterThan(500);
    await article.click();
    await page.waitForURL(/\/news\//);
    await page.goBack();
    await expect.poll(() => scrollTop(page)).toBeGreaterThan(place - 30);
    await untilReady(page);
    await page.reload();
    await expect.poll(() => scrollTop(page)).toBeGreaterThan(place - 30);
    expect(Math.abs((await scrollTop(page)) - place)).toBeLessThan(30);
  });
});

describe.runIf(canKeepPages())('in a browser with a back/forward cache', () => {
  const browser = sharedBrowser({ keepsPages: true });
  const app = sharedTestApp();

  test('every public page is restored from the cache as it was left', async () => {
    const { text } = await app.visitor().get('/sitemap.xml');
    const listed = [...text.matchAll(/<loc>(.+?)<\/loc>/g)].map(([, address = '']) => address);
    expect(listed).toHaveLength(20);
    const page = await browser.open(SCREENS[1]);
    for (const address of listed.filter((_, place) => inject('everything') || place % 4 === 0)) {
      await page.goto(address);
      await page.evaluate(() => document.body.setAttribute('data-left', ''));
      await page.evaluate(() => window.location.assign('/robots.txt'));
      await page.waitForURL('**/robots.txt');
      // A page restored from the cache fires no load event.
      await page.goBack({ waitUntil: 'commit' });
      const found = await page.evaluate(() => {
        const [entry] = performance.getEntriesByType('navigation');
        return {
          address: location.href,
          kept: document.body.hasAttribute('data-left'),
          reasons: JSON.parse(JSON.stringify(entry)).notRestoredReasons,
        };
      });
      expect(found).toEqual({ address, kept: true, reasons: null });
    }
  });
});
