/** The home page is short, and what it folds away opens without script. */
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import services from '../../../content/catalogue/services.json' with { type: 'json' };
import solutions from '../../../content/catalogue/solutions.json' with { type: 'json' };
import { expectAccessible, SCREENS, useBrowser } from '../../support/browser.ts';
import { scrollTop, topOf } from '../../support/move-steps.ts';
import { sharedTestApp } from '../../support/test-app.ts';

const ROWS = [
  { rows: services, kind: 'service', leads: '#pricing' },
  { rows: solutions, kind: 'solution', leads: '#contact' },
];

describe('the home page', () => {
  const browser = useBrowser();
  const app = sharedTestApp();

  const cards = (page: Page, kind: string) => page.locator(`article:has(h3[id^="${kind}-"])`);
  const foldOf = (page: Page, kind: string, id: number) =>
    page.locator(`article:has(#${kind}-${id}) details`);
  const hrefs = (links: Locator) =>
    links.evaluateAll((all) => all.map((each) => each.getAttribute('href')));

  describe.each(SCREENS)('at the $name', (screen) => {
    test('names the least expensive plan at its head, and leads to the plans', async () => {
      const page = await browser.open(screen);
      await page.goto(app.address);
      const plans = page.getByRole('link', { name: 'Plans from $450 a month' });
      const box = await plans.boundingBox();
      expect(box && box.y + box.height).toBeLessThan(screen.height);
      await plans.click();
      await expect.poll(() => topOf(page, '#pricing')).toBe(100);
    });

    test('unfolds without script what each service and solution includes', async () => {
      const page = await browser.open(screen, { script: false });
      await page.goto(app.address);
      for (const { rows, kind } of ROWS) {
        expect(await cards(page, kind).count()).toBe(rows.length);
        for (const { id, name, features } of rows) {
          const fold = foldOf(page, kind, id);
          const feature = fold.getByText(features.at(-1) ?? '', { exact: true });
          expect([name, await feature.isVisible()]).toEqual([name, false]);
          await fold.getByText('What’s included').click();
          expect([name, await feature.isVisible()]).toEqual([name, true]);
          expect(await fold.locator('summary').getAttribute('aria-describedby')).toBe(
            `${kind}-${id}`,
          );
          const price = await fold.getByText('Price:').locator('..').textContent();
          expect(price).toMatch(/plan|quote|Professional|Enterprise/i);
          expect(price).not.toContain('{{');
        }
      }
    });

    test('leads from each card where it says, whether or not its fold is open', async () => {
      const page = await browser.open(screen);
      await page.goto(app.address);
      for (const { rows, kind, leads } of ROWS) {
        const learn = cards(page, kind).getByRole('link', { name: 'Learn more', exact: true });
        expect(await learn.count()).toBe(rows.length);
        expect(new Set(await hrefs(learn))).toEqual(new Set([`/${leads}`]));
        await cards(page, kind).first().getByText('What’s included').click();
        await learn.first().click();
        await expect.poll(() => topOf(page, leads)).toBe(100);
      }
      await expectAccessible(page);
    });

    test('takes the service along to the message', async () => {
      const page = await browser.open(screen);
      await page.goto(app.address);
      const cloud = cards(page, 'service').filter({ hasText: 'Cloud Services' });
      await cloud.getByText('What’s included').click();
      await cloud.getByRole('link', { name: 'Ask for a quote' }).click();
      await expect.poll(() => topOf(page, '#contact')).toBe(100);
      expect(await page.locator('#contact-service').inputValue()).toBe('cloud');
    });

    test('shows three articles with their pictures and six lines, and leads to each', async () => {
      const page = await browser.open(screen);
      await page.goto(app.address);
      const articles = page.locator('#news article');
      const pictured = await articles.evaluateAll((all) =>
        all.map((each) => Boolean(each.querySelector('img'))),
      );
      expect(pictured).toEqual([true, true, true, ...Array(6).fill(false)]);
      const read = articles.getByRole('link', { name: 'Read More', exact: true });
      expect(await read.count()).toBe(9);
      expect(new Set(await hrefs(read)).size).toBe(9);
      expect(await read.allTextContents()).toEqual(Array(9).fill('Read More'));
      await read.last().click();
      await page.waitForURL(/\/news\/teams-phone-system$/);
      await expect.poll(() => scrollTop(page)).toBe(0);
    });
  });
});
