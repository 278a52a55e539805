/** Parts whose script comes when they are first needed: where it fails, they alone say so, and come when tried again. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCREENS, useBrowser } from '../../support/browser.ts';
import { openPayment } from '../../support/checkout-steps.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';
import { untilReady } from '../../support/wait-for-script.ts';

describe.each(SCREENS)('a part whose script is missing at the $name', (screen) => {
  const browser = useBrowser();
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.stop());

  async function openWithout(path: string, part: string) {
    const page = await browser.open(screen, {
      expectComplaints: /status of 404|dynamically imported|a part could not be fetched/,
    });
    const script = `**/assets/${part}-*.js`;
    await page.route(script, (route) => route.fulfill({ status: 404 }));
    await page.goto(app.address + path);
    return { page, mend: () => page.unroute(script) };
  }

  async function tryAgain(page: Page) {
    const loaded = page.waitForEvent('load');
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click();
    await loaded;
  }

  test('is the payment form: the dialog says so, and the visitor pays after trying again', async () => {
    const { page, mend } = await openWithout('/checkout?plan=1', 'payment-form');
    await page.getByRole('button', { name: 'Proceed to Checkout' }).click();
    await page.getByRole('dialog').getByText('This part didn’t load.').waitFor();
    await mend();
    await tryAgain(page);
    await openPayment(page);
    await page.getByLabel('Name on Card').waitFor();
    expect(await page.getByRole('heading', { name: 'Almost There!' }).count()).toBe(1);
  });

  test('is the last submission: the page around it stays, and it comes after trying again', async () => {
    const { page, mend } = await openWithout('/', 'last-submission-panel');
    const email = page.locator('#contact').getByRole('link', { name: /@/ });
    const open = () => email.dispatchEvent('dblclick');
    await open();
    await page.locator('#contact').getByText('This part didn’t load.').waitFor();
    expect(await page.getByRole('heading', { name: 'Our Professional Services' }).count()).toBe(1);
    await mend();
    await tryAgain(page);
    await untilReady(page);
    await open();
    await page.getByRole('heading', { name: 'Last Form Submission' }).waitFor();
  });
});
