import { beforeEach, describe, expect, test } from 'vitest';
import { expectAccessible, SCREENS, useBrowser } from '../../support/browser.ts';
import { DEMO, openAsStaff, readToast, signIn } from '../../support/staff-steps.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

describe.each(SCREENS)('a colleague at the $name', (screen) => {
  const browser = useBrowser();
  let app: TestApp;
  // A server of its own for each test: failures to sign in count for all that come from one address.
  beforeEach(async () => {
    app = await startTestApp({ TRUST_PROXY: '0' });
    return () => app.stop();
  });
  const expectComplaints = /status of (401|503)/;
  const flag = 'admin_authenticated';

  test('signs in with the keyboard alone, works, and signs out', async () => {
    const page = await browser.open(screen);
    await page.goto(`${app.address}/admin-login`);
    await page.getByRole('heading', { name: 'Staff sign-in' }).waitFor();
    expect(await page.getByText('Demo credentials').textContent()).toBe(
      'Demo credentials: admin / showroom-demo',
    );
    await expectAccessible(page);

    await page.getByLabel('Username').focus();
    await page.keyboard.type(DEMO.username);
    await page.keyboard.press('Tab');
    await page.keyboard.type(DEMO.password);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${app.address}/admin`);
    await readToast(page, 'Successfully logged in', 'Welcome to the admin dashboard');
    expect(await page.evaluate((name) => localStorage.getItem(name), flag)).toBe('true');

    await page.goto(`${app.address}/admin-login`);
    await page.waitForURL(`${app.address}/admin`);

    await page.getByRole('button', { name: 'Logout' }).click();
    await page.waitForURL(`${app.address}/`);
    await readToast(page, 'Logged out', 'You have been logged out successfully');
    expect(await page.evaluate((name) => localStorage.getItem(name), flag)).toBeNull();
    await page.goBack();
    await page.waitForURL(`${app.address}/admin-login`);
  });

  test('is asked to sign in first, and then is where the link led', async () => {
    const page = await browser.open(screen, { expectComplaints });
    await openAsStaff(page, app, '/admin/logs?tab=raw');
    await page.getByRole('tab', { name: 'Raw Logs', selected: true }).waitFor();
    // Only once: a later sign-in starts at the inbox. Staff screens are left first, since they notice when a session is
    // gone, and the next sign-in then returns to them.
    await page.goto(app.address);
    await app.database.db.deleteFrom('sessions').execute();
    await page.goto(`${app.address}/admin-login`);
    await signIn(page);
    await page.waitForURL(`${app.address}/admin`);
  });

  test('is told what is missing and what was wrong', async () => {
    const page = await browser.open(screen, { expectComplaints });
    await page.goto(`${app.address}/admin-login`);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Username is required').waitFor();
    await page.getByText('Password is required').waitFor();
    expect(
      await page.getByLabel('Username').evaluate((input) => input === document.activeElement),
    ).toBe(true);

    await signIn(page, { ...DEMO, password: 'let me in please' });
    await readToast(page, 'Authentication failed', 'Invalid username or password');
    await page.getByRole('alert').getByText('Invalid username or password').waitFor();
    expect(await page.getByLabel('Username').inputValue()).toBe(DEMO.username);
    await expectAccessible(page);
  });

  test('goes on at the same place after the session has ended in the middle of work', async () => {
    const page = await browser.open(screen, { expectComplaints });
    await openAsStaff(page, app, '/admin?find=dana&mark=spam');
    await page.getByText('No messages match').waitFor();
    await app.database.db.deleteFrom('sessions').execute();
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByText('Your session has expired.').waitFor();
    expect(await page.evaluate((name) => localStorage.getItem(name), flag)).toBeNull();
    await signIn(page);
    await page.waitForURL(`${app.address}/admin?find=dana&mark=spam`);
    await page.getByText('No messages match').waitFor();
  });

  test('is not let in by the flag alone', async () => {
    const page = await browser.open(screen, { expectComplaints });
    await page.goto(`${app.address}/`);
    await page.evaluate((name) => localStorage.setItem(name, 'true'), flag);
    await page.goto(`${app.address}/admin/account`);
    await page.waitForURL(`${app.address}/admin-login`);
    expect(await page.evaluate((name) => localStorage.getItem(name), flag)).toBeNull();
  });

  test('sees that the server is away, and goes on when it is back', async () => {
    const page = await browser.open(screen, { expectComplaints });
    await openAsStaff(page, app, '/admin');
    await page.route('**/api/admin/session', (route) =>
      route.fulfill({ status: 503, json: { message: 'away' } }),
    );
    await page.reload();
    await page.getByText('Can’t reach the server.').waitFor();
    await expectAccessible(page);
    await page.unroute('**/api/admin/session');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Admin Dashboard' }).waitFor();
  });

  test('sees where the account is open, ends another session, and reads what happened', async () => {
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
