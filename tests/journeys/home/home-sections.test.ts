/** The sections of the home page: their lists, details and links. */
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import services from '../../../content/catalogue/services.json' with { type: 'json' };
import solutions from '../../../content/catalogue/solutions.json' with { type: 'json' };
import { boxOf } from '../../support/boxes.ts';
import { expectAccessible, SCREENS, sharedBrowser } from '../../support/browser.ts';
import { holdRequests } from '../../support/hold-requests.ts';
import { scrollTop, topOf } from '../../support/move-steps.ts';
import { nextFrame } from '../../support/next-frame.ts';
import { sharedTestApp } from '../../support/test-app.ts';
import { variant } from '../../support/variant.ts';

const OPEN = 'Open now, until 5:30 PM ET';
const CLOSED = 'Opens Monday at 8:30 AM ET';

const LISTS = [
  { heading: 'Our Professional Services', what: 'services', skeletons: 8, rows: 12 },
  { heading: 'Industry Solutions', what: 'solutions', skeletons: 4, rows: 6 },
  { heading: 'Transparent Pricing', what: 'pricing plans', skeletons: 3, rows: 3 },
];

const ROWS = [
  { rows: services, kind: 'service', leads: '#pricing' },
  { rows: solutions, kind: 'solution', leads: '#contact' },
];

