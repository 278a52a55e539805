/** Who presses a button by keyboard does not lose the focus: while it works, when it has failed, and when its part has come. */
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { breakFormat } from '../../support/break-format.ts';
import { SCREENS, useBrowser } from '../../support/browser.ts';
import { ask, logOf, openChat, panelOf } from '../../support/chat-window.ts';
import { CARDS, fillPayment, newEmail, openPayment, pay } from '../../support/checkout-steps.ts';
import { fillIn } from '../../support/contact-steps.ts';
import { hasFocus, isReallyDisabled } from '../../support/control-state.ts';
import { insertSubmission, openAsStaff } from '../../support/staff-steps.ts';
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
      await fillPayment(page, CARDS.good, newEmail('asks.again'));
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

interface Failure {
  what: string;
  call: string;
  /** Opens the page on which it fails. */
  open: (page: Page, app: TestApp) => Promise<unknown>;
  /** Stands there when it has come. */
  come: (page: Page) => Locator;
  /** Has the focus then. */
  place: (page: Page) => Locator;
}

const FAILURES: readonly Failure[] = [
  {
    what: 'for the plans at the checkout',
    call: '**/api/plans',
    open: (page, app) => page.goto(`${app.address}/checkout`),
    come: (page) => page.getByRole('radio', { name: /^Essential/ }),
    place: (page) => page.getByRole('heading', { name: 'Available Plans' }),
  },
  {
    what: 'for the staff area',
    call: '**/api/admin/session',
    async open(page, app) {
      await openAsStaff(page, app, '/admin/account');
      await page.reload();
    },
    come: (page) => page.getByRole('heading', { name: 'Sessions and Sign-ins' }),
    place: (page) => page.getByRole('main'),
  },
];

describe('a button that was pressed by keyboard', () => {
  const browser = useBrowser();
  const app = sharedTestApp();
  const expectComplaints = /status of 503/;

  /** The call fails, but not before what this returns is called. */
  async function holdCall(page: Page, call: string): Promise<() => void> {
    const { promise: held, resolve: finish } = Promise.withResolvers<void>();
    await page.route(call, async (route) => {
      await held;
      await route.fulfill({ status: 503, json: { message: 'Please try again.' } });
    });
    return finish;
  }

  test.each(WORK)('is disabled while $what and then has the focus back', async ({ call, open }) => {
    const page = await browser.open(DESK, { expectComplaints });
    const button = await open(page, app);
    const finish = await holdCall(page, call);
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
    const finish = await holdCall(page, '**/api/contact');
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
    await ask(page, 'Do you support Reynolds?');
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
    'that tries again $what has the focus when it fails again, and the part when it comes',
    async ({ call, open, come, place }) => {
      const page = await browser.open(DESK, { expectComplaints: /status of 503/ });
      await page.route(call, (route) => route.fulfill({ status: 503, json: { message: 'away' } }));
      await open(page, app);
      await button(page).focus();
      const refused = page.waitForResponse(call);
      await page.keyboard.press('Enter');
      await (await refused).finished();
      await expect.poll(() => hasFocus(button(page))).toBe(true);
      await page.unroute(call);
      await page.keyboard.press('Enter');
      await come(page).waitFor();
      expect(await hasFocus(place(page))).toBe(true);
      expect(await button(page).count()).toBe(0);
    },
  );

  test('that tries again to draw a list has the focus when it fails again, and the list when it comes', async () => {
    await insertSubmission(app);
    const page = await browser.open(DESK, { expectComplaints: /broken on purpose/ });
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
