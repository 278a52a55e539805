import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectAccessible, SCREENS, useBrowser } from '../../support/browser.ts';
import { nextFrame } from '../../support/next-frame.ts';
import { sharedTestApp } from '../../support/test-app.ts';

const LISTS = [
  {
    call: 'services',
    heading: 'Our Professional Services',
    error: 'Error loading services. Please try again later.',
    rows: 12,
  },
  {
    call: 'solutions',
    heading: 'Industry Solutions',
    error: 'Error loading solutions. Please try again later.',
    rows: 6,
  },
  {
    call: 'plans',
    heading: 'Transparent Pricing',
    error: 'Error loading pricing plans. Please try again later.',
    rows: 3,
  },
];

describe.each(SCREENS)('the lists of the home page at the $name', (screen) => {
  const browser = useBrowser();
  const app = sharedTestApp();

  const section = (page: Page, heading: string) => page.getByRole('region', { name: heading });

  test('are in the page before any script has run', async () => {
    const html = (await app.visitor().get('/')).text;
    for (const words of ['IT Managed Services', 'Dealership Technology', '$1,950.00'])
      expect(html).toContain(words);
  });

  test('show placeholders while a list that failed is asked for again', async () => {
    const page = await browser.open(screen, { expectComplaints: /status of 500/ });
    await page.route('**/api/plans', (route) => route.fulfill({ status: 500, body: '' }));
    await page.goto(app.address);
    const pricing = section(page, 'Transparent Pricing');
    const again = pricing.getByRole('button', { name: 'Try again' });
    await again.waitFor();
    await page.unroute('**/api/plans');
    await page.route('**/api/plans', () => new Promise(() => undefined));
    await again.click();
    const loading = pricing.getByRole('status').filter({ hasText: 'Loading' });
    await loading.waitFor();
    expect(await loading.locator(':scope > div').filter({ visible: true }).count()).toBe(3);
    await expectAccessible(page);
  });

  test('that fail twice by themselves leave the page and the focus where they are', async () => {
    const page = await browser.open(screen, { expectComplaints: /status of 500/ });
    const { promise: renewed, resolve: renew } = Promise.withResolvers<void>();
    await page.route('**/api/update-plans', async (route) => {
      await renewed;
      await route.fallback();
    });
    await page.route('**/api/plans', (route) => route.fulfill({ status: 500, body: '' }));
    await page.goto(app.address);
    const pricing = section(page, 'Transparent Pricing');
    const again = pricing.getByRole('button', { name: 'Try again' });
    await again.waitFor();
    const focused = () => page.evaluate(() => [document.activeElement?.tagName, scrollY]);
    const before = await focused();
    const refused = page.waitForResponse('**/api/plans');
    renew();
    await refused;
    await again.waitFor();
    await page.evaluate(nextFrame);
    expect(await focused()).toEqual(before);
  });

  test('say so where they cannot be loaded, offer the telephone, and come when they are tried again', async () => {
    const page = await browser.open(screen, { expectComplaints: /status of 500/ });
    const lists = /\/api\/(services|solutions|plans)$/;
    await page.route(lists, (route) => route.fulfill({ status: 500, body: '' }));
    await page.goto(app.address);
    for (const { heading, error } of LISTS) {
      const part = section(page, heading);
      await part.getByText(error).waitFor();
      const call = part.getByRole('link', { name: 'Or call (800) 555-0199' });
      expect(await call.getAttribute('href')).toBe('tel:+18005550199');
    }
    await expectAccessible(page);
    await page.unroute(lists);
    for (const { heading, rows } of LISTS) {
      await section(page, heading).getByRole('button', { name: 'Try again' }).click();
      const articles = section(page, heading).getByRole('article');
      await articles.nth(rows - 1).waitFor();
    }
  });

  test('stand complete, with the plans renewed once', async () => {
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
});
