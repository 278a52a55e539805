import { describe, expect, test } from 'vitest';
import { openBeforeScript } from '../../support/before-script.ts';
import { SCREENS, sharedBrowser } from '../../support/browser.ts';
import { choosePlan, monthlyTotal, openPayment } from '../../support/checkout-steps.ts';
import { hasFocus, isReallyDisabled } from '../../support/control-state.ts';
import { writeSilently } from '../../support/fill-fields.ts';
import { sharedTestApp } from '../../support/test-app.ts';
import { readToast } from '../../support/toast.ts';
import { variant } from '../../support/variant.ts';

describe.each(SCREENS)('a customer who chooses at the $name', (screen) => {
  const browser = sharedBrowser();
  const app = sharedTestApp();

  test('sees the total follow plan, option, users and backup', async () => {
    const page = await browser.visit(screen, app, '/checkout');
    await page.getByRole('button', { name: 'Proceed to Checkout', disabled: true }).waitFor();
    await page
      .getByText('No plan selected. Please select a plan from the options on the left.')
      .waitFor();
    await choosePlan(page, 'Essential');
    expect(await monthlyTotal(page)).toBe('$450.00');
    expect(await page.getByLabel('Users').isVisible()).toBe(false);
    await page.getByRole('radio', { name: /Microsoft 365 E3/ }).check();
    expect(await page.getByLabel('Users').isVisible()).toBe(true);
    await page.getByText('10 users × $36.00').waitFor();
    await expect.poll(() => page.getByLabel('Users').inputValue()).toBe('10');
    expect(await monthlyTotal(page)).toBe('$810.00');
    await page.locator('[aria-live=polite]').getByText('$810.00').waitFor();
    await page.getByRole('checkbox', { name: /Cloud backup/ }).check();
    expect(await monthlyTotal(page)).toBe('$859.50');
    await page.getByLabel('Users').fill('7');
    expect(await monthlyTotal(page)).toBe('$736.65');
    await choosePlan(page, 'Enterprise');
    await expect.poll(() => page.getByLabel('Users').inputValue()).toBe('50');
    expect(await monthlyTotal(page)).toBe('$3,997.50');
    await expect
      .poll(() => page.url())
      .toBe(`${app.address}/checkout?plan=3&microsoft365=e3&ms365_users=50&cloud_backup=true`);
    expect(await page.evaluate(() => window.history.length)).toBe(2);
    await page.getByRole('radio', { name: /No Microsoft 365/ }).check();
    expect(await monthlyTotal(page)).toBe('$1,950.00');
  });

  test('reads which plan fits a team that is larger than the chosen one is sized for', async () => {
    const page = await browser.visit(
      screen,
      app,
      '/checkout?plan=2&microsoft365=e3&ms365_users=30',
    );
    const words = page.getByText('Sized for about 20. For 30: Enterprise.');
    await words.waitFor();
    await page.getByLabel('Users').fill('20');
    await words.waitFor({ state: 'detached' });
    await choosePlan(page, 'Enterprise');
    await page.getByLabel('Users').fill('80');
    expect(await page.getByText('Sized for about').count()).toBe(0);
  });

  variant('pays for the number of users that a program has written without an event', async () => {
    const page = await browser.visit(screen, app, '/checkout?plan=2&microsoft365=e3');
    await page.getByLabel('Users').evaluate(writeSilently, '7');
    await openPayment(page);
    await page.getByRole('button', { name: 'Pay $1,102.00 per month' }).waitFor();
  });

  variant('keeps what was chosen before the script ran, and the scroll position', async () => {
    const page = await browser.open(screen);
    const link = `${app.address}/checkout?plan=2&microsoft365=e3&ms365_users=25`;
    const release = await openBeforeScript(page, link);
    await choosePlan(page, 'Essential');
    await page.getByRole('radio', { name: /Business Premium/ }).check();
    await page.getByLabel('Users').fill('12');
    await page.getByRole('checkbox', { name: /Cloud backup/ }).check();
    await page.evaluate(() => scrollTo(0, 300));
    const before = await page.evaluate(() => scrollY);
    release();
    await page.getByText('$773.40').waitFor();
    expect(await page.evaluate(() => scrollY)).toBe(before);
    await expect
      .poll(() => page.url())
      .toBe(
        `${app.address}/checkout?plan=1&microsoft365=business_premium&ms365_users=12&cloud_backup=true`,
      );
  });

  variant(
    'who presses before the script ran reads no total until it is right, then the payment form',
    async () => {
      const page = await browser.open(screen);
      const link = `${app.address}/checkout?plan=2&microsoft365=e3&ms365_users=25`;
      const release = await openBeforeScript(page, link);
      await page.getByRole('radio', { name: /^Professional/, checked: true }).waitFor();
      const proceed = page.getByRole('button', { name: 'Proceed to Checkout' });
      await proceed.click();
      const total = page.getByText('Monthly total', { exact: true }).locator('~ *');
      expect(await total.isVisible()).toBe(false);
      release();
      await page.getByRole('button', { name: 'Pay $1,750.00 per month' }).waitFor();
    },
  );

  variant('who goes on without a plan reads that one is needed', async () => {
    const page = await browser.visit(screen, app, '/checkout');
    const button = page.getByRole('button', { name: 'Proceed to Checkout' });
    const expectRefusal = () =>
      readToast(page, 'No plan selected', 'Please select a service plan to continue.');
    expect(await isReallyDisabled(button)).toBe(true);
    await button.scrollIntoViewIfNeeded();
    const { x = 0, y = 0, width = 0, height = 0 } = (await button.boundingBox()) ?? {};
    const middle = [x + width / 2, y + height / 2] as const;
    await (screen.name === 'phone' ? page.touchscreen.tap(...middle) : page.mouse.click(...middle));
    await expectRefusal();
    await page.getByRole('radio', { name: /No Microsoft 365/ }).press('Enter');
    await expectRefusal();

    await choosePlan(page, 'Essential');
    await page.getByRole('radio', { name: /No Microsoft 365/ }).press('Enter');
    await openPayment(page);
    await expect.poll(() => page.getByText('No plan selected').count()).toBe(0);
  });

  test('cannot buy for an invalid number of users, which stays as typed', async () => {
    const page = await browser.visit(screen, app, '/checkout?plan=1&microsoft365=e3');
    const users = page.getByLabel('Users');
    await users.fill('1500');
    await users.blur();
    await page.getByText('from 1 to 1,000, or call (800) 555-0199 for more').waitFor();
    await expect.poll(() => users.inputValue()).toBe('1500');
    expect(await monthlyTotal(page)).toBe('');
    await expect.poll(() => page.getByText('$360.00').count()).toBe(0);
    // A copied link names no number that the screen does not show.
    await expect.poll(() => page.url()).not.toContain('ms365_users');
    await page.getByRole('button', { name: 'Proceed to Checkout' }).click();
    await expect.poll(() => hasFocus(users)).toBe(true);
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    await page.getByRole('radio', { name: /No Microsoft 365/ }).check();
    expect(await monthlyTotal(page)).toBe('$450.00');
    await page.getByRole('radio', { name: /Microsoft 365 E3/ }).check();
    await expect.poll(() => users.inputValue()).toBe('1500');
    await choosePlan(page, 'Professional');
    await expect.poll(() => users.inputValue()).toBe('20');
    expect(await monthlyTotal(page)).toBe('$1,570.00');
    await openPayment(page);
  });

  test('closes the payment form with the back button, with Change, with a press beside it or by a reload, and keeps choice and name', async () => {
    const page = await browser.visit(screen, app, '/checkout?plan=3');
    await openPayment(page);
    await page.getByLabel('Name on Card').fill('Ann Lee');
    await page.goBack();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await monthlyTotal(page)).toBe('$1,950.00');
    await openPayment(page);
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    await expect
      .poll(() => page.getByRole('dialog', { name: 'Complete Your Purchase' }).count())
      .toBe(0);
    await openPayment(page);
    await page.mouse.click(5, 5);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await openPayment(page);
    await page.evaluate(() => scrollTo(0, 300));
    await page.reload();
    expect(await page.evaluate(() => scrollY)).toBe(0);
    await expect
      .poll(() => page.getByRole('dialog', { name: 'Complete Your Purchase' }).count())
      .toBe(0);
    expect(await monthlyTotal(page)).toBe('$1,950.00');
    await openPayment(page);
    await expect.poll(() => page.getByLabel('Name on Card').inputValue()).toBe('Ann Lee');
  });
});
