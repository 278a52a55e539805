/** A move shows the head of the next page before its rest; its script comes with its data, not after them. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCREENS, useBrowser } from '../../support/browser.ts';
import { card, heading, menu, scrollTop, takenOver } from '../../support/move-steps.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

const [, PHONE] = SCREENS;

/** What stood under the title when something was drawn, and how many frames the browser had made by then. */
interface Drawing {
  title: string;
  rest: boolean;
  documentTitle: string;
  frames: number;
}

declare global {
  interface Window {
    drawings: Drawing[];
  }
}

describe('the next page', () => {
  let app: TestApp;
  const browser = useBrowser();
  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.stop());

  async function openNews(): Promise<Page> {
    const page = await browser.open(PHONE);
    await page.addInitScript(watchDrawings);
    await page.goto(`${app.address}/news`);
    await takenOver(page);
    return page;
  }

  /** With the title that begins so. */
  async function drawings(page: Page, beginning: string): Promise<Drawing[]> {
    const all = await page.evaluate(() => window.drawings);
    return all.filter(({ title }) => title.startsWith(beginning));
  }

  test('is seen with its title before the text follows, and then the tab is called after it', async () => {
    const page = await openNews();
    await card(page, 'Data fencing').click();
    await page.getByRole('heading', { level: 2, name: 'Sources' }).waitFor();
    const [first, ...later] = await drawings(page, 'Data fencing');
    expect(first).toMatchObject({ rest: false, documentTitle: expect.stringMatching(/^News/) });
    const whole = later.find(({ rest }) => rest);
    expect(whole?.frames).toBeGreaterThan(first?.frames ?? Infinity);
    await expect.poll(() => page.title()).toMatch(/^Data fencing/);
  });

  test('has its text though the browser makes no frames, as in a tab behind others', async () => {
    const page = await openNews();
    await page.evaluate(() => Object.assign(window, { requestAnimationFrame: () => 0 }));
    await card(page, 'Data fencing').click();
    await page.getByRole('heading', { level: 2, name: 'Sources' }).waitFor();
    await expect.poll(() => page.title()).toMatch(/^Data fencing/);
  });

  test('is drawn whole where somebody returns to a place on it', async () => {
    const page = await openNews();
    await card(page, 'Data fencing').click();
    await page.getByRole('heading', { level: 2, name: 'Sources' }).waitFor();
    await page.evaluate(() => window.scrollTo(0, 1500));
    // Not by a press, for which the browser would scroll to the link.
    const next = page.getByRole('navigation', { name: 'More articles' }).getByRole('link').first();
    await next.evaluate((link: HTMLElement) => link.click());
    await expect.poll(() => scrollTop(page)).toBe(0);
    await page.evaluate(() => {
      window.drawings = [];
    });
    await page.goBack();
    await heading(page, 'Data fencing').waitFor();
    expect(await scrollTop(page)).toBe(1500);
    expect(await drawings(page, 'Data fencing')).not.toContainEqual(
      expect.objectContaining({ rest: false }),
    );
  });

  test('and where its address names a place on it', async () => {
    const page = await openNews();
    await page.getByRole('button', { name: 'Open menu' }).click();
    await menu(page).getByRole('link', { name: 'Contact' }).click();
    await expect.poll(() => scrollTop(page)).toBeGreaterThan(1000);
    const drawn = await page.evaluate(() => window.drawings);
    const home = drawn.filter(({ title }) => !title.startsWith('News'));
    expect(home.length).toBeGreaterThan(0);
    expect(home).not.toContainEqual(expect.objectContaining({ rest: false }));
  });

  test.each([
    ['the home page', '/', ['home-page', 'home-parts']],
    ['an article', '/news/data-fencing', ['article-page']],
  ])('the script of %s is asked for with its data', async (_, href, names) => {
    const page = await browser.open(PHONE);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.route('**/api/page/ahead?*', () => undefined);
    await page.goto(`${app.address}/privacy-policy`);
    await takenOver(page);
    await page.evaluate((to) => {
      const link = Object.assign(document.createElement('a'), { href: to });
      document.querySelector('main')?.append(link);
      link.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
    }, href);
    for (const name of names)
      await expect.poll(() => asked.some((url) => url.includes(`/assets/${name}-`))).toBe(true);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });
});

/** Runs in the page. */
function watchDrawings(): void {
  let frames = 0;
  const count = () => {
    frames += 1;
    requestAnimationFrame(count);
  };
  count();
  window.drawings = [];
  new MutationObserver(() => {
    const main = document.getElementById('main');
    const title = main?.querySelector('h1')?.textContent;
    if (!main || !title) return;
    const rest = main.querySelector('ul, p + p, h2, section + section') !== null;
    window.drawings.push({ title, rest, documentTitle: document.title, frames });
  }).observe(document, { subtree: true, childList: true });
}
