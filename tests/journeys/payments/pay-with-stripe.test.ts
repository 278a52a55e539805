/** A customer pays in Stripe's own card fields, and later replaces the card there. */
import { randomInt } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectAccessible, SCREENS, type Screen, useBrowser } from '../../support/browser.ts';
import { newEmail } from '../../support/checkout-steps.ts';
import { cardFields, routeStripe, typeCard } from '../../support/fake-stripe/playwright-route.ts';
import { linkOf, openOwnPage } from '../../support/own-page.ts';
import { openShop, paidOrder, type StripeShop, WITH_MAIL } from '../../support/stripe-shop.ts';

async function fillBilling(page: Page, email: string) {
  await page.getByLabel('Name on Card').fill('Pat Buyer');
  await page.getByLabel('Billing Email').fill(email);
  await page.getByLabel(/terms and conditions/).check();
}

const pay = (page: Page) => page.getByRole('button', { name: 'Pay $1,100.00 per month' });

const said = (page: Page, words: string) =>
  page.getByText(words, { exact: true }).first().waitFor();

describe('paying by Stripe', () => {
  const browser = useBrowser();
  let shop: StripeShop;
  beforeAll(async () => {
    shop = await openShop(WITH_MAIL);
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
    // Each buyer comes from an address of its own, or the limit on orders would be met.
    await page.route('**/api/create-payment-intent', (route) =>
      route.continue({
        headers: {
          ...route.request().headers(),
          'x-forwarded-for': `10.9.${randomInt(256)}.${randomInt(256)}`,
        },
      }),
    );
    const choice = 'plan=2&microsoft365=business_standard&ms365_users=20';
    const visit = () => page.goto(`${shop.app.address}/checkout?${choice}`);
    const proceed = () => page.getByRole('button', { name: 'Proceed to Checkout' }).click();
    await visit();
    expect(stripe.requested).toEqual([]);
    await proceed();
    const openAgain = async () => {
      await visit();
      await proceed();
    };
    return { page, stripe, sent, openAgain };
  }

  async function orderOf(email: string) {
    const { db } = shop.app.database;
    return db.selectFrom('orders').selectAll().where('email', '=', email).orderBy('id').execute();
  }

  describe.each(SCREENS)('on a $name', (screen) => {
    test('the card goes to Stripe alone, and the order is paid', async () => {
      const { page, stripe, sent } = await openForm(screen);
      await fillBilling(page, newEmail('ok'));
      await typeCard(page, '4242 4242 4242 4242');
      await expectAccessible(page);
      const letters = page.frameLocator('iframe[title="Secure CVC input frame"]').locator('input');
      const colour = () => letters.evaluate((input) => getComputedStyle(input).color);
      expect(await colour()).toBe('rgb(14, 27, 42)');
      await page.emulateMedia({ colorScheme: 'dark' });
      await expect.poll(colour).toBe('rgb(238, 243, 247)');
      await pay(page).click();
      await said(page, 'Payment successful!');
      await said(page, 'Paid');
      await page.getByText('Your receipt is on its way').waitFor();
      await page.waitForFunction(() => !window.location.search.includes('secret'));
      await expectAccessible(page);
      expect(stripe.requested[0]).toMatch(/^https:\/\/js\.stripe\.com\//);
      expect(sent.filter((each) => /(?<![\d.])(4242|737(?!\d))/.test(each))).toEqual([]);
      expect(shop.fake.sawDigits('4242424242424242')).toBe(false);
    });

    test('a refused card is told at the form, and another one, in another name, pays the same order', async () => {
      const { page } = await openForm(screen);
      const email = newEmail('second');
      await fillBilling(page, email);
      await typeCard(page, '4000 0000 0000 9995');
      await pay(page).click();
      await said(page, 'Payment Error');
      await page.getByLabel('Payment', { exact: true }).getByText('insufficient funds').waitFor();
      await expectAccessible(page);
      await page.getByLabel('Name on Card').fill('Alex Partner');
      await typeCard(page, '5555 5555 5555 4444');
      await pay(page).click();
      await said(page, 'Payment successful!');
      const orders = await orderOf(email);
      expect(orders).toMatchObject([{ status: 'paid', name: 'Pat Buyer' }]);
      expect(shop.fake.subscriptionCount(orders[0]?.customerId ?? '')).toBe(1);
    });

    test("the bank's own window is within reach, and its answer counts", async () => {
      const { page } = await openForm(screen);
      await fillBilling(page, newEmail('asks'));
      await typeCard(page, '4000 0025 0000 3155');
      await pay(page).click();
      await page.getByRole('button', { name: 'Fail authentication' }).click();
      await said(page, 'Payment Error');
      await page.getByLabel('Payment', { exact: true }).getByText('did not confirm').waitFor();
      await pay(page).click();
      await page.getByRole('button', { name: 'Complete authentication' }).click();
      await said(page, 'Payment successful!');
    });

    test('what is missing is told at the fields, before anything is sent', async () => {
      const { page, sent } = await openForm(screen);
      await page.frameLocator('iframe[title="Secure CVC input frame"]').locator('input').waitFor();
      await pay(page).click();
      for (const words of [
        'Please enter the name on your card',
        'Please enter your email address',
        'Please enter your card number',
        'Please enter the expiry date',
        'Please enter your CVV',
        'Please accept the terms and conditions',
      ]) {
        await said(page, words);
      }
      await expectAccessible(page);
      const number = page.frameLocator('iframe[title="Secure card number input frame"]');
      await number.locator('input').fill('4242 4242 4242 4241');
      await said(page, 'Your card number is invalid.');
      await fillBilling(page, newEmail('missing'));
      const focused = () => page.evaluate(() => document.activeElement?.getAttribute('title'));
      for (const [title, value] of cardFields('4242 4242 4242 4242')) {
        // The frame reports what was typed by a message, which a press may overtake.
        await expect
          .poll(async () => {
            await pay(page).click();
            return focused();
          })
          .toBe(title);
        await page.frameLocator(`iframe[title="${title}"]`).locator('input').fill(value);
      }
      expect(sent.filter((each) => each.includes('create-payment-intent'))).toEqual([]);
    });

    test('the card of a running plan is replaced, also when the bank asks', async () => {
      const started = await paidOrder(shop);
      const page = await browser.open(screen);
      await routeStripe(page.context(), shop.fake);
      const { link } = await linkOf(shop.app, started.orderId);
      await openOwnPage(page, { link, visitor: started.visitor });
      const plan = page.getByRole('region', { name: 'Plan and billing' });
      await plan.getByText('Visa ending in 4242').waitFor();
      await page.getByRole('button', { name: 'Replace card' }).click();
      const form = page.getByRole('form', { name: 'Replace card' });
      await page.frameLocator('iframe[title="Secure CVC input frame"]').locator('input').waitFor();
      await form.getByRole('button', { name: 'Save card' }).click();
      await form.getByText('Please enter your card number').waitFor();
      await expectAccessible(page);
      await typeCard(page, '4000 0025 0000 3155');
      await form.getByRole('button', { name: 'Save card' }).click();
      await page.getByRole('button', { name: 'Fail authentication' }).click();
      await form.getByText('did not confirm').waitFor();
      await form.getByRole('button', { name: 'Save card' }).click();
      await page.getByRole('button', { name: 'Complete authentication' }).click();
      await plan.getByText('Visa ending in 3155').waitFor();
      expect(shop.fake.sawDigits('4000002500003155')).toBe(false);
    });

    test('a customer who has the plan already is warned, and may buy it twice', async () => {
      const email = newEmail('twice');
      const { page, openAgain } = await openForm(screen, /409/);
      for (const round of ['first', 'second']) {
        if (round === 'second') await openAgain();
        await fillBilling(page, email);
        await typeCard(page, '4242 4242 4242 4242');
        await pay(page).click();
        if (round === 'second') {
          await page.getByText('already running').waitFor();
          await said(page, 'Payment Failed');
          await expectAccessible(page);
          expect(await orderOf(email)).toHaveLength(1);
          await page.getByLabel('Yes, add a second subscription').check();
          await pay(page).click();
        }
        await said(page, 'Payment successful!');
      }
      expect(await orderOf(email)).toMatchObject([{ status: 'paid' }, { status: 'paid' }]);
      expect(new Set((await orderOf(email)).map(({ customerId }) => customerId)).size).toBe(2);
    });
  });

  test('an order that was given up meanwhile is placed anew by the next press', async () => {
    const email = newEmail('given-up');
    const { page } = await openForm(SCREENS[0], /409|503/);
    await fillBilling(page, email);
    await typeCard(page, '4242 4242 4242 4242');
    shop.fake.failNext({ how: 'reset', method: 'POST', path: '/v1/customers', times: 3 });
    await pay(page).click();
    await page.getByText('Payments are unavailable right now').waitFor();
    const [{ id } = { id: 0 }] = await orderOf(email);
    await shop.staff.post(`/api/admin/orders/${id}/cancel`, { when: 'now' });
    await pay(page).click();
    await page.getByText(`Order O-${id} can no longer be paid`).waitFor();
    await said(page, 'Payment Failed');
    await pay(page).click();
    await said(page, 'Payment successful!');
    expect(await orderOf(email)).toMatchObject([{ status: 'canceled' }, { status: 'paid' }]);
  });

  test('a secret of which Stripe knows nothing is reported once and forgotten', async () => {
    const page = await browser.open(SCREENS[0], { expectComplaints: /40\d/ });
    await routeStripe(page.context(), shop.fake);
    const secret = 'pi_nobody_secret_knows';
    await page.goto(`${shop.app.address}/checkout?plan=2&payment_intent_client_secret=${secret}`);
    await said(page, 'Payment failed');
    await page.waitForFunction(() => !window.location.search.includes('secret'));
  });

  test('the page lets in scripts of Stripe and of nobody else', async () => {
    const { page } = await openForm(SCREENS[0]);
    await page.frameLocator('iframe[title="Secure CVC input frame"]').locator('input').waitFor();
    const admitted = await page.evaluate(
      (addresses) => {
        const types = window as unknown as {
          trustedTypes: { defaultPolicy: { createScriptURL(address: string): unknown } };
        };
        return addresses.map((each) =>
          String(types.trustedTypes.defaultPolicy.createScriptURL(each)),
        );
      },
      [
        'https://js.stripe.com/v3',
        'https://m.js.stripe.com/v3',
        'https://evil.example/?https://js.stripe.com/',
        'https://js.stripe.com.evil.example/',
        'https://evil-js.stripe.com/',
        'http://js.stripe.com/',
      ],
    );
    expect(admitted).toEqual([
      'https://js.stripe.com/v3',
      'https://m.js.stripe.com/v3',
      '',
      '',
      '',
      '',
    ]);
  });

  test('without Stripe.js the form says so, and tries again', async () => {
    const page = await browser.open(SCREENS[0], { expectComplaints: /ERR_FAILED/ });
    await page.context().route('https://js.stripe.com/**', (route) => route.abort());
    await page.goto(`${shop.app.address}/checkout?plan=1`);
    await page.getByRole('button', { name: 'Proceed to Checkout' }).click();
    await page.getByText('We couldn’t load the card form.').waitFor();
    await page.context().unroute('https://js.stripe.com/**');
    await routeStripe(page.context(), shop.fake);
    await page.getByRole('button', { name: 'Try again' }).click();
    const come = page.locator(':focus').frameLocator('iframe[title="Secure CVC input frame"]');
    await come.locator('input').waitFor();
  });
});
