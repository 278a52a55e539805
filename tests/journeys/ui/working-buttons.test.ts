/** While a button works it is really disabled, and afterwards it has the focus back; by keyboard nobody is lost. */
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { SCREENS, useBrowser } from '../../support/browser.ts';
import { dialogOf, logOf, openChat, panelOf } from '../../support/chat-window.ts';
import { CARDS, fillPayment, newAddress, openPayment, pay } from '../../support/checkout-steps.ts';
import { fillIn } from '../../support/contact-steps.ts';
import { hasFocus, isReallyDisabled } from '../../support/control-state.ts';
import { openAsStaff } from '../../support/staff-steps.ts';
import { sharedTestApp, type TestApp } from '../../support/test-app.ts';

const [DESK] = SCREENS;

interface Work {
  what: string;
  call: string;
  /** Leads to the button. */
  open: (page: Page, app: TestApp) => Promise<Locator>;
}

const WORK: readonly Work[] = [
  {
    what: 'sending a contact message',
    call: '**/api/contact',
    async open(page, app) {
      await page.goto(app.address);
      await fillIn(page);
      return page.locator('form[action="/contact"] button');
    },
  },
  {
    what: 'paying',
    call: '**/api/create-payment-intent',
    async open(page, app) {
      await page.goto(`${app.address}/checkout?plan=1`);
      await openPayment(page);
      await fillPayment(page, CARDS.good);
      return page.getByRole('form', { name: 'Payment' }).locator('button[type=submit]');
    },
  },
  {
    what: 'asking for the order again',
    call: '**/update-status',
    async open(page, app) {
      await page.route('**/update-status', (route) => route.fulfill({ status: 503, json: {} }));
      await page.goto(`${app.address}/checkout?plan=1`);
      await openPayment(page);
      await fillPayment(page, CARDS.good, newAddress('asks.again'));
      await pay(page);
      const again = page.getByRole('button', { name: 'Try again' });
      await again.waitFor();
      return again;
    },
  },
  {
    what: 'refreshing the access log',
    call: '**/api/admin/logs/analytics',
    async open(page, app) {
      const first = page.waitForResponse('**/api/admin/logs/analytics');
      await openAsStaff(page, app, '/admin/logs');
      await first;
      const button = page.getByRole('button', { name: 'Refresh' });
      await expect.poll(() => isReallyDisabled(button)).toBe(false);
      return button;
    },
  },
];

describe('a button that was pressed by keyboard', () => {
  const browser = useBrowser();
  const app = sharedTestApp();
  const expectComplaints = /status of 503/;

  test.each(WORK)('is disabled while $what and then has the focus back', async ({ call, open }) => {
    const page = await browser.open(DESK, { expectComplaints });
    const button = await open(page, app);
    const { promise: held, resolve: finish } = Promise.withResolvers<void>();
    await page.route(call, async (route) => {
      await held;
      await route.fulfill({ status: 503, json: { message: 'Please try again.' } });
    });
    await button.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => isReallyDisabled(button)).toBe(true);
    // Only the next frame takes the focus away.
    await expect.poll(() => hasFocus(button)).toBe(false);
    finish();
    await expect.poll(() => isReallyDisabled(button)).toBe(false);
    await expect.poll(() => hasFocus(button)).toBe(true);
  });

  test('leaves the focus where it went meanwhile', async () => {
    const page = await browser.open(DESK, { expectComplaints });
    const [contact] = WORK;
    const button = await contact?.open(page, app);
    const { promise: held, resolve: finish } = Promise.withResolvers<void>();
    await page.route('**/api/contact', async (route) => {
      await held;
      await route.fulfill({ status: 503, json: {} });
    });
    await button?.press('Enter');
    await page.getByRole('button', { name: 'Sending...' }).waitFor();
    const logo = page.getByRole('banner').getByRole('link').first();
    await logo.focus();
    finish();
    await page.getByText('Form Submission Error').first().waitFor();
    expect(await hasFocus(logo)).toBe(true);
  });

  test('goes from the chat for good, and the focus to the box for the next message', async () => {
    const page = await browser.open(DESK, { expectComplaints });
    await page.route('**/api/teams-chat', (route) => route.fulfill({ status: 503, json: {} }));
    await page.goto(app.address);
    await openChat(page);
    const box = page.getByLabel('Write to support');
    await box.fill('Do you support Reynolds?');
    await panelOf(page).getByRole('button', { name: 'Send', exact: true }).press('Enter');
    await dialogOf(page).getByLabel('Name').fill('Ann Moore');
    await dialogOf(page).getByLabel('Email').fill('ann@lakeside.example');
    await dialogOf(page).getByRole('button', { name: 'Send Message' }).press('Enter');
    const again = panelOf(page).getByRole('button', { name: 'Try again' });
    await again.waitFor();
    await expect.poll(() => hasFocus(box)).toBe(true);
    await page.unroute('**/api/teams-chat');
    await again.press('Enter');
    await logOf(page).getByText('Thank you, Ann Moore.').waitFor();
    await expect.poll(() => hasFocus(box)).toBe(true);
  });
});
