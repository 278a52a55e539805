import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { expectAccessible, SCREENS, sharedBrowser } from '../../support/browser.ts';
import { hasFocus } from '../../support/control-state.ts';
import { DEMO, openAsStaff, signIn } from '../../support/staff-steps.ts';
import { sharedTestApp } from '../../support/test-app.ts';
import { readToast } from '../../support/toast.ts';
import { variant } from '../../support/variant.ts';

describe.each(SCREENS)('staff at the $name', (screen) => {
  const browser = sharedBrowser();
  const app = sharedTestApp();
  beforeEach(async () => {
    await app.database.db.deleteFrom('sessions').execute();
  });
  const allowErrors = /status of (401|503)/;
  const readFlag = (page: Page) => page.evaluate(() => localStorage.getItem('admin_authenticated'));

  test('sign in with the keyboard alone, and sign out, unless the server cannot be reached', async () => {
    const page = await browser.visit(screen, app, '/admin-login', { allowErrors });
    await page.getByRole('heading', { name: 'Staff sign-in' }).waitFor();
    expect(await page.getByText('Demo credentials').textContent()).toBe(
      'Demo credentials: admin / showroom-demo',
    );
    await expectAccessible(page);

    await page.getByLabel('Username').focus();
    await page.keyboard.type(DEMO.username);
    await page.keyboard.press('Tab');
    // So that password managers work.
    await page.locator('[autocomplete=current-password]:focus').waitFor();
    await page.keyboard.type(DEMO.password);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${app.address}/admin`);
    await readToast(page, 'Successfully logged in', 'Welcome to the admin dashboard');
    expect(await readFlag(page)).toBe('true');

    await page.goto(`${app.address}/admin-login`);
    await page.waitForURL(`${app.address}/admin`);

    const otherTab = await page.context().newPage();
    await otherTab.goto(`${app.address}/admin`);
    await otherTab.getByRole('heading', { name: 'All Submissions' }).waitFor();
    const logout = '**/api/admin/logout';
    await page.route(logout, (route) => route.fulfill({ status: 503, json: {} }));
    await page.getByRole('button', { name: 'Logout' }).click();
    await readToast(page, 'Error', 'We couldn’t log you out. Please try again.');
    await page.getByRole('heading', { name: 'All Submissions' }).waitFor();
    await page.unroute(logout);
    await page.getByRole('button', { name: 'Logout' }).click();
    await page.waitForURL(`${app.address}/`);
    await otherTab.getByRole('heading', { name: 'Staff sign-in' }).waitFor();
    await readToast(page, 'Logged out', 'You have been logged out successfully');
    expect(await readFlag(page)).toBeNull();
    await page.goBack();
    await page.waitForURL(`${app.address}/admin-login`);
  });

  variant('who open a link to a staff page sign in and then arrive there', async () => {
    const page = await browser.open(screen, { allowErrors });
    await page.goto(`${app.address}/admin/logs?tab=raw`);
    await page.waitForURL(`${app.address}/admin-login`);
    await page.reload();
    await signIn(page);
    await page.waitForURL(`${app.address}/admin/logs?tab=raw`);
    await page.getByRole('tab', { name: 'Raw Logs', selected: true }).waitFor();
    // Only once: a later sign-in starts at the inbox. Leave the staff area first, or it would
    // notice that the session has ended and return to the logs after the next sign-in.
    await page.goto(app.address);
    await app.database.db.deleteFrom('sessions').execute();
    await page.goto(`${app.address}/admin-login`);
    await signIn(page);
    await page.waitForURL(`${app.address}/admin`);
  });

  test('see which fields are missing and that the password was wrong', async () => {
    const page = await browser.visit(screen, app, '/admin-login', { allowErrors });
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Username is required').waitFor();
    await page.getByText('Password is required').waitFor();
    await expect.poll(() => hasFocus(page.getByLabel('Username'))).toBe(true);

    await signIn(page, { ...DEMO, password: 'let me in please' });
    await readToast(page, 'Authentication failed', 'Invalid username or password');
    await page.getByRole('alert').getByText('Invalid username or password').waitFor();
    await expect.poll(() => page.getByLabel('Username').inputValue()).toBe(DEMO.username);
    await expectAccessible(page);
  });

  variant('whose browser keeps no cookies for the site read that', async () => {
    const page = await browser.visit(screen, app, '/admin-login', { allowErrors });
    await page.route('**/api/admin/login', async (route) => {
      const response = await route.fetch();
      await page.context().clearCookies();
      const { 'set-cookie': _, ...headers } = response.headers();
      await route.fulfill({ response, headers });
    });
    await signIn(page);
    await page
      .getByRole('alert')
      .getByText('This browser keeps no cookies for this site')
      .waitFor();
    await expect.poll(() => page.getByText(/Successfully logged in|has expired/).count()).toBe(0);
    expect(await readFlag(page)).toBeNull();
  });

  test('whose session ends while they work sign in again and return to the same page', async () => {
    const page = await browser.open(screen, { allowErrors });
    await openAsStaff(page, app, '/admin?find=dana&status=spam');
    await page.getByText('No messages match').waitFor();
    // Ends while a call is on its way: earlier, what the page asks by itself may notice it first.
    await page.route(
      '**/api/admin/contacts*',
      async (route) => {
        await app.database.db.deleteFrom('sessions').execute();
        await route.continue();
      },
      { times: 1 },
    );
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByText('Your session has expired.').waitFor();
    expect(await readFlag(page)).toBeNull();
    await signIn(page);
    await page.waitForURL(`${app.address}/admin?find=dana&status=spam`);
    await page.getByText('No messages match').waitFor();
  });

  test('who set their name for customers read that it holds', async () => {
    const page = await browser.visitAsStaff(screen, app, '/admin/account');
    const form = page.getByRole('form', { name: 'Your name for customers' });
    await form.getByLabel('Name').fill('Jane Desk');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('Customers read “Jane Desk” from now on.').waitFor();
    await expectAccessible(page);
  });

  test('see the open sessions, end another one, and read about it in the audit', async () => {
    const other = await app.staff();
    const page = await browser.open(screen);
    await openAsStaff(page, app, '/admin/account');
    await page.getByText('This session').waitFor();
    await page.getByRole('cell', { name: 'Signed in' }).first().waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'End all other sessions' }).click();
    await page.getByText('one other session').waitFor();
    expect((await other.get('/api/admin/session')).status).toBe(401);
  });
});
