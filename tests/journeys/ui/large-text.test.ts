/** Who has set a phone's text twice as large reads every page without scrolling sideways. */
import { expect, test } from 'vitest';
import { SCREENS, sharedBrowser } from '../../support/browser.ts';
import { sharedTestApp } from '../../support/test-app.ts';

const [, PHONE] = SCREENS;
const PAGES = ['/', '/resources/', '/news', '/safeguards-check', '/checkout?plan=2', '/trust'];

const browser = sharedBrowser({ largeText: true });
const app = sharedTestApp();

test('text twice as large fits the width of each page', async () => {
  const page = await browser.visit(PHONE, app, '/');
  const rem = await page.evaluate(() => getComputedStyle(document.documentElement).fontSize);
  expect(rem).toBe('32px');
  for (const path of PAGES) {
    await page.goto(path);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect([path, width]).toEqual([path, PHONE.width]);
  }
});
