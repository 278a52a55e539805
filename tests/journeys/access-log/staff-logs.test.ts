import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { Analytics } from '../../../src/access-log/access-log-api.ts';
import { expectAccessible, SCREENS, sharedBrowser } from '../../support/browser.ts';
import { contactForm, fillIn } from '../../support/contact-steps.ts';
import { holdRequests } from '../../support/hold-requests.ts';
import { openFilters } from '../../support/staff-steps.ts';
import { sharedTestApp } from '../../support/test-app.ts';
import { variant } from '../../support/variant.ts';

const HOUR = 3_600_000;

/** Figures of a day, all known. */
function day(changed: Partial<Analytics> = {}): Analytics {
  const now = Math.floor(Date.now() / HOUR) * HOUR;
  return {
    totalRequests: 2000,
    uniqueVisitors: 1234,
    responseTimeAvg: 12.3456,
    httpStatusCodes: { '200': 1735, '304': 100, '404': 150, '418': 10, '500': 5 },
    mostVisitedPages: [
      { url: '/', count: 400 },
      { url: '/news', count: 100 },
      { url: '/more-than-the-top', count: 500 },
    ],
    pathsNotFound: [{ url: '/services.html', count: 31 }],
    webVitals: [],
    hourly: Array.from({ length: 25 }, (_, n) => ({
      hour: new Date(now - (24 - n) * HOUR).toISOString(),
      requests: 80,
      errors: n === 3 ? 5 : 0,
    })),
    ...changed,
  };
}

const RAW = '**/api/admin/logs';
const ANALYTICS = '**/api/admin/logs/analytics';
const answerWith = (page: Page, analytics: Analytics | undefined) =>
  page.route(ANALYTICS, (route) => route.fulfill({ json: { success: true, analytics } }));
const panel = (page: Page, name: string) => page.getByRole('region', { name });
const bar = (page: Page, name: string, label: string) =>
  panel(page, name)
    .getByRole('listitem')
    .filter({ hasText: label })
    .locator('[data-tone]')
    .evaluate((filled) => {
      const whole = filled.parentElement?.getBoundingClientRect().width ?? 0;
      const { tone } = (filled as HTMLElement).dataset;
      return `${tone} ${Math.round((filled.getBoundingClientRect().width / whole) * 100)}%`;
    });

const app = sharedTestApp();

