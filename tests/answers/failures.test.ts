import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCREENS, useBrowser } from '../support/browser.ts';
import { openChat, panelOf } from '../support/chat-window.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { enterAsStaff } from './staff-screens.ts';

const [DESK] = SCREENS;

describe('a part or a page that fails', () => {
  const browser = useBrowser();
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.stop());

  /** Left by an older version, or by hand. */
  const STORED = {
    chat: '{"id":7,"messages":[{"id":1,"content":{},"sender":"agent"},5]}',
    visitor: '["x"]',
    toast: '{"title":{}}',
    order: '"undefined"',
    order_attempt: '{"key":5}',
    'inbox-letters': '{}',
    staff_page_wanted: '"//evil.example/"',
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
  });

  test.each([
    ['/', 'Part of this page didn’t load. Please reload it.'],
    ['/checkout', 'Part of this page didn’t load. Please reload it.'],
    ['/admin', 'The staff area didn’t load.'],
  ])('%s that came cut off stays as it was sent, and says so', async (path, words) => {
    const page = await browser.open(DESK, { expectComplaints: /JSON/ });
    await page.route(app.address + path, async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace('id="page-data">{', 'id="page-data">');
      await route.fulfill({ response, body });
    });
    // Not by `goto`, which waits until the script has taken the page over.
    await page.goto(`${app.address}/robots.txt`);
    await page.evaluate((address) => window.location.assign(address), path);
    await page.getByText(words).waitFor();
    expect(await page.locator('header a').count()).toBeGreaterThan(0);
  });
});
