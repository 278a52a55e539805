/** Staff set up an authenticator app, sign in with its codes, and lose the phone. */
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { NO_SECOND_FACTOR } from '../../../src/sign-in/password-account.server.ts';
import { codeNow, PASSWORD } from '../../support/authenticator.ts';
import { expectAccessible, SCREENS, sharedBrowser } from '../../support/browser.ts';
import { signIn } from '../../support/staff-steps.ts';
import { OWN_PASSWORD, sharedTestApp, type TestApp } from '../../support/test-app.ts';
import { readToast } from '../../support/toast.ts';
import { variant } from '../../support/variant.ts';

const ADMIN = { username: 'admin', password: PASSWORD };

/** Returns the recovery codes. */
async function setUp(page: Page, badCode?: string): Promise<string[]> {
  await page.getByRole('button', { name: 'Set up an authenticator' }).click();
  await page.getByRole('img', { name: 'QR code' }).waitFor();
  const secret = ((await page.locator('code.select-all').textContent()) ?? '').replaceAll(' ', '');
  const code = page.getByLabel('Code from the app');
  await page.getByLabel('Your password').fill(PASSWORD);
  if (badCode) {
    await code.fill(badCode);
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByText('This code doesn’t match.').waitFor();
    await expectAccessible(page);
  }
  const shown = codeNow(secret);
  await code.fill(`${shown.slice(0, 3)} ${shown.slice(3)}`);
  await page.getByRole('button', { name: 'Turn on' }).click();
  const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  await codes.first().waitFor();
  await expectAccessible(page);
  const texts = await codes.allInnerTexts();
  const copied = page.evaluate(
    () =>
      new Promise((resolve) => {
        document.addEventListener('copy', () => resolve(String(getSelection())), { once: true });
      }),
  );
  await page.getByRole('button', { name: 'Copy' }).click();
  expect(
    String(await copied)
      .split(/\s+/)
      .filter(Boolean),
  ).toEqual(texts);
  await page.evaluate(() => {
    window.print = () => document.body.setAttribute('data-printed', '');
  });
  await page.getByRole('button', { name: 'Print' }).click();
  await page.locator('[data-printed]').waitFor({ state: 'attached' });
  await page.getByRole('button', { name: 'I’ve saved them' }).click();
  return texts;
}

async function signInWithCode(page: Page, code: string): Promise<void> {
  await page.getByLabel('Authentication code').fill(code);
  await signIn(page, ADMIN);
}

describe.each(SCREENS)('staff at the $name', (screen) => {
  const browser = sharedBrowser();
  const app = sharedTestApp(OWN_PASSWORD);
  const strict = sharedTestApp({ ...OWN_PASSWORD, STAFF_SECOND_FACTOR: 'required' });
  const allowErrors = /status of 40[013]/;
  const forget = ({ database }: TestApp) =>
    database.db.updateTable('accounts').set(NO_SECOND_FACTOR).execute();
  beforeEach(() => Promise.all([app, strict].map(forget)));

  test('set up an authenticator, sign in with a recovery code, and remove it when the phone is lost', async () => {
    const page = await browser.visitAsStaff(screen, app, '/admin/account', { allowErrors });
    const [first = '', second = '', ...others] = await setUp(page, '000000');
    expect(others).toHaveLength(8);
    await page.getByText('10 recovery codes are left.').waitFor();

    await page.getByRole('button', { name: 'Logout' }).click();
    await page.waitForURL(`${app.address}/`);
    await page.goto(`${app.address}/admin-login`);
    const code = page.getByLabel('Authentication code');
    expect(await code.getAttribute('autocomplete')).toBe('one-time-code');
    expect(await code.getAttribute('inputmode')).toBe('numeric');
    await expectAccessible(page);
    await signInWithCode(page, '000 000');
    await readToast(page, 'Authentication failed', 'Invalid username or password');
    await signInWithCode(page, first);
    await page.waitForURL(`${app.address}/admin`);

    await page.getByRole('link', { name: 'Account' }).click();
    await page.getByText('9 recovery codes are left.').waitFor();
    await page.getByRole('button', { name: 'Remove…' }).click();
    const dialog = page.getByRole('dialog');
    await expectAccessible(page);
    await dialog.getByLabel('Your password').fill(PASSWORD);
    await dialog.getByLabel('Authentication code').fill(first);
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
    await dialog.getByText('The password or the code is wrong').waitFor();
    await dialog.getByLabel('Authentication code').fill(second);
    await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
    await readToast(page, 'Authenticator removed', 'The password alone signs you in.');
    await page.getByRole('button', { name: 'Set up an authenticator' }).waitFor();
  });

  variant('who need an authenticator are led to it, and work on once it is set up', async () => {
    const page = await browser.visit(screen, strict, '/admin/orders', { allowErrors });
    await signIn(page, ADMIN);
    await page.waitForURL(`${strict.address}/admin/account`);
    await page.getByText('Set up an authenticator to use the other pages.').waitFor();
    await expect.poll(() => page.getByRole('heading', { name: 'Open sessions' }).count()).toBe(0);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Orders' }).click();
    await page.waitForURL(`${strict.address}/admin/account`);
    await setUp(page);
    await page.getByRole('heading', { name: 'Open sessions' }).waitFor();
    await page.getByRole('link', { name: 'Inbox' }).click();
    await page.getByRole('heading', { name: 'All Submissions' }).waitFor();
  });
});
