/** A part that fails while it is drawn is replaced alone. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { ACCOUNT, ORDER } from '../looks/order-answers.ts';
import { SCREENS, useBrowser } from '../support/browser.ts';
import { openPayment } from '../support/checkout-steps.ts';
import { catchLog } from '../support/logged.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { enterAsStaff } from './staff-screens.ts';

const [DESK] = SCREENS;
const PART = 'This part didn’t load. Try again';
const PAGE = 'This page didn’t load';
const PLANS = 'Error loading pricing plans. Please try again later.';

interface Broken {
  path: string;
  /** Whatever draws this fails. */
  text: string;
  /** What stands there then. */
  instead: string;
  stays: readonly string[];
  /** What has the part drawn, where that is not the document by itself. */
  act?: (page: Page) => Promise<unknown>;
}

const without = (stays: readonly string[], text: string) => stays.filter((each) => each !== text);

const SITE: readonly Broken[] = [
  {
    path: '/resources/',
    text: 'How can I help you',
    instead: PART,
    stays: ['Articles by topic'],
    act: (page) => page.getByRole('button', { name: 'Chat with us' }).click(),
  },
];

const CHECKOUT = '/checkout?plan=2';
const PLAN = {
  id: 2,
  name: 'Professional',
  description: 'For one office.',
  price: 850,
  popular: true,
  features: ['A desk to call'],
};
const QUOTE = {
  reference: 'Q-7',
  state: 'open',
  name: 'Ann Lee',
  company: null,
  note: null,
  planId: 2,
  planName: 'Professional',
  ms365Option: 'none',
  ms365Users: 0,
  includeCloudBackup: false,
  lines: [{ kind: 'plan', label: 'Professional', unitPrice: 850, quantity: 1, amount: 850 }],
  amount: 850,
  discount: null,
  createdAt: '2026-03-01T10:00:00.000Z',
  expiresAt: '2026-03-31T10:00:00.000Z',
  acceptedAt: null,
  reminders: true,
};
const AT_CHECKOUT = ['Almost There!', 'O-1042', 'Available Plans', 'Order Summary'];
const SHOP: readonly Broken[] = [
  { path: CHECKOUT, text: 'Your order is placed', instead: PAGE, stays: [] },
  { path: CHECKOUT, text: 'O-1042', instead: PART, stays: without(AT_CHECKOUT, 'O-1042') },
  { path: CHECKOUT, text: 'For one office', instead: PLANS, stays: AT_CHECKOUT },
  {
    path: CHECKOUT,
    text: 'A desk to call',
    instead: PART,
    stays: without(AT_CHECKOUT, 'Order Summary'),
  },
  {
    path: CHECKOUT,
    text: 'Name on Card',
    instead: PART,
    stays: [...AT_CHECKOUT, 'Complete Your Purchase'],
    act: openPayment,
  },
  {
    path: '/checkout/order#1042.signed',
    text: 'O-1042',
    instead: PART,
    stays: ['Your order', 'Questions?'],
  },
  { path: '/quote/token', text: 'Prepared for', instead: PART, stays: ['Quote Q-7'] },
];

const INBOX = '/admin?open=41';
const IN_INBOX = [
  'Not delivered yet',
  'C-40',
  'All Submissions',
  'Hank Ortega',
  'Submission Details',
];
const ORDERS = '/admin/orders?open=1042';
const IN_ORDERS = ['All Orders', 'Priya Raman', 'Order O-1042'];
const STAFF: readonly Broken[] = [
  { path: INBOX, text: 'Not delivered yet', instead: PART, stays: IN_INBOX.slice(2) },
  {
    path: INBOX,
    text: 'connection refused',
    instead: PART,
    stays: ['Not delivered yet', ...IN_INBOX.slice(2)],
  },
  { path: INBOX, text: 'Hank Ortega', instead: PART, stays: without(IN_INBOX, 'Hank Ortega') },
  { path: INBOX, text: 'Submission Details', instead: PART, stays: IN_INBOX.slice(0, 4) },
  { path: ORDERS, text: 'Priya Raman', instead: PART, stays: without(IN_ORDERS, 'Priya Raman') },
  { path: ORDERS, text: 'History', instead: PART, stays: IN_ORDERS.slice(0, 2) },
  { path: ORDERS, text: 'All Orders', instead: PAGE, stays: [] },
  { path: '/admin/logs?tab=raw', text: 'GET /checkout', instead: PART, stays: ['Raw Logs'] },
];

describe('a part that fails is replaced alone', () => {
  const browser = useBrowser();
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.stop());

  /** Whatever draws this text fails from now on, as an error in a part of the screen does. */
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

  async function expectReplaced(page: Page, { path, text, instead, stays, act }: Broken) {
    const log = catchLog();
    onTestFinished(log.letGo);
    await page.addInitScript(breakText, text);
    await page.goto(app.address + path);
    await act?.(page);
    const root = page.locator('#root');
    for (const each of [instead, ...stays]) await root.filter({ hasText: each }).waitFor();
    const shown = (await root.textContent()) ?? '';
    expect(shown.split('didn’t load').length + Number(instead.startsWith('Error'))).toBe(2);
    expect(await page.locator('header a').count()).toBeGreaterThan(0);
    // Staff who read the server's log learn of it, once, and of nobody's data.
    const [address = ''] = path.split(/[?#]|(?<=^\/quote)\//);
    await expect
      .poll(() => log.lines)
      .toContainEqual({
        at: expect.any(String),
        level: 'warn',
        event: 'part-failed',
        kind: 'part',
        page: address,
        error: 'Error',
        place: expect.any(String),
      });
    expect(log.lines.filter(({ event }) => event === 'part-failed')).toHaveLength(1);
  }

  const expectComplaints = /broken on purpose|Failed to load resource/;

  test.each(SITE)('$text on the site', async (broken) => {
    await expectReplaced(await browser.open(DESK, { expectComplaints }), broken);
  });

  test.each(SHOP)('$text at the checkout', async (broken) => {
    const page = await browser.open(DESK, { expectComplaints });
    await page.addInitScript(() => sessionStorage.setItem('order', '1042'));
    await page.route('**/api/plans', (route) => route.fulfill({ json: [PLAN] }));
    await page.route('**/api/quote', (route) => route.fulfill({ json: QUOTE }));
    await page.route('**/api/orders/1042', (route) => route.fulfill({ json: ORDER }));
    await page.route('**/api/order-page', (route) => route.fulfill({ json: ACCOUNT }));
    await expectReplaced(page, broken);
  });

  test.each(STAFF)('$text in the staff area', async (broken) => {
    const page = await browser.open(DESK, { expectComplaints });
    await enterAsStaff(page);
    await expectReplaced(page, broken);
  });
});
