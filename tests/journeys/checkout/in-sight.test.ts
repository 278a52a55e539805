/** The choice, its price and the button to go on are visible and not covered. */
import { describe, expect, test } from 'vitest';
import { boxOf, overlap } from '../../support/boxes.ts';
import { SCREENS, type Screen, sharedBrowser } from '../../support/browser.ts';
import { openPayment } from '../../support/checkout-steps.ts';
import { sharedTestApp } from '../../support/test-app.ts';
import { variant } from '../../support/variant.ts';

const CHOICE = '/checkout?plan=2&microsoft365=business_premium&ms365_users=26&cloud_backup=true';

describe('the checkout', () => {
  const browser = sharedBrowser();
  const [desk, phone] = SCREENS;
  const app = sharedTestApp();

  const open = (screen: Screen) => browser.visit(screen, app, CHOICE);

  variant.each([320, 1280])(
    'at %i px has the chat button at the bottom right, covering no amount, and Get Started keeps the choice',
    async (width) => {
      const page = await open({ ...(width < 700 ? phone : desk), width });
      const button = page.getByRole('button', { name: 'Chat with us' });
      const { right, bottom } = await boxOf(button);
      expect([width - right, page.viewportSize()?.height]).toEqual([
        expect.toSatisfy((gap: number) => gap >= 0 && gap < 40),
        expect.toSatisfy((height: number) => height - bottom >= 0 && height - bottom < 40),
      ]);
      const bar = page.locator('[data-total-bar]');
      for (const each of [bar.getByText(/^\$/), bar.getByRole('button')])
        expect(await overlap(button, each)).toBe(false);
      // Amounts under the bar are hidden by the bar itself.
      const rest = page.locator('main').getByText(/^\$[\d,.]+/);
      for (const amount of await rest.all()) {
        const { top, bottom: foot } = await boxOf(amount);
        if (foot <= (await boxOf(bar)).top || top >= (await boxOf(bar)).bottom)
          expect(await overlap(button, amount)).toBe(false);
      }
      await button.click();
      await page.getByRole('dialog', { name: /Support/i }).waitFor();
      await page.getByRole('button', { name: 'Close chat' }).click();
      const start = page.getByRole('banner').getByRole('link', { name: 'Get Started' });
      if (width > 352) await start.click();
      await expect.poll(() => page.url()).toBe(app.address + CHOICE);
      await expect.poll(() => page.getByLabel('Users').inputValue()).toBe('26');
    },
  );

  test.each([
    ['a desk', desk, desk.height],
    ['a phone with its keyboard', phone, 480],
  ])(
    'on %s keeps what Pay charges and Pay visible from the first field to the last',
    async (_where, screen, height) => {
      const page = await open(screen);
      await openPayment(page);
      await page.setViewportSize({ width: screen.width, height });
      const dialog = page.getByRole('dialog', { name: 'Complete Your Purchase' });
      const button = dialog.getByRole('button', { name: /^Pay \$/ });
      const accepts = dialog.getByRole('checkbox', { name: 'terms and conditions' });
      const promise = dialog.getByText('then every month until you cancel');
      await expect.poll(async () => (await boxOf(button)).bottom).toBeLessThanOrEqual(height);
      for (const label of ['Name on Card', 'Billing Email', 'Company', 'Card Number', 'CVV']) {
        const field = dialog.getByLabel(label);
        // A browser brings the field that has the focus into view again itself.
        await field.blur();
        await field.focus();
        const [pays, charges, accept, typed, close] = await Promise.all([
          boxOf(button),
          boxOf(promise),
          boxOf(accepts),
          boxOf(field),
          boxOf(dialog.getByRole('button', { name: 'Close', exact: true })),
        ]);
        expect(pays.bottom, label).toBeLessThanOrEqual(height);
        expect(charges.bottom, label).toBeLessThanOrEqual(pays.top);
        expect(accept.bottom, label).toBeLessThanOrEqual(charges.top);
        expect(typed.bottom, label).toBeLessThanOrEqual(accept.top);
        expect(close.top, label).toBeGreaterThanOrEqual(0);
        expect(typed.top, label).toBeGreaterThanOrEqual(close.bottom);
      }
    },
  );

  test('lists on a phone what the sum is made of, once it is pressed', async () => {
    const page = await open(phone);
    await openPayment(page);
    const dialog = page.getByRole('dialog', { name: 'Complete Your Purchase' });
    const backup = dialog.getByText('26 users × $4.95');
    expect(await backup.isVisible()).toBe(false);
    await dialog.getByRole('button', { name: '$1,550.70 a month', expanded: false }).click();
    await backup.waitFor();
  });
});
