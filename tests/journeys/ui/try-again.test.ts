/** Who presses 'Try again' by keyboard finds the focus at the button when it fails again, and at the part when it comes. */
import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { breakFormat } from '../../support/break-format.ts';
import { SCREENS, useBrowser } from '../../support/browser.ts';
import { hasFocus } from '../../support/control-state.ts';
import { openAsStaff, receive } from '../../support/staff-steps.ts';
import { sharedTestApp, type TestApp } from '../../support/test-app.ts';

const [DESK] = SCREENS;

interface Failure {
  what: string;
  call: string;
  /** To where it fails. */
  open: (page: Page, app: TestApp) => Promise<unknown>;
  /** What shows that it has come. */
  come: (page: Page) => Locator;
  /** Has the focus then. */
  place: (page: Page) => Locator;
}

const FAILURES: readonly Failure[] = [
  {
    what: 'the plans at the checkout',
    call: '**/api/plans',
    open: (page, app) => page.goto(`${app.address}/checkout`),
    come: (page) => page.getByRole('radio', { name: /^Essential/ }),
    place: (page) => page.getByRole('heading', { name: 'Available Plans' }),
  },
  {
    what: 'the staff area',
    call: '**/api/admin/session',
    async open(page, app) {
      await openAsStaff(page, app, '/admin/account');
      await page.reload();
    },
    come: (page) => page.getByRole('heading', { name: 'Sessions and Sign-ins' }),
    place: (page) => page.getByRole('main'),
  },
];

describe('a part that fails', () => {
  const browser = useBrowser();
  const app = sharedTestApp();

  const button = (page: Page) => page.getByRole('button', { name: 'Try again' });

  test.each(FAILURES)('keeps the keyboard: $what', async ({ call, open, come, place }) => {
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
  });

  test('keeps the keyboard: a list that cannot be drawn', async () => {
    await receive(app);
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