describe.each(SCREENS)('a member of staff at the $name', (screen) => {
  const browser = sharedBrowser();

  test('reads of which days the lines are, where days are chosen', async () => {
    const page = await browser.visitAsStaff(screen, app, '/admin/logs?tab=raw&from=2026-01-01');
    await page.getByText('User access logs for the days you chose').waitFor();
  });

  test('reads figures and raw lines of real visits', async () => {
    const visitor = app.visitor();
    const missing = `nothing-on-a-${screen.name}`;
    await visitor.get(`/${missing}`);
    const page = await browser.visitAsStaff(screen, app, '/admin');
    let isRawAsked = false;
    page.on('request', (request) => {
      isRawAsked ||= request.url().endsWith('/api/admin/logs');
    });
    await page.getByRole('link', { name: 'View Access Logs' }).click();
    await page.getByText('User access logs for the last 24 hours').waitFor();
    await panel(page, 'HTTP Status Codes').getByText('404 Not Found').waitFor();
    await expectAccessible(page);

    expect(isRawAsked).toBe(false);
    await page.getByRole('tab', { name: 'Raw Logs' }).click();
    const lines = page.getByRole('region', { name: 'Raw Logs' });
    await lines.getByText(`GET /${missing} HTTP/1.1`).waitFor();
    await expectAccessible(page);
    await openFilters(page);
    await page.getByLabel('Search').fill(missing);
    await expect.poll(async () => (await lines.textContent())?.trim().split('\n').length).toBe(1);
    await page.getByLabel('Pages only').check();
    await page.getByText('No logs available').waitFor();
    if (screen.name === 'phone') await page.keyboard.press('Escape');
    await page.getByRole('tab', { name: 'Raw Logs' }).press('ArrowLeft');
    await page.getByText('Total Requests').waitFor();
    await page.getByRole('link', { name: 'Back to Admin' }).click();
    await page.waitForURL('/admin');
  });

  test('learns which campaign brought a visitor who looked around before writing', async () => {
    const path = `/news?utm_source=Trade%20fair%20${screen.name}&utm_campaign=fall`;
    const visitor = await browser.visit(screen, app, path);
    await visitor.goto('/');
    await fillIn(visitor);
    // The same words sent twice are one message.
    await contactForm(visitor).getByLabel('Message').fill(`From a ${screen.name}`);
    await contactForm(visitor).getByRole('button', { name: 'Send Message' }).click();
    await visitor.getByText('Message Sent Successfully!').waitFor();

    const headers = { 'First-Visit': 'page=%2F&host=chatgpt.com' };
    await app.visitor().post('/api/teams-chat', { message: screen.name }, headers);

    const page = await browser.visitAsStaff(screen, app, '/admin/logs');
    await page.getByRole('tab', { name: 'Sources' }).click();
    const source = `trade fair ${screen.name}`;
    const sums = page.getByRole('row', { name: source }).first();
    // Visits of a headless browser are no one’s.
    await expect.poll(() => sums.textContent()).toBe(`${source}$0.000010`);
    const assistants = page.getByRole('rowgroup').filter({ hasText: 'AI assistants' }).first();
    expect(await assistants.textContent()).toMatch(/^AI assistantsChatGPT\$0/);
    await expectAccessible(page);
    const answered = page
      .context()
      .waitForEvent('response', (response) =>
        response.url().endsWith('/api/admin/sources/download'),
      );
    await page.getByRole('button', { name: 'Export CSV' }).click();
    expect((await answered).status()).toBe(200);
  });

  variant('sees every figure as specified', async () => {
    const page = await browser.open(screen, { as: await app.staff() });
    await answerWith(page, day());
    await page.goto('/admin/logs');
    const figure = (term: string) =>
      page.getByText(term, { exact: true }).locator('xpath=following-sibling::dd').textContent();
    expect(await figure('Total Requests')).toBe('2,000');
    expect(await figure('Unique Visitors')).toBe('1,234');
    expect(await figure('Avg Response Time')).toBe('12.35 ms');
    expect(await figure('Success Rate')).toBe('87%');

    expect(await bar(page, 'Most Visited Pages', '/news')).toBe('primary 25%');
    expect(await bar(page, 'Most Visited Pages', '/more')).toBe('primary 100%');
    expect(await bar(page, 'HTTP Status Codes', '200 OK')).toBe('green 87%');
    expect(await bar(page, 'HTTP Status Codes', '304 Not Modified')).toBe('blue 5%');
    expect(await bar(page, 'HTTP Status Codes', '404 Not Found')).toMatch(/^orange/);
    expect(await bar(page, 'HTTP Status Codes', '418 Unknown')).toMatch(/^orange/);
    expect(await bar(page, 'HTTP Status Codes', '500 Server Error')).toMatch(/^red/);

    const chart = panel(page, 'Requests and Errors by Hour');
    const drawing = await chart.getByRole('img').boundingBox();
    expect(drawing?.width).toBeGreaterThan(250);
    // Heights of the hour with errors, in percent of the busiest hour's requests.
    const bars = chart.locator('svg g').nth(3).locator('rect[class]');
    expect(await bars.evaluateAll((all) => all.map((bar) => bar.getAttribute('height')))).toEqual([
      '100',
      '6.25',
    ]);
    await chart.getByText('Show as a table').click();
    expect(await chart.getByRole('row').nth(4).textContent()).toMatch(/80\s*5$/);
    await expectAccessible(page);
  });
});

