/** A failure in the browser replaces only its part; the document keeps its header. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { SCREENS, sharedBrowser } from '../support/browser.ts';
import { openChat, panelOf } from '../support/chat-window.ts';
import { captureLog } from '../support/logged.ts';
import { ORDER } from '../support/order-answers.ts';
import { answer, enterAsStaff } from '../support/staff-answers.ts';
import { sharedTestApp } from '../support/test-app.ts';

const [DESKTOP] = SCREENS;
const PART = 'This part didn’t load. Try again';
const PAGE = 'This page didn’t load';

interface Broken {
  path: string;
  /** Rendering this text fails. */
  text: string;
  /** What is shown in its place. */
  instead: string;
  stays: readonly string[];
  /** Opens the part, if the document does not show it by itself. */
  act?: (page: Page) => Promise<unknown>;
}

const BROKEN: readonly Broken[] = [
  {
    path: '/resources/',
    text: 'How can I help you',
    instead: PART,
    stays: ['Articles by topic'],
    act: (page) => page.getByRole('button', { name: 'Chat with us' }).last().click(),
  },
  {
    path: '/checkout?plan=2',
    text: 'O-1042',
    instead: PART,
    stays: ['Almost There!', 'Available Plans', 'Order Summary'],
  },
  { path: '/admin/orders?open=1042', text: 'All Orders', instead: PAGE, stays: [] },
];

describe('when a part of the page fails, only that part is replaced:', () => {
  const browser = sharedBrowser();
  const app = sharedTestApp();

  /** Makes rendering this text throw, like a bug in a component. */
  function breakText(text: string): void {
    const fail = (drawn: unknown) => {
      if (String(drawn).includes(text)) throw new Error('broken on purpose');
    };
    const plain = document.createTextNode;
    document.createTextNode = (drawn) => {
      fail(drawn);
      return plain.call(document, drawn);
    };
    for (const name of ['textContent', 'nodeValue'] as const) {
      const own = Object.getOwnPropertyDescriptor(Node.prototype, name);
      Object.defineProperty(Node.prototype, name, {
        get: own?.get,
        set(drawn) {
          fail(drawn);
          own?.set?.call(this, drawn);
        },
      });
    }
  }

  test.each(BROKEN)('$text of $path', async ({ path, text, instead, stays, act }) => {
    const log = captureLog();
    const page = await browser.open(DESKTOP, {
      allowErrors: /broken on purpose|Failed to load resource/,
    });
    await page.addInitScript(() => sessionStorage.setItem('order', '1042'));
    await answer(page, 'orders/1042', ORDER);
    if (path.startsWith('/admin')) await enterAsStaff(page);
    await page.addInitScript(breakText, text);
    await page.goto(app.address + path);
    await act?.(page);
    const root = page.locator('#root');
    for (const each of [instead, ...stays]) await root.filter({ hasText: each }).waitFor();
    const shown = (await root.textContent()) ?? '';
    expect(shown.split('didn’t load')).toHaveLength(2);
    expect(await page.locator('header a').count()).toBeGreaterThan(0);
    // The server's log gets one line about it, without personal data.
    const [address = ''] = path.split('?');
    await expect
      .poll(() => log.lines)
      .toContainEqual({
        at: expect.any(String),
        request: expect.any(String),
        level: 'warn',
        event: 'part-failed',
        kind: 'part',
        page: address,
        error: 'Error',
        place: expect.any(String),
      });
    expect(log.lines.filter(({ event }) => event === 'part-failed')).toHaveLength(1);
  });

  /** Left by an older version, or changed by hand. */
  const STORED = {
    chat: '{"id":7,"messages":[{"id":1,"content":{},"sender":"agent"},5]}',
    visitor: '["x"]',
    toast: '{"title":{}}',
    order: '"undefined"',
    order_attempt: '{"key":5}',
    'inbox-letters': '{}',
  };

  test('malformed session storage breaks no document', async () => {
    const page = await browser.open(DESKTOP);
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

  test('a staff page that is first asked for offline says so, and comes with a reload', async () => {
    const page = await browser.open(DESKTOP, { allowErrors: /DISCONNECTED|Failed to fetch/ });
    await enterAsStaff(page);
    await page.goto(`${app.address}/admin`);
    await page.getByRole('heading', { name: 'Admin Dashboard' }).waitFor();
    await page.context().setOffline(true);
    await page.getByRole('link', { name: 'Prices' }).click();
    await page.getByText('You’re offline. Reload once you’re connected again.').waitFor();
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Reload page' }).click();
    await page.getByRole('heading', { name: 'Prices' }).waitFor();
  });
});
