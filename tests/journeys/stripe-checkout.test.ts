import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectAccessible, SCREENS, type Screen, useBrowser } from '../support/browser.ts';
import { routeStripe } from '../support/fake-stripe/playwright-route.ts';
import { openShop, type StripeShop } from '../support/stripe-shop.ts';

const browser = useBrowser();
let shop: StripeShop;
beforeAll(async () => {
  shop = await openShop();
  shop.fake.autoDeliver({ url: shop.webhook, secret: shop.fake.webhookSecret });
});
afterAll(() => shop.close());

async function openForm(screen: Screen, expectComplaints?: RegExp) {
  const page = await browser.open(screen, expectComplaints ? { expectComplaints } : {});
  const stripe = await routeStripe(page.context(), shop.fake);
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.url().startsWith(shop.app.address)) {
      sent.push(`${request.url()} ${request.postData() ?? ''}`);
    }
  });
  const choice = 'plan=2&microsoft365=business_standard&ms365_users=20';
  await page.goto(`${shop.app.address}/checkout?${choice}`);
  expect(stripe.requested).toEqual([]);
  await page.getByRole('button', { name: 'Proceed to Checkout' }).click();
  return { page, stripe, sent };
}

async function typeCard(page: Page, number: string) {
  const fields = {
    'Secure card number input frame': number,
    'Secure expiration date input frame': '1234',
    'Secure CVC input frame': '737',
  };
  for (const [title, value] of Object.entries(fields)) {
    await page.frameLocator(`iframe[title="${title}"]`).locator('input').fill(value);
  }
}

async function fillBilling(page: Page, email: string) {
  await page.getByLabel('Name on Card').fill('Pat Buyer');
  await page.getByLabel('Billing Email').fill(email);
  await page.getByLabel(/terms and conditions/).check();
}

const pay = (page: Page) => page.getByRole('button', { name: 'Pay $1,100.00 per month' });

describe.each(SCREENS)('buying by card on a $name', (screen) => {
  test('the card goes to Stripe alone, and the order is paid', async () => {
    const { page, stripe, sent } = await openForm(screen);
    await fillBilling(page, `ok-${screen.name}@example.com`);
    await typeCard(page, '4242 4242 4242 4242');
    await page.screenshot({ path: `/tmp/stripe/form-${screen.name}.png` });
    await expectAccessible(page);
    await pay(page).click();
    await page.getByText('Payment successful!').waitFor();
    await page.screenshot({ path: `/tmp/stripe/paid-${screen.name}.png` });
    await page.getByText('Paid', { exact: true }).waitFor();
    await page.waitForFunction(() => !window.location.search.includes('secret'));
    expect(stripe.requested[0]).toMatch(/^https:\/\/js\.stripe\.com\//);
    expect(sent.filter((each) => /4242|737/.test(each))).toEqual([]);
    expect(shop.fake.sawDigits('4242424242424242')).toBe(false);
  });
});
