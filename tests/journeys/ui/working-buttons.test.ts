/** A pressed button must not lose the focus: while busy, after a failure, when removed. */
import type { Locator, Page, Route } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { expectAccessible, SCREENS, sharedBrowser } from '../../support/browser.ts';
import { logOf, openChat, sendFirst } from '../../support/chat-window.ts';
import { CARDS, fillPayment, openPayment } from '../../support/checkout-steps.ts';
import { contactForm, fillIn } from '../../support/contact-steps.ts';
import { hasFocus, isReallyDisabled } from '../../support/control-state.ts';
import { holdRequests } from '../../support/hold-requests.ts';
import { insertSubmission } from '../../support/staff-steps.ts';
import { sharedTestApp } from '../../support/test-app.ts';
import { variant } from '../../support/variant.ts';

const [DESKTOP] = SCREENS;

const BUSY_BUTTONS = [
  {
    what: 'paying',
    path: '/checkout?plan=1',
    call: '**/api/create-payment-intent',
    async prepare(page: Page) {
      await openPayment(page);
      await fillPayment(page, CARDS.good);
    },
    find: (page: Page) => page.getByRole('form', { name: 'Payment' }).locator('[type=submit]'),
    press: (button: Locator) => button.press('Enter'),
  },
  {
    what: 'refreshing the access log',
    path: '/admin/logs',
    call: '**/api/admin/logs/analytics',
    prepare: (page: Page) => page.getByText('Total Requests').waitFor(),
    find: (page: Page) => page.getByRole('button', { name: 'Refresh' }),
    press: (button: Locator) => button.click(),
  },
  {
    what: 'marking a message',
    path: '/admin?open=1',
    call: '**/api/admin/threads/*/status',
    prepare: (page: Page) => page.getByRole('heading', { name: 'Submission Details' }).waitFor(),
    find: (page: Page) => page.getByRole('button', { name: 'Answered', exact: true }),
    press: (button: Locator) => button.press('Enter'),
  },
];

describe('a pressed button', () => {
  const browser = sharedBrowser();
  const app = sharedTestApp();
  beforeAll(() => insertSubmission(app));

  /** As staff, so that any page can be opened. */
  const open = async (allowErrors = /status of 503/) =>
    browser.open(DESKTOP, { as: await app.staff(), allowErrors });
  const again = (page: Page) => page.getByRole('button', { name: 'Try again' });
  const refuse = (route: Route) => route.fulfill({ status: 503, json: { message: 'away' } });

  variant.each(BUSY_BUTTONS)(
    'is disabled while $what, and then has the focus back',
    async ({ path, call, prepare, find, press }) => {
      const page = await open();
      await page.goto(path);
      await prepare(page);
      const button = find(page);
      const finish = await holdRequests(page, call, refuse);
      await press(button);
      await expect.poll(() => isReallyDisabled(button)).toBe(true);
      // The browser moves the focus in the next frame.
      await expect.poll(() => hasFocus(button)).toBe(false);
      finish();
      await expect.poll(() => isReallyDisabled(button)).toBe(false);
      await expect.poll(() => hasFocus(button)).toBe(true);
      // The Tab key still leads to it.
      expect(await button.evaluate(({ tabIndex }) => tabIndex)).toBe(0);
    },
  );

  variant('does not take the focus back from where it has moved', async () => {
    const page = await open();
    await page.goto('/');
    await fillIn(page);
    const finish = await holdRequests(page, '**/api/contact', refuse);
    await contactForm(page).getByRole('button').press('Enter');
    await page.getByRole('button', { name: 'Sending...' }).waitFor();
    const logo = page.getByRole('banner').getByRole('link').first();
    await logo.focus();
    finish();
    await page.getByText('Form Submission Error').first().waitFor();
    await expect.poll(() => hasFocus(logo)).toBe(true);
  });

  variant('that disappears from the chat moves the focus to the next message', async () => {
    const page = await open();
    await page.route('**/api/teams-chat', refuse);
    await page.goto('/news');
    await openChat(page);
    const box = page.getByLabel('Write to support');
    await sendFirst(page, 'Do you support Reynolds?');
    await again(page).waitFor();
    await expect.poll(() => hasFocus(box)).toBe(true);
    await page.unroute('**/api/teams-chat');
    await again(page).press('Enter');
    await logOf(page).getByText('Thank you, Ann.').waitFor();
    await expect.poll(() => hasFocus(box)).toBe(true);
  });

  test('that retries loading the staff area moves the focus to the page', async () => {
    const page = await open();
    const session = '**/api/admin/session';
    await page.route(session, refuse);
    await page.goto('/admin/account');
    await page.getByText('Can’t reach the server.').waitFor();
    await expectAccessible(page);
    const refused = page.waitForResponse(session);
    await again(page).press('Enter');
    await (await refused).finished();
    await page.unroute(session);
    await again(page).press('Enter');
    await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor();
    await expect.poll(() => hasFocus(page.getByRole('main'))).toBe(true);
    await expect.poll(() => again(page).count()).toBe(0);
  });
});
