/** Pressing a button by keyboard must not lose the focus: while it is busy, after a failure, and when it is removed. */
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { breakFormat } from '../../support/break-format.ts';
import { expectAccessible, SCREENS, sharedBrowser } from '../../support/browser.ts';
import { logOf, openChat, panelOf, sendFirst } from '../../support/chat-window.ts';
import { CARDS, fillPayment, openPayment } from '../../support/checkout-steps.ts';
import { fillIn } from '../../support/contact-steps.ts';
import { hasFocus, isReallyDisabled } from '../../support/control-state.ts';
import { insertSubmission, openAsStaff } from '../../support/staff-steps.ts';
import { sharedTestApp, type TestApp } from '../../support/test-app.ts';

const [DESKTOP] = SCREENS;

interface BusyButton {
  what: string;
  call: string;
  /** Returns the button. */
  open: (page: Page, app: TestApp) => Promise<Locator>;
}

const BUSY_BUTTONS: readonly BusyButton[] = [
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
  {
    what: 'marking a message',
    call: '**/api/admin/contacts/*/mark',
    async open(page, app) {
      const id = await insertSubmission(app, { name: 'Hank' });
      await openAsStaff(page, app, `/admin?open=${id}`);
      return page.getByRole('button', { name: 'Answered', exact: true });
    },
  },
];

interface Failure {
  what: string;
  call: string;
  open: (page: Page, app: TestApp) => Promise<unknown>;
  /** In the part, once it has loaded. */
  loaded: (page: Page) => Locator;
  /** Has the focus then. */
  focused: (page: Page) => Locator;
}

const FAILURES: readonly Failure[] = [
  {
    what: 'the plans at the checkout',
    call: '**/api/plans',
    open: (page, app) => page.goto(`${app.address}/checkout`),
    loaded: (page) => page.getByRole('radio', { name: /^Essential/ }),
    focused: (page) => page.getByRole('heading', { name: 'Available Plans' }),
  },
  {
    what: 'the staff area',
    call: '**/api/admin/session',
    async open(page, app) {
      await openAsStaff(page, app, '/admin/account');
      await page.reload();
      await page.getByText('Can’t reach the server.').waitFor();
      await expectAccessible(page);
    },
    loaded: (page) => page.getByRole('heading', { name: 'Sessions and Sign-ins' }),
    focused: (page) => page.getByRole('main'),
  },
];

describe('a button pressed by keyboard', () => {
  const browser = sharedBrowser();
  const app = sharedTestApp();
  const allowErrors = /status of 503/;

  /** Holds the call until the returned function is called, then fails it. */
  async function holdCall(page: Page, call: string): Promise<() => void> {
    const { promise: held, resolve: finish } = Promise.withResolvers<void>();
    await page.route(call, async (route) => {
      await held;
      await route.fulfill({ status: 503, json: { message: 'Please try again.' } });
    });
    return finish;
  }

  test.each(BUSY_BUTTONS)(
    'is disabled while $what, and then has the focus back',
    async ({ call, open }) => {
      const page = await browser.open(DESKTOP, { allowErrors });
      const button = await open(page, app);
      const finish = await holdCall(page, call);
      await button.focus();
      await page.keyboard.press('Enter');
      await expect.poll(() => isReallyDisabled(button)).toBe(true);
      // The browser moves the focus in the next frame.
      await expect.poll(() => hasFocus(button)).toBe(false);
      finish();
      await expect.poll(() => isReallyDisabled(button)).toBe(false);
      await expect.poll(() => hasFocus(button)).toBe(true);
    },
  );

  test('does not take the focus back from where it has moved', async () => {
    const page = await browser.open(DESKTOP, { allowErrors });
    const [contact] = BUSY_BUTTONS;
    const button = await contact?.open(page, app);
    const finish = await holdCall(page, '**/api/contact');
    await button?.press('Enter');
    await page.getByRole('button', { name: 'Sending...' }).waitFor();
    const logo = page.getByRole('banner').getByRole('link').first();
    await logo.focus();
    finish();
    await page.getByText('Form Submission Error').first().waitFor();
    expect(await hasFocus(logo)).toBe(true);
  });

  test('that disappears from the chat moves the focus to the box for the next message', async () => {
    const page = await browser.open(DESKTOP, { allowErrors });
    await page.route('**/api/teams-chat', (route) => route.fulfill({ status: 503, json: {} }));
    await page.goto(app.address);
    await openChat(page);
    const box = page.getByLabel('Write to support');
    await sendFirst(page, 'Do you support Reynolds?');
    const again = panelOf(page).getByRole('button', { name: 'Try again' });
    await again.waitFor();
    await expect.poll(() => hasFocus(box)).toBe(true);
    await page.unroute('**/api/teams-chat');
    await again.press('Enter');
    await logOf(page).getByText('Thank you, Ann Moore.').waitFor();
    await expect.poll(() => hasFocus(box)).toBe(true);
  });

  const button = (page: Page) => page.getByRole('button', { name: 'Try again' });

  test.each(FAILURES)(
    'that retries loading $what keeps the focus if it fails again, and moves it when it has loaded',
    async ({ call, open, loaded, focused }) => {
      const page = await browser.open(DESKTOP, { allowErrors: /status of 503/ });
      await page.route(call, (route) => route.fulfill({ status: 503, json: { message: 'away' } }));
      await open(page, app);
      await button(page).focus();
      const refused = page.waitForResponse(call);
      await page.keyboard.press('Enter');
      await (await refused).finished();
      await expect.poll(() => hasFocus(button(page))).toBe(true);
      await page.unroute(call);
      await page.keyboard.press('Enter');
      await loaded(page).waitFor();
      expect(await hasFocus(focused(page))).toBe(true);
      expect(await button(page).count()).toBe(0);
    },
  );

  test('that retries rendering a list keeps the focus if it fails again, and moves it to the list', async () => {
    await insertSubmission(app);
    const page = await browser.open(DESKTOP, { allowErrors: /broken on purpose/ });
    await openAsStaff(page, app, '/admin/account');
    const mend = await breakFormat(page, 'DateTimeFormat');
    await page.getByRole('link', { name: 'Inbox' }).click();
    const list = page.getByRole('region', { name: 'All Submissions' });
    await button(page).focus();
    const failing = page.waitForEvent('console', (said) => /on purpose/.test(said.text()));
    await page.keyboard.press('Enter');
    await failing;
    await expect.poll(() => hasFocus(button(page))).toBe(true);
    await mend();
    await page.keyboard.press('Enter');
    await list.getByText('Dana Whitfield').waitFor();
    expect(await hasFocus(list.getByRole('heading'))).toBe(true);
  });
});