describe('a member of staff', () => {
  const browser = sharedBrowser();

  variant('sees a message in place of missing data', async () => {
    const page = await browser.open(SCREENS[0], { as: await app.staff() });
    await answerWith(page, day({ totalRequests: 0, httpStatusCodes: {}, mostVisitedPages: [] }));
    await page.route(RAW, (route) => route.fulfill({ json: { success: true, logs: '' } }));
    await page.goto('/admin/logs');
    await page.getByText('No page data available').waitFor();
    await page.getByText('No status code data available').waitFor();
    await page.getByText('0%').waitFor();
    await page.getByRole('tab', { name: 'Raw Logs' }).click();
    await page.getByText('No logs available').waitFor();
    await answerWith(page, day({ totalRequests: 110, httpStatusCodes: undefined }));
    await page.getByRole('tab', { name: 'Analytics' }).click();
    await page.getByText('110', { exact: true }).waitFor();
    expect(await page.getByText('0%').count()).toBe(0);
    await answerWith(page, undefined);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByText('No analytics data available').waitFor();
  });

  test('reads why there are no figures or lines, and each code of the figures in words', async () => {
    const page = await browser.open(SCREENS[0], { as: await app.staff(), allowErrors: /500|ERR/ });
    for (const call of [RAW, ANALYTICS])
      await page.route(call, (route) => route.fulfill({ status: 500, body: '' }));
    await page.goto('/admin/logs');
    await page.getByText('Failed to fetch analytics').first().waitFor();
    await page.getByRole('tab', { name: 'Raw Logs' }).click();
    await page.getByText('Failed to fetch logs').first().waitFor();
    await page.route(ANALYTICS, (route) => route.abort('connectionreset'));
    await page.goto('/admin/logs');
    await page.getByText('Error connecting to server').first().waitFor();
    const full = { success: false, message: 'The disk is full' };
    await page.route(ANALYTICS, (route) => route.fulfill({ json: full }));
    await page.goto('/admin/logs');
    await page.getByRole('alert').getByText(full.message).waitFor();
    const codes = [200, 201, 204, 304, 400, 401, 403, 404, 500, 418];
    const httpStatusCodes = Object.fromEntries(codes.map((code) => [code, 1]));
    await answerWith(page, day({ totalRequests: 10, httpStatusCodes }));
    await page.goto('/admin/logs');
    const labels = panel(page, 'HTTP Status Codes').getByRole('listitem');
    await expect
      .poll(async () => (await labels.allTextContents()).join('\n'))
      .toMatch(
        /200 OK.*201 Created.*204 No Content.*304 Not Modified.*400 Bad Request.*401 Unauthorized.*403 Forbidden.*404 Not Found.*418 Unknown.*500 Server Error/s,
      );
  });

  test('exports the log in a new window once the page has loaded', async () => {
    const page = await browser.open(SCREENS[0], { as: await app.staff() });
    await answerWith(page, day());
    const release = await holdRequests(page, ANALYTICS);
    await page.addInitScript(() => {
      const look = () => {
        const buttons = [...document.querySelectorAll('button')];
        const button = buttons.find(({ textContent }) => textContent === 'Export CSV');
        if (button && !button.disabled) Object.assign(window, { early: true });
      };
      const options = { childList: true, subtree: true, attributes: true } as const;
      new MutationObserver(look).observe(document, options);
    });
    await page.goto('/admin/logs');
    const button = page.getByRole('button', { name: 'Export CSV' });
    await button.waitFor();
    await expect.poll(() => button.isDisabled()).toBe(true);
    expect(await page.evaluate(() => 'early' in window)).toBe(false);
    release();
    await page.getByText('1,234').waitFor();
    const context = page.context();
    const opened = context.waitForEvent('page');
    const answered = context.waitForEvent('response', (response) =>
      response.url().endsWith('/download'),
    );
    await button.click();
    await opened;
    expect((await answered).headers()['content-disposition']).toMatch(
      /^attachment; filename="access-log-\d{4}-\d\d-\d\d\.csv"$/,
    );
  });
});
