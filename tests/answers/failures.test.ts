import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SCREENS, useBrowser } from '../support/browser.ts';
import { openChat, panelOf } from '../support/chat-window.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { enterAsStaff } from './screens.ts';

const [DESK] = SCREENS;

const browser = useBrowser();
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

/** What draws money and times fails, as an error in a part of the screen does. */
async function breakFormats(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const { prototype } of [Intl.NumberFormat, Intl.DateTimeFormat]) {
      const format = () => {
        throw new Error('broken on purpose');
      };
      Object.defineProperty(prototype, 'format', { get: () => format });
    }
  });
}

const expectComplaints = /broken on purpose|Failed to load resource/;

test('a list that fails while it is drawn is replaced by its error text alone', async () => {
  const page = await browser.open(DESK, { expectComplaints });
  await page.goto(`${app.address}/news`);
  await breakFormats(page);
  await page.evaluate(() => window.history.pushState(null, '', '/'));
  await page.getByText('Error loading pricing plans. Please try again later.').waitFor();
  await page.getByText('More sites, more users').first().waitFor();
  await page.getByRole('heading', { name: 'Cybersecurity Services' }).waitFor();
  await page.getByRole('navigation', { name: 'Main', exact: true }).waitFor();
});

test('a part of a staff screen that fails is replaced alone, with a way to try again', async () => {
  const page = await browser.open(DESK, { expectComplaints });
  await enterAsStaff(page);
  await page.goto(`${app.address}/admin/orders`);
  await page.getByText('Priya Raman').waitFor();
  await breakFormats(page);
  await page.getByRole('link', { name: 'Inbox' }).click();
  await page.getByText('This part could not be shown.').first().waitFor();
  await page.getByRole('button', { name: 'Try again' }).first().waitFor();
  await page.getByRole('heading', { name: 'All Submissions' }).waitFor();
  await page.getByRole('link', { name: 'Orders' }).waitFor();
});

/** Left by an older version, or by hand. */
const STORED = {
  chat: '{"id":7,"messages":[{"id":1,"content":{},"sender":"agent"},5]}',
  visitor: '["x"]',
  toast: '{"title":{}}',
  order: '"undefined"',
  order_attempt: '{"key":5}',
  'inbox-letters': '{}',
  staff_page_wanted: '"//evil.example/"',
  'scroll-positions': '[[1],7]',
};

test('what the tab has kept in another shape breaks no document', async () => {
  const page = await browser.open(DESK);
  await page.addInitScript((stored) => {
    for (const [key, value] of Object.entries(stored)) sessionStorage.setItem(key, value);
  }, STORED);
  await page.goto(app.address);
  await openChat(page);
  await panelOf(page).getByText('How can I help you with your IT needs today?').waitFor();
  await page.goto(`${app.address}/checkout?plan=2`);
  await page.getByRole('heading', { name: 'Almost There!' }).waitFor();
  await enterAsStaff(page);
  await page.goto(`${app.address}/admin-login`);
  await page.getByRole('heading', { name: 'Admin Dashboard' }).waitFor();
  await page.getByText('Turn j and k off').waitFor();
});

/** The document, with the data for its script changed. */
async function changeData(page: Page, path: string, change: (data: string) => string) {
  await page.route(app.address + path, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: change(await response.text()) });
  });
}

test('a page whose data makes no sense stays as it was sent', async () => {
  const page = await browser.open(DESK);
  await changeData(page, '/', (html) => html.replace('"slides":[', '"slips":['));
  await page.goto(app.address, { waitUntil: 'load' }).catch(() => undefined);
  await page.getByRole('heading', { name: 'Transparent Pricing' }).waitFor();
  await page.getByRole('link', { name: 'Skip to content' }).waitFor({ state: 'attached' });
});

test.each(['/checkout', '/admin'])(
  '%s says that it could not be shown, within its frame',
  async (path) => {
    const page = await browser.open(DESK);
    await changeData(page, path, (html) => html.replace('"publicUrl":"', '"url":"'));
    await page.goto(app.address + path).catch(() => undefined);
    await page.getByRole('heading', { name: 'This page could not be shown' }).waitFor();
    expect(await page.locator('header a').count()).toBeGreaterThan(0);
  },
);

test.each([
  { link: 'News', content: { articles: [{ title: 5 }] }, shows: 'News & Updates' },
  { link: 'News', content: 'text', shows: 'News & Updates' },
])('a move whose page makes no sense loads the address: $content', async ({ content, shows }) => {
  const page = await browser.open(DESK);
  await page.route(/\/api\/page/, (route) =>
    route.fulfill({ json: { name: 'news', path: '/news', title: 'x', description: '', content } }),
  );
  await page.goto(`${app.address}/resources/`);
  await page.evaluate(() => window.history.pushState(null, '', '/news'));
  await page.getByRole('heading', { level: 1, name: shows }).waitFor();
  await page
    .getByRole('link', { name: /^Read More/ })
    .first()
    .waitFor();
});
