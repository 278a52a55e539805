/** Moves inside the public document: no new document, and yet everything a new document would have done. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCREENS, useBrowser } from '../../support/browser.ts';
import { eventually } from '../../support/eventually.ts';
import {
  card,
  focused,
  heading,
  isSameDocument,
  scrollTop,
  sectionLink,
  takenOver,
  topOf,
} from '../../support/move-steps.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

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
    await expect.poll(() => new URL(page.url()).pathname).toBe('/news/stay-ahead-phishers');
    expect(await scrollTop(page)).toBe(0);
    await expect.poll(() => page.title()).toMatch(/^Stay ahead of phishers.* \| Tidewell$/);
    expect(await page.locator('link[rel=canonical]').count()).toBe(1);
    expect(await page.locator('link[rel=canonical]').getAttribute('href')).toBe(page.url());
    expect(await page.locator('meta[name=description]').count()).toBe(1);
    // Read out to those who do not see that the page has changed, and the next Tab begins in it.
    expect(await page.locator('p[role=status].sr-only').last().textContent()).toMatch(
      /^Stay ahead/,
    );
    expect(await focused(page)).toBe('main');
  });

  test.each(['/nothing-here', '/nothing%20here', '/caf%C3%A9'])(
    'nothing is at %s, and the page that says so is loaded once',
    async (address) => {
      const page = await browser.open(DESK, { expectComplaints: /404/ });
      let documents = 0;
      page.on('request', (request) => {
        if (request.isNavigationRequest()) documents += 1;
      });
      await page.goto(app.address + address);
      await takenOver(page);
      await page.getByRole('link', { name: 'Return to Home' }).click();
      await page.waitForURL(`${app.address}/`);
      expect(documents).toBe(1);
    },
  );

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
    await expect.poll(() => new URL(page.url()).hash).toBe('#contact');
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
    await expect.poll(() => new URL(page.url()).pathname).toBe('/news/stay-ahead-phishers');
  });

  test('when the page cannot be fetched, the browser loads it as a document, hash and all', async () => {
    const page = await openNews({ expectComplaints: /Failed to load resource/ });
    await page.route('**/api/page**', (route) => route.abort());
    await sectionLink(page, 'About').click();
    await page.waitForFunction(() => !('sameDocument' in window));
    await page.getByRole('heading', { name: 'Our Mission' }).waitFor();
    await expect.poll(() => new URL(page.url()).hash).toBe('#about');
    await page.goBack();
    await heading(page, 'News & Updates').waitFor();
  });

  test('a page whose data cannot be read is loaded as a document', async () => {
    const page = await openNews({ expectComplaints: /./ });
    await page.route(/path=%2Fprivacy-policy$/, (route) =>
      route.fulfill({ json: { name: 'legal', path: '/privacy-policy', title: 'Broken' } }),
    );
    await page.locator('footer').getByRole('link', { name: 'Privacy Policy' }).click();
    await heading(page, 'Privacy Policy').waitFor();
    expect(await isSameDocument(page)).toBe(false);
  });

  test('the not-found page knows its address, and leads home and back', async () => {
    const page = await browser.open(DESK, { expectComplaints: /Failed to load resource.*404/ });
    let documents = 0;
    page.on('request', (request) => {
      if (request.isNavigationRequest()) documents += 1;
    });
    // The second visitor of an address that does not exist gets the bytes made for the first one's.
    await app.visitor().get('/some-other-address');
    await page.goto(`${app.address}/nothing/here`);
    await takenOver(page);
    await page.getByRole('button', { name: 'Stay here' }).click();
    await page.getByRole('status').filter({ hasText: 'staying' }).waitFor();
    await page.getByRole('link', { name: 'Return to Home' }).click();
    await heading(page, 'Modern Technology Solutions').waitFor();
    await page.goBack();
    await heading(page, '404 Not Found').waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/nothing/here');
    expect(documents).toBe(1);
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

  test('back twice, faster than the script comes, leads to the place that was left', async () => {
    const page = await openNews();
    await page.evaluate(() => window.scrollTo(0, 800));
    await card(page, 'Directory').click();
    await heading(page, 'Directory').waitFor();
    await page.locator('header').getByRole('link', { name: 'Get Started' }).click();
    await heading(page, 'Almost There!').waitFor();
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/assets/site*.js', async (route) => {
      await held;
      await route.continue();
    });
    await page.goBack();
    // While the browser swaps the documents it cannot be asked where it is; nothing has moved then.
    await eventually(() => page.goBack());
    await expect.poll(() => new URL(page.url()).pathname).toBe('/news');
    release();
    await heading(page, 'News & Updates').waitFor();
    await expect.poll(() => scrollTop(page)).toBe(800);
  });
});