describe.each(SCREENS)('the home page on a $name', (screen) => {
  const browser = sharedBrowser();
  const app = sharedTestApp();

  const section = (page: Page, heading: string) => page.getByRole('region', { name: heading });
  const cards = (page: Page, kind: string) => page.locator(`article:has(h3[id^="${kind}-"])`);
  /** Whether the desk is open, in the contact section and in the footer. */
  const openNow = (page: Page) =>
    page
      .locator('#contact dd, footer p')
      .filter({ hasText: 'Monday through Friday' })
      .evaluateAll((all) =>
        all.map((each) => each.firstElementChild?.textContent?.replaceAll('\u00a0', ' ').trim()),
      );
  const hrefs = (links: Locator) =>
    links.evaluateAll((all) => all.map((each) => each.getAttribute('href')));

  test('offers the phone number where a list cannot be loaded, and after Try again placeholders and the list', async () => {
    const page = await browser.open(screen, { allowErrors: /status of 500/ });
    const lists = /\/api\/(services|solutions|plans)$/;
    await page.route(lists, (route) => route.fulfill({ status: 500, body: '' }));
    await page.goto(app.address);
    for (const { heading, what } of LISTS) {
      const part = section(page, heading);
      await part.getByText(`Error loading ${what}. Please try again later.`).waitFor();
      const call = part.getByRole('link', { name: 'Or call (800) 555-0199' });
      expect(await call.getAttribute('href')).toBe('tel:+18005550199');
    }
    await expectAccessible(page, '#services, #solutions, #pricing');
    await page.unroute(lists);
    const release = await holdRequests(page, lists);
    for (const { heading, skeletons } of LISTS) {
      await section(page, heading).getByRole('button', { name: 'Try again' }).click();
      const loading = section(page, heading).getByRole('status').filter({ hasText: 'Loading' });
      await loading.waitFor();
      const shown = loading.locator(':scope > div').filter({ visible: true });
      expect(await shown.count()).toBe(skeletons);
    }
    await expectAccessible(page, '#services, #solutions, #pricing');
    release();
    for (const { heading, rows } of LISTS)
      await section(page, heading)
        .getByRole('article')
        .nth(rows - 1)
        .waitFor();
  });

  variant('says where a list has nothing that we can be called', async () => {
    const page = await browser.open(screen);
    await page.route(/\/api\/(services|solutions|plans)$/, (route) => route.fulfill({ json: [] }));
    await page.goto(app.address);
    for (const { heading, what } of LISTS) {
      const part = section(page, heading);
      await part.getByText(`There are no ${what} to show right now.`).waitFor();
      await part.getByRole('link', { name: '(800) 555-0199' }).waitFor();
    }
  });

  test('has complete lists, and has the plans updated once', async () => {
    const page = await browser.open(screen);
    const updates: string[] = [];
    let plans = 0;
    // Requests: the first is given up when the plans have been renewed before it is answered.
    page.on('request', (request) => {
      if (request.url().endsWith('/api/plans')) plans += 1;
    });
    page.on('response', (response) => {
      if (response.url().endsWith('/api/update-plans'))
        updates.push(`${response.request().method()} ${response.status()}`);
    });
    await page.goto(app.address);
    for (const { heading, rows } of LISTS) {
      await section(page, heading)
        .getByRole('article')
        .nth(rows - 1)
        .waitFor();
      expect(await section(page, heading).getByRole('article').count()).toBe(rows);
    }
    expect(updates).toEqual(['POST 200']);
    // Once for the list, and once more for what was renewed.
    await expect.poll(() => plans).toBe(2);
    await expectAccessible(page);
  });

  variant('shows the lowest price on the first screen, which links to the plans', async () => {
    const page = await browser.visit(screen, app, '/');
    const plans = page.getByRole('link', { name: 'Plans from $450 a month' });
    const box = await plans.boundingBox();
    expect(box && box.y + box.height).toBeLessThan(screen.height);
    const clear = 'rgba(0, 0, 0, 0)';
    const bar = () =>
      page.getByRole('banner').evaluate((each) => getComputedStyle(each).backgroundColor);
    await page.evaluate(() => scrollTo(0, 50));
    await page.evaluate(nextFrame);
    expect(await bar()).toBe(clear);
    await page.evaluate(() => scrollTo(0, 51));
    await expect.poll(bar).toBe('rgb(255, 255, 255)');
    await plans.click();
    await expect.poll(() => topOf(page, '#pricing')).toBe(100);
    await page
      .locator('nav a[href="/#pricing"][aria-current]')
      .first()
      .waitFor({ state: 'attached' });
    // Going back from the checkout shows the top of the page.
    await page.evaluate(() => addEventListener('click', (event) => event.preventDefault()));
    const pricing = section(page, 'Transparent Pricing');
    const start = pricing.getByRole('link', { name: 'Get Started' }).first();
    const scroll = await page.evaluateHandle(() => {
      const calls: unknown[] = [];
      const { scrollTo } = window;
      Object.assign(window, {
        scrollTo: (options: ScrollToOptions) => {
          calls.push(options);
          scrollTo(options);
        },
      });
      return calls;
    });
    // Who opens a plan in another tab stays among the plans.
    await start.click({ modifiers: ['ControlOrMeta'] });
    await start.click();
    await expect.poll(() => scrollTop(page)).toBe(0);
    expect(await scroll.jsonValue()).toHaveLength(1);
  });

  variant('has a Learn more link on each card that works with its details open', async () => {
    const page = await browser.visit(screen, app, '/');
    for (const { rows, kind, leads } of ROWS) {
      const learn = cards(page, kind).getByRole('link', { name: 'Learn more', exact: true });
      expect(await learn.count()).toBe(rows.length);
      expect(new Set(await hrefs(learn))).toEqual(new Set([`/${leads}`]));
      await cards(page, kind).first().getByText('What’s included').click();
      await learn.first().click();
      await expect.poll(() => topOf(page, leads)).toBe(100);
    }
  });

  test('preselects the service in the contact form after Ask for a quote', async () => {
    const page = await browser.visit(screen, app, '/');
    const cloud = cards(page, 'service').filter({ hasText: 'Cloud Services' });
    await cloud.getByText('What’s included').click();
    await cloud.getByRole('link', { name: 'Ask for a quote' }).click();
    await expect.poll(() => topOf(page, '#contact')).toBe(100);
    await expect.poll(() => page.locator('#contact-service').inputValue()).toBe('cloud');
  });

  variant('shows three articles with pictures and six as lines, with their links', async () => {
    const page = await browser.visit(screen, app, '/');
    const articles = page.locator('#news article');
    const pictured = await articles.evaluateAll((all) =>
      all.map((each) => Boolean(each.querySelector('img'))),
    );
    expect(pictured).toEqual([true, true, true, ...Array(6).fill(false)]);
    const read = articles.getByRole('link', { name: 'Read More', exact: true });
    await expect.poll(() => read.count()).toBe(9);
    expect(new Set(await hrefs(read)).size).toBe(9);
    await expect.poll(() => articles.getByText('Read More', { exact: true }).count()).toBe(9);
    // Search engines read a link by its text.
    expect(new Set(await read.allTextContents()).size).toBe(9);
    await read.last().click();
    await page.waitForURL(/\/news\/teams-phone-system$/);
    await expect.poll(() => scrollTop(page)).toBe(0);
  });

  test('prints what each plan includes, the answers to questions, and every solution', async () => {
    const page = await browser.visit(screen, app, '/');
    // As narrow as A4.
    await page.setViewportSize({ width: 717, height: 1000 });
    await page.emulateMedia({ media: 'print' });
    const folded = page.locator('#pricing details > :not(summary, .invisible)');
    expect(await folded.count()).toBeGreaterThan(10);
    expect(await folded.filter({ visible: false }).count()).toBe(0);
    const last = await boxOf(page.locator('#solutions article').last());
    expect(last.right).toBeLessThan(717);
  });

  variant('shows that the support desk has closed, and nothing moves', async () => {
    const page = await browser.open(screen);
    await page.clock.install({ time: '2026-03-20T17:28:30-04:00' });
    await page.goto(app.address);
    await expect.poll(() => openNow(page)).toEqual([OPEN, OPEN]);
    const before = await page.locator('footer').boundingBox();
    await page.clock.runFor(121_000);
    await expect.poll(() => openNow(page)).toEqual([CLOSED, CLOSED]);
    expect(await page.locator('footer').boundingBox()).toEqual(before);
  });
});
