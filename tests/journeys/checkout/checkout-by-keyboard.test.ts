import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCREENS, useBrowser } from '../../support/browser.ts';
import { expectToast } from '../../support/checkout-steps.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

describe('a customer without a mouse', () => {
  const browser = useBrowser();
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.stop());

  test('chooses, adds licences and pays with the keyboard alone', async () => {
    const page = await browser.open(SCREENS[0]);
    await page.goto(`${app.address}/checkout`);
    const { keyboard } = page;
    /** Presses Tab until the control with this name has focus. */
    async function tabTo(name: RegExp): Promise<void> {
      for (let presses = 0; presses < 40; presses += 1) {
        await keyboard.press('Tab');
        const found = await page.evaluate(() => {
          const element = document.activeElement;
          const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : [];
          return [element?.textContent, ...labels.map((label) => label.textContent)].join(' ');
        });
        if (name.test(found)) return;
      }
      throw new Error(`the keyboard never reached ${name}`);
    }
    await tabTo(/Essential/);
    await keyboard.press('Space');
    await keyboard.press('ArrowDown');
    await tabTo(/No Microsoft 365/);
    await keyboard.press('ArrowDown');
    await tabTo(/^\s*Users/);
    await keyboard.press('ControlOrMeta+A');
    await keyboard.type('12');
    await tabTo(/Cloud backup/);
    await keyboard.press('Space');
    await tabTo(/Proceed to Checkout/);
    await keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await tabTo(/Name on Card/);
    await keyboard.type('Ann Lee');
    await tabTo(/Billing Email/);
    await keyboard.type('keys@example.com');
    await tabTo(/Card Number/);
    await keyboard.type('4242424242424242');
    await tabTo(/Expiry Date/);
    await keyboard.type('1230');
    await tabTo(/CVV/);
    await keyboard.type('123');
    await tabTo(/I accept/);
    await keyboard.press('Space');
    await keyboard.press('Enter');
    await expectToast(page, 'Payment successful!', 'Thank you');
    const order = await app.database.db.selectFrom('orders').selectAll().executeTakeFirstOrThrow();
    expect(order).toMatchObject({
      planName: 'Professional',
      ms365Option: 'business_standard',
      ms365Users: 12,
      includeCloudBackup: 1,
      status: 'paid',
      amountCents: 85_000 + 12 * (1_250 + 495),
    });
  });
});
