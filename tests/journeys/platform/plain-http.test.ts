/** A laptop in the office network tries the site: no encryption, and an address that is not this machine's own. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCREENS, useBrowser } from '../../support/browser.ts';
import { CARDS, expectToast, fillPayment, openPayment, pay } from '../../support/checkout-steps.ts';
import { freePort } from '../../support/free-port.ts';
import { openAsStaff } from '../../support/staff-steps.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

const [DESK] = SCREENS;
const HOST = 'shop.test';

describe('over plain http from another machine', () => {
  const browser = useBrowser({ flags: [`--host-resolver-rules=MAP ${HOST} 127.0.0.1`] });
  let app: TestApp;
  beforeAll(async () => {
    const port = await freePort();
    const address = `http://${HOST}:${port}`;
    const started = await startTestApp({
      PORT: String(port),
      PUBLIC_URL: address,
      DEMO_MODE: 'on',
    });
    app = { ...started, address };
  });
  afterAll(() => app.stop());
  // Chromium says that it ignores some headers there.
  const options = { expectComplaints: /Cross-Origin-Opener-Policy|Origin-Agent-Cluster/ };

  test('a customer pays', async () => {
    const page = await browser.open(DESK, options);
    await page.goto(`${app.address}/checkout?plan=1`);
    expect(await page.evaluate(() => window.isSecureContext)).toBe(false);
    await openPayment(page);
    await fillPayment(page, CARDS.good);
    await pay(page);
    await expectToast(page, 'Payment successful!', 'Thank you');
  });

  test('a colleague gives money back', async () => {
    const page = await browser.open(DESK, options);
    await page.goto(`${app.address}/checkout?plan=2`);
    await openPayment(page);
    await fillPayment(page, CARDS.good, 'refunded@example.com');
    await pay(page);
    await expectToast(page, 'Payment successful!', 'Thank you');
    await openAsStaff(page, app, '/admin/orders');
    await page.getByRole('button', { name: 'View' }).first().click();
    await page.getByRole('button', { name: 'Refund…' }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Refund \$/ })
      .click();
    await page.getByText('Refunded', { exact: true }).first().waitFor();
  });
});
