/** Moves inside the public document: no new document, and yet everything a new document would have done. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCREENS, useBrowser } from '../support/browser.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';

const [DESK] = SCREENS;

describe('moving between pages', () => {
  let app: TestApp;
  const browser = useBrowser();
  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.stop());

  async function openNews(options?: { expectComplaints: RegExp }): Promise<Page> {
    const page = await browser.open(DESK, options);
    await page.goto(`${app.address}/news`);
    await takenOver(page);
    // What a new document would lose.
    await page.evaluate(() => Object.assign(window, { sameDocument: true }));
    return page;
  }

  test('a link draws the next page in the same document, at its top, with its title', async () => {
    const page = await openNews();
    await page.evaluate(() => window.scrollTo(0, 900));
    await card(page, 'Stay ahead').click();
    await heading(page, 'Stay ahead').waitFor();
    expect(await isSameDocument(page)).toBe(true);
    expect(new URL(page.url()).pathname).toBe('/news/stay-ahead-phishers');
    expect(await scrollTop(page)).toBe(0);
    expect(await page.title()).toMatch(/^Stay ahead of phishers.* \| Tidewell$/);
    expect(await page.locator('link[rel=canonical]').count()).toBe(1);
    expect(await page.locator('link[rel=canonical]').getAttribute('href')).toBe(page.url());
    expect(await page.locator('meta[name=description]').count()).toBe(1);
    // Read out to those who do not see that the page has changed, and the next Tab begins in it.
    expect(await page.locator('p[role=status].sr-only').last().textContent()).toMatch(
      /^Stay ahead/,
    );
    expect(await focused(page)).toBe('main');
  });

  test('back and forward return to the page and to the place on it', async () => {
    const page = await openNews();
    await page.evaluate(() => window.scrollTo(0, 900));
    await card(page, 'Stay ahead').click();
    await heading(page, 'Stay ahead').waitFor();
    await page.evaluate(() => window.scrollTo(0, 400));
    await page.goBack();
    await heading(page, 'News & Updates').waitFor();
    await expect.poll(() => scrollTop(page)).toBe(900);
    await page.goForward();
    await heading(page, 'Stay ahead').waitFor();
    await expect.poll(() => scrollTop(page)).toBe(400);
    expect(await isSameDocument(page)).toBe(true);
  });

  test('a section link from another page goes to the section, 100 px under the top', async () => {
    const page = await openNews();
    await sectionLink(page, 'Contact').click();
    await page.getByRole('heading', { name: 'Get in Touch' }).waitFor();
    expect(new URL(page.url()).hash).toBe('#contact');
    // The lists above it are awaited and arrive; it still stands there.
    await page.getByRole('heading', { level: 3, name: 'Professional' }).waitFor();
    await expect.poll(() => topOf(page, '#contact')).toBe(100);
    expect(await focused(page)).toBe('contact');
    expect(await isSameDocument(page)).toBe(true);
  });

  test('back between two sections of one page returns to where the first was left', async () => {
    const page = await browser.open(DESK);
    await page.goto(app.address);
    await takenOver(page);
    await sectionLink(page, 'Pricing').click();
    await expect.poll(() => topOf(page, '#pricing')).toBe(100);
    await page.evaluate(() => window.scrollBy(0, 250));
    await sectionLink(page, 'About').click();
    await expect.poll(() => topOf(page, '#about')).toBe(100);
    await page.goBack();
    await expect.poll(() => topOf(page, '#pricing')).toBe(-150);
    await page.goBack();
    await expect.poll(() => scrollTop(page)).toBe(0);
  });

  test('a link to the page that is open goes to its top', async () => {
    const page = await openNews();
    await page.evaluate(() => window.scrollTo(0, 1200));
    await page.locator('footer').getByRole('link', { name: 'News' }).click();
    await expect.poll(() => scrollTop(page)).toBe(0);
    expect(await isSameDocument(page)).toBe(true);
  });

  test('of two quick clicks the last one counts, and the failure of the first harms nobody', async () => {
    const page = await openNews({ expectComplaints: /Failed to load resource/ });
    let abort = () => {};
    const aborted = new Promise<void>((resolve) => {
      abort = resolve;
    });
    await page.route(/path=%2Fnews%2Fdata-fencing$/, async (route) => {
      await aborted;
      await route.abort();
    });
    await card(page, 'Data fencing').dispatchEvent('click');
    await card(page, 'Stay ahead').dispatchEvent('click');
    await heading(page, 'Stay ahead').waitFor();
    const failed = page.waitForEvent('requestfailed');
    abort();
    await failed;
    expect(await isSameDocument(page)).toBe(true);
    expect(new URL(page.url()).pathname).toBe('/news/stay-ahead-phishers');
  });

  test('when the page cannot be fetched, the browser loads it as a document, hash and all', async () => {
    const page = await openNews({ expectComplaints: /Failed to load resource/ });
    await page.route('**/api/page**', (route) => route.abort());
    await sectionLink(page, 'About').click();
    await page.waitForFunction(() => !('sameDocument' in window));
    await page.getByRole('heading', { name: 'Our Mission' }).waitFor();
    expect(new URL(page.url()).hash).toBe('#about');
    await page.goBack();
    await heading(page, 'News & Updates').waitFor();
  });

  test('a reload stays where the visitor was', async () => {
    const page = await openNews();
    await page.evaluate(() => window.scrollTo(0, 700));
    await page.reload();
    await takenOver(page);
    await expect.poll(() => scrollTop(page)).toBe(700);
  });

  test('coming back from the checkout, a document of its own, leads to the place that was left', async () => {
    const page = await openNews();
    await page.evaluate(() => window.scrollTo(0, 800));
    await card(page, 'Directory').click();
    await heading(page, 'Directory').waitFor();
    await page.evaluate(() => window.scrollTo(0, 500));
    await page.locator('header').getByRole('link', { name: 'Get Started' }).click();
    await heading(page, 'Almost There!').waitFor();
    await page.goBack();
    await heading(page, 'Directory').waitFor();
    await expect.poll(() => scrollTop(page)).toBe(500);
    await page.goBack();
    await heading(page, 'News & Updates').waitFor();
    await expect.poll(() => scrollTop(page)).toBe(800);
  });
});

/** The page's script marks the history entry when it takes over. */
async function takenOver(page: Page): Promise<void> {
  await page.waitForFunction(() => history.state?.entry !== undefined);
}

function card(page: Page, title: string) {
  return page.getByRole('link', { name: `Read More : ${title}` });
}

function heading(page: Page, title: string) {
  return page.getByRole('heading', { level: 1, name: title });
}

function sectionLink(page: Page, name: string) {
  return page.getByRole('navigation', { name: 'Main', exact: true }).getByRole('link', { name });
}

function isSameDocument(page: Page): Promise<boolean> {
  return page.evaluate(() => 'sameDocument' in window);
}

function scrollTop(page: Page): Promise<number> {
  return page.evaluate(() => window.scrollY);
}

function focused(page: Page): Promise<string | undefined> {
  return page.evaluate(() => document.activeElement?.id);
}

function topOf(page: Page, selector: string): Promise<number> {
  return page
    .locator(selector)
    .evaluate((element) => Math.round(element.getBoundingClientRect().top));
}
