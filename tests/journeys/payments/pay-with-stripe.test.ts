/** A customer pays with Stripe's card fields, and later replaces the card with them. */

import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { dayAfter } from '../../../src/company/days.ts';
import { expectAccessible, SCREENS, type Screen, sharedBrowser } from '../../support/browser.ts';
import { fillBilling, MISSING, newEmail, openPayment, pay } from '../../support/checkout-steps.ts';
import { cardFields, routeStripe, typeCard } from '../../support/fake-stripe/playwright-route.ts';
import { ownContent } from '../../support/own-content.ts';
import { linkOf } from '../../support/own-page.ts';
import { QUOTE } from '../../support/quote-site.ts';
import { quoteByStaff } from '../../support/staff-quote.ts';
import { paidOrder, sharedShop, WITH_MAIL } from '../../support/stripe-shop.ts';
import { expectToast } from '../../support/toast.ts';
import { variant } from '../../support/variant.ts';

const CHECKOUT = '/checkout?plan=2&microsoft365=business_standard&ms365_users=20';

const waitForText = (page: Page, words: string) =>
  page.getByText(words, { exact: true }).first().waitFor();

const field = (part: Page | Locator, title: string) =>
  part.frameLocator(`iframe[title="${title}"]`).locator('input');
const cvc = (part: Page | Locator) => field(part, 'Secure CVC input frame');

