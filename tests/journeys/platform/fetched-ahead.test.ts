/** A page that somebody is about to ask for is here before: where its link is in sight, or under the pointer. */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCREENS, useBrowser } from '../../support/browser.ts';
import { card, heading, isSameDocument, takenOver } from '../../support/move-steps.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

const [DESK, PHONE] = SCREENS;
/** Twice as long as a page has to stand still. */
const LONG_STILL_MS = 800;

describe('a page that is fetched ahead', () => {
  let app: TestApp;
  const browser = useBrowser();
  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.stop());

  /** The news, and the paths of the pages that have been fetched ahead from there. */
  async function openNews(screen: (typeof SCREENS)[number], saveData: boolean) {
    const page = await browser.open(screen, { expectComplaints: /Failed to load resource/ });
    const fetched: (string | null)[] = [];
    page.on('requestfinished', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname === '/api/page/ahead') fetched.push(searchParams.get('path'));
    });
    await page.addInitScript(
      (value) => {
        Object.defineProperty(navigator, 'connection', { value });
      },
      { saveData },
    );
    await page.goto(`${app.address}/news`);
    await takenOver(page);
    await page.evaluate(() => Object.assign(window, { sameDocument: true }));
    return { page, fetched };
  }

  /** The server counts the visit all the same; nobody waits for its answer, which never comes. */
  async function moveWithoutAnswer(page: Page, link: Locator, title: string): Promise<void> {
    await page.route('**/api/page?*', (route) => route.abort());
    const visit = page.waitForRequest('**/api/page?*');
    await link.click();
    await visit;
    await heading(page, title).waitFor();
    expect(await isSameDocument(page)).toBe(true);
  }

  test('is that of each link in sight, once, when the page stands still', async () => {
    const { page, fetched } = await openNews(PHONE, false);
    await expect.poll(() => fetched).toContain('/');
    expect(fetched).not.toContain('/privacy-policy');
    for (const place of ['footer', 'h1', 'footer'])
      await page.locator(place).first().scrollIntoViewIfNeeded();
    await expect.poll(() => fetched).toContain('/privacy-policy');
    expect(fetched).toEqual([...new Set(fetched)]);
    await moveWithoutAnswer(page, page.locator('header a[href="/"]'), 'Modern Technology');
  });

  test('is the one under the pointer alone, for somebody who saves data', async () => {
    const { page, fetched } = await openNews(DESK, true);
    await page.waitForTimeout(LONG_STILL_MS);
    await card(page, 'Data fencing').hover();
    await expect.poll(() => fetched).toEqual(['/news/data-fencing']);
    await moveWithoutAnswer(page, card(page, 'Data fencing'), 'Data fencing');
  });
});
