import { beforeEach, describe, expect, test } from 'vitest';
import { expectAccessible, SCREENS, sharedBrowser } from '../../support/browser.ts';
import { sharedSiteWithProvider, signInAtWork } from '../../support/openid-provider.ts';
import { signIn } from '../../support/staff-steps.ts';
import { OWN_PASSWORD } from '../../support/test-app.ts';
import { readToast } from '../../support/toast.ts';
import { variant } from '../../support/variant.ts';

const CREDENTIALS = { username: 'admin', password: OWN_PASSWORD.ADMIN_PASSWORD };
const WORK = 'Sign in with your work account';

describe.each(SCREENS)('staff with work accounts at the $name', (screen) => {
  const browser = sharedBrowser();
  const site = sharedSiteWithProvider();
  beforeEach(() => {
    site.provider.person = 'dana';
    site.provider.fault = null;
  });
  const allowErrors = /status of 401/;

  test('arrive at the page that they asked for, and sign out here and at work', async () => {
    const { app, provider } = site;
    const page = await browser.open(screen, { allowErrors });
    await page.goto(`${app.address}/admin/logs?tab=raw`);
    await page.waitForURL(`${app.address}/admin-login`);
    await page.getByRole('link', { name: WORK }).waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: WORK }).click();
    await page.waitForURL(`${app.address}/admin/logs?tab=raw`);
    await readToast(page, 'Successfully logged in', 'Welcome to the admin dashboard');
    await page.getByText('Dana Whitfield').waitFor();

    await page.getByRole('button', { name: 'Logout' }).click();
    await page.waitForURL(`${app.address}/admin-login?work=out`);
    await readToast(page, 'Logged out', 'You have been logged out successfully');
    await page.getByText('You are signed out here, but not of your work account.').waitFor();
    await expectAccessible(page);
    const leave = page.getByRole('link', { name: 'Sign out of your work account' });
    expect(await leave.getAttribute('href')).toBe('/api/admin/oidc/sign-out');
    const left = page.waitForRequest(`${provider.origin}/session/end?client_id=site`);
    await leave.click();
    await left;
  });

  variant('read what went wrong, and sign in with the next try or the password', async () => {
    const { app, provider } = site;
    const page = await browser.visit(screen, app, '/admin-login', { allowErrors });
    provider.person = null;
    await page.getByRole('link', { name: WORK }).click();
    await page.getByText('or ask your administrator for access.').waitFor();
    provider.person = 'sam';
    provider.people.set('sam', { name: 'Sam Ortiz', roles: ['guest'] });
    await page.getByRole('link', { name: WORK }).click();
    await page.getByRole('alert').getByText('Your work account has no access').waitFor();
    await expectAccessible(page);
    provider.person = 'dana';
    provider.fault = (response) => response.writeHead(500).end();
    await page.getByRole('link', { name: WORK }).click();
    await page.getByText('Or sign in with the password.').waitFor();
    await signIn(page, CREDENTIALS);
    await page.waitForURL(`${app.address}/admin`);
  });

  test('see their colleagues, and block one who has left', async () => {
    const { app } = site;
    const dana = app.visitor();
    expect(await signInAtWork(dana)).toBe('in');
    const admin = app.visitor();
    await admin.post('/api/admin/login', CREDENTIALS);
    const page = await browser.visit(screen, app, '/admin/account', { allowErrors, as: admin });
    const row = page.getByRole('listitem').filter({ hasText: 'dana@tidewell.example' });
    await row.getByText('Work account').waitFor();
    await expectAccessible(page);
    await row.getByRole('button', { name: 'Block here' }).click();
    await row.getByText('Blocked here').waitFor();
    expect((await dana.get('/api/admin/session')).status).toBe(401);
    expect(await signInAtWork(dana)).toBe('blocked');
    // By keyboard: a second click at once would be a part of the first.
    await row.getByRole('button', { name: 'Unblock' }).press('Enter');
    await row.getByText('Blocked here').waitFor({ state: 'hidden' });
    expect(await signInAtWork(dana)).toBe('in');
  });
});