describe('in Stripe’s card fields', () => {
  const browser = sharedBrowser();
  const shop = sharedShop(WITH_MAIL);
  beforeAll(() => shop.fake.autoDeliver(shop.webhook));

  async function openForm(screen: Screen, options?: Parameters<typeof browser.open>[1]) {
    const page = await browser.open(screen, { baseURL: shop.app.address, ...options });
    const stripe = await routeStripe(page.context(), shop.fake);
    await page.goto(CHECKOUT);
    expect(stripe.requested).toEqual([]);
    await openPayment(page);
    return { page, stripe };
  }

  describe.each(SCREENS)('on a $name', (screen) => {
    test('a buyer pays, in light and dark colors, and reads that a receipt is on its way', async () => {
      const { page, stripe } = await openForm(screen);
      await fillBilling(page, newEmail('ok'));
      await typeCard(page, '4242 4242 4242 4242');
      await expectAccessible(page);
      const color = () => cvc(page).evaluate((input) => getComputedStyle(input).color);
      expect(await color()).toBe('rgb(14, 27, 42)');
      await page.emulateMedia({ colorScheme: 'dark' });
      await expect.poll(color).toBe('rgb(238, 243, 247)');
      await page.getByRole('button', { name: 'Pay $1,100.00 per month' }).click();
      await waitForText(page, 'Payment successful!');
      await waitForText(page, 'Paid');
      await page.getByText('Your receipt is on its way').waitFor();
      await page.waitForFunction(() => !window.location.search.includes('secret'));
      await expectAccessible(page);
      expect(stripe.requested[0]).toMatch(/^https:\/\/js\.stripe\.com\//);
    });

    /** Presses Pay; Stripe takes the payment, and neither answers the page nor reports it. */
    async function reloadWhilePaying(page: Page) {
      await fillBilling(page, newEmail('reloads'));
      await typeCard(page, '4242 4242 4242 4242');
      shop.fake.autoDeliver(null);
      onTestFinished(() => shop.fake.autoDeliver(shop.webhook));
      const confirmed = new Promise<void>((resolve) => {
        page.context().route('https://api.stripe.com/**/confirm', async (route) => {
          const { pathname } = new URL(route.request().url());
          const body = route.request().postData() ?? '';
          await fetch(`${shop.fake.url}${pathname}`, { method: 'POST', body });
          resolve();
        });
      });
      await pay(page);
      await confirmed;
      await page.reload();
    }

    test('a buyer who reloads in the middle of paying reads that it is paid, before Stripe reports it', async () => {
      const { page } = await openForm(screen);
      await reloadWhilePaying(page);
      await page.getByText('Your order is placed.').waitFor();
      expect(await page.getByText('No card has been charged.').count()).toBe(0);
    });

    variant(
      'a buyer who reloads in the middle of paying a quote finds no form for it any more',
      async () => {
        const page = await browser.open(screen, { baseURL: shop.app.address });
        await routeStripe(page.context(), shop.fake);
        const { json } = await shop.app.visitor().post('/api/quotes', QUOTE);
        await page.goto(json.url.replace('/quote/', '/checkout?quote='));
        await cvc(page).waitFor();
        await reloadWhilePaying(page);
        await page.getByText('Paid', { exact: true }).first().waitFor();
        await page.getByRole('heading', { level: 1, name: /^Quote/ }).waitFor();
        expect(await page.getByRole('form', { name: 'Payment' }).count()).toBe(0);
      },
    );

    variant('a buyer reads what is missing at each field, and no order is placed', async () => {
      const { page } = await openForm(screen);
      const orders: string[] = [];
      page.on('request', (request) => {
        if (request.url().includes('create-payment-intent')) orders.push(request.url());
      });
      await cvc(page).waitFor();
      await pay(page);
      for (const words of MISSING) await waitForText(page, words);
      await expectAccessible(page);
      await field(page, 'Secure card number input frame').fill('4242 4242 4242 4241');
      await waitForText(page, 'Your card number is invalid.');
      await fillBilling(page, newEmail('missing'));
      const focused = () => page.evaluate(() => document.activeElement?.getAttribute('title'));
      for (const [title, value] of cardFields('4242 4242 4242 4242')) {
        // The frame reports its content by a message, which may arrive after the press.
        await expect
          .poll(async () => {
            await pay(page);
            return focused();
          })
          .toBe(title);
        await field(page, title).fill(value);
      }
      expect(orders).toEqual([]);
    });

    test('a customer whose plan starts on a day to come saves a card, and reads that nothing is charged before', async () => {
      const startsOn = dayAfter(ownContent().company, Date.now(), 30);
      const { token } = await quoteByStaff(shop.staff, { startsOn });
      const page = await browser.open(screen, { baseURL: shop.app.address });
      await routeStripe(page.context(), shop.fake);
      await page.goto(`/checkout?quote=${token}`);
      await fillBilling(page, newEmail('starts.later'));
      await typeCard(page, '4000 0025 0000 3155');
      await page.getByRole('button', { name: 'Save card and accept' }).click();
      await page.getByRole('button', { name: 'Complete authentication' }).click();
      await expectToast(page, 'Your card is saved', 'Nothing is charged before');
      await page.getByText('Nothing was charged today.').waitFor();
    });

    test('a customer replaces the card of a running plan, with 3-D Secure', async () => {
      const { orderId, visitor } = await paidOrder(shop);
      const page = await browser.open(screen, { as: visitor });
      await routeStripe(page.context(), shop.fake);
      await page.goto((await linkOf(shop.app, orderId)).link);
      const plan = page.getByRole('region', { name: 'Plan and billing' });
      await plan.getByText('Visa •• 4242').waitFor();
      await page.getByRole('button', { name: 'Replace card' }).click();
      const form = page.getByRole('form', { name: 'Replace card' });
      const save = form.getByRole('button', { name: 'Save card' });
      await cvc(page).waitFor();
      await save.click();
      await form.getByText('Please enter your card number').waitFor();
      await expectAccessible(page);
      await typeCard(page, '4000 0025 0000 3155');
      await save.click();
      await page.getByRole('button', { name: 'Fail authentication' }).click();
      await form.getByText('did not confirm').waitFor();
      await save.click();
      await page.getByRole('button', { name: 'Complete authentication' }).click();
      await plan.getByText('Visa •• 3155').waitFor();
    });
  });

  test('a buyer whose browser could not load Stripe.js gets the card fields by trying again', async () => {
    const page = await browser.open(SCREENS[0], { allowErrors: /ERR_FAILED/ });
    const script = 'https://js.stripe.com/**';
    await page.context().route(script, (route) => route.abort());
    await page.goto(`${shop.app.address}/checkout?plan=1`);
    await openPayment(page);
    await page.getByText('may be blocking our card processor').waitFor();
    await page.context().unroute(script);
    await routeStripe(page.context(), shop.fake);
    await page.getByRole('button', { name: 'Try again' }).click();
    await cvc(page.locator(':focus')).waitFor();
  });

  variant('a buyer to whom Stripe.js comes late gets the card fields all the same', async () => {
    const page = await browser.open(SCREENS[0], { baseURL: shop.app.address });
    await page.clock.install();
    await routeStripe(page.context(), shop.fake);
    const late = Promise.withResolvers<void>();
    await page.context().route('https://js.stripe.com/*/stripe.js', async (route) => {
      await late.promise;
      await route.fallback();
    });
    const asked = page.waitForRequest('https://js.stripe.com/*/stripe.js');
    await page.goto('/checkout?plan=2');
    await openPayment(page);
    await asked;
    await page.clock.fastForward(10_000);
    await page.getByText('may be blocking our card processor').waitFor();
    late.resolve();
    await typeCard(page, '4242 4242 4242 4242');
    expect(await page.getByText('may be blocking our card processor').count()).toBe(0);
  });

  test('the checkout admits scripts from Stripe and from no other site', async () => {
    const { page } = await openForm(SCREENS[0]);
    await cvc(page).waitFor();
    const ours = ['https://js.stripe.com/v3', 'https://m.js.stripe.com/v3'];
    const foreign = [
      'https://evil.example/?https://js.stripe.com/',
      'https://js.stripe.com.evil.example/',
      'https://evil-js.stripe.com/',
      'http://js.stripe.com/',
    ];
    const admitted = await page.evaluate(
      (urls) => {
        const types = window as unknown as {
          trustedTypes: { defaultPolicy: { createScriptURL(url: string): unknown } };
        };
        return urls.map((url) => String(types.trustedTypes.defaultPolicy.createScriptURL(url)));
      },
      [...ours, ...foreign],
    );
    expect(admitted).toEqual([...ours, ...foreign.map(() => '')]);
  });
});
