import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { getOrder } from '../../../src/billing/order-store.server.ts';
import { orderReference } from '../../../src/billing/reference.ts';
import { planOptions } from '../../../src/billing/subscription.ts';
import { parseLines } from '../../../src/catalogue/pricing.ts';
import { boxOf, overlap } from '../../support/boxes.ts';
import { expectAccessible, SCREENS, sharedBrowser } from '../../support/browser.ts';
import {
  buy,
  CARDS,
  choosePlan,
  fillBilling,
  fillCard,
  fillPayment,
  MISSING,
  openPayment,
  pay,
} from '../../support/checkout-steps.ts';
import { focusedName, hasFocus } from '../../support/control-state.ts';
import { topOf } from '../../support/move-steps.ts';
import { expectPrintedPages } from '../../support/printed-pages.ts';
import { sharedTestApp } from '../../support/test-app.ts';
import { expectToast, readToast, toasts } from '../../support/toast.ts';
import { variant } from '../../support/variant.ts';
import { untilReady } from '../../support/wait-for-script.ts';

const SUCCESS = [
  'Payment successful!',
  'Thank you for your purchase. We will be in touch shortly.',
] as const;
const FAILURE = [
  'Payment failed',
  'There was an issue with your payment. Please try again.',
] as const;

const app = sharedTestApp();

describe.each(SCREENS)('a customer at the $name', (screen) => {
  const browser = sharedBrowser();

  const openCheckout = () => browser.visit(screen, app, '/checkout?plan=2');

  const order = (page: Page) => page.getByRole('region', { name: 'Your order' });

  async function lastOrder() {
    const { db } = app.database;
    const orders = db.selectFrom('orders').select('id').orderBy('id', 'desc');
    return getOrder(db, await orders.executeTakeFirstOrThrow());
  }

  async function historyOf(orderId: number): Promise<string[]> {
    const { json } = await (await app.staff()).get(`/api/orders/${orderId}`);
    return json.history.map(({ status }: { status: string }) => status);
  }

  test('buys from the home page to the receipt, and a colleague with the link sees the choice but no order', async () => {
    const page = await browser.visit(screen, app, '/');
    await page
      .getByRole('article')
      .filter({ has: page.getByRole('heading', { name: 'Professional' }) })
      .getByRole('link', { name: 'Get Started', exact: true })
      .click();
    await page.waitForURL(/\/checkout\?plan=2/);
    await page.getByRole('heading', { level: 1, name: 'Almost There!' }).waitFor();
    await page.getByRole('radio', { name: /^Professional/, checked: true }).waitFor();
    await page.getByRole('radio', { name: /Business Premium/ }).check();
    await page.getByRole('checkbox', { name: /Cloud backup/ }).check();
    await expectAccessible(page);
    await openPayment(page);
    for (const words of [
      ...['Enter your payment details to proceed.', 'Credit card', 'Test mode'],
      '$1,389.00 is charged today and then every month until you cancel.',
    ])
      await page.getByRole('dialog').getByText(words).waitFor();
    const terms = page.getByRole('link', { name: 'terms and conditions' });
    expect(await terms.getAttribute('href')).toBe('/terms-of-service');
    await expectAccessible(page);
    await fillPayment(page, CARDS.good);
    await pay(page);
    await expectToast(page, ...SUCCESS);
    const heading = page.getByRole('heading', { level: 1, name: 'You’re all set' });
    await heading.waitFor();
    const toast = toasts(page).filter({ hasText: SUCCESS[0] });
    // Keeps it open.
    await toast.hover();
    expect(await overlap(toast, heading)).toBe(false);
    const steps = page.getByRole('region', { name: 'What happens next' });
    expect(await overlap(toast, steps)).toBe(false);
    expect(await page.getByText('Already a customer?').count()).toBe(0);
    // Buying the same again would be a second order.
    expect(await page.evaluate(() => sessionStorage.getItem('order_attempt'))).toBeNull();
    await order(page).getByText('Paid', { exact: true }).waitFor();
    await expect.poll(() => page.url()).not.toContain('secret');
    await page.getByRole('button', { name: 'Proceed to Checkout' }).waitFor({ state: 'detached' });
    const paid = page.getByRole('region', { name: 'Payment', exact: true });
    await paid.getByText('Paid for your first month').waitFor();
    await paid.getByText('$1,389.00').waitFor();
    await page.getByText('This was a test: no money moved.').waitFor();
    await page.getByText('this site doesn’t email receipts').waitFor();
    const link = page.getByRole('region', { name: 'Keep the link to your order' });
    await link.getByText('please save it').waitFor();
    await link.getByRole('button', { name: 'Copy' }).click();
    await link.getByText('The link is copied').waitFor();
    const kept = await link.getByLabel('Link to your order').inputValue();
    expect(kept).toMatch(new RegExp(`^${app.address}/checkout/order#`));
    await expectAccessible(page);
    const bought = await lastOrder();
    expect(bought).toMatchObject({
      planName: 'Professional',
      status: 'paid',
      subscription: { amountCents: 85_000 + 20 * 2_200 + 20 * 495 },
    });
    expect(planOptions(parseLines(bought.subscription.priceLines))).toMatchObject({
      users: 20,
      backup: true,
    });
    expect(await historyOf(bought.id)).toEqual(['pending', 'paid']);

    await page.reload();
    await order(page).getByText('Paid', { exact: true }).waitFor();
    await expect.poll(() => page.getByText(SUCCESS[0]).count()).toBe(0);
    await page.getByRole('heading', { level: 1, name: 'You’re all set' }).waitFor();
    // Not even before the script runs.
    expect(await (await fetch(page.url())).text()).not.toContain('Available Plans');
    if (screen.name === 'desk') await expectPrintedPages(page, 1, 'the page after paying');

    const colleague = await browser.open(screen);
    await colleague.goto(page.url());
    await colleague.getByRole('radio', { name: /^Professional/, checked: true }).waitFor();
    await expect.poll(() => order(colleague).count()).toBe(0);

    await page.getByRole('link', { name: 'Manage your plan' }).click();
    await page.waitForURL(/\/checkout\/order#/);
    await page.getByText(`Order ${orderReference(bought.id)}`).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'Choose another plan' }).click();
    await page.getByText('Your order is placed. To buy another plan, choose it below.').waitFor();
    const proceed = page.getByRole('button', { name: 'Proceed to Checkout' });
    expect((await proceed.boundingBox())?.y).toBeGreaterThan(screen.height);
    await choosePlan(page, 'Essential');
    await openPayment(page);
    await expect.poll(() => page.getByLabel('Name on Card').inputValue()).toBe('');
  });

  test('whose card is declined reads why at its number, covered by no toast, and pays the same order with another card', async () => {
    const page = await openCheckout();
    await buy(page, 'second.try@example.com', CARDS.declined);
    await expectToast(page, 'Payment Error', 'Your card was declined. Please try another card.');
    const toast = toasts(page).filter({ hasText: 'Payment Error' });
    // Keeps it open.
    await toast.hover();
    const dialog = page.getByRole('dialog', { name: 'Complete Your Purchase' });
    const line = page.getByLabel('Payment', { exact: true }).getByText('Your card was declined');
    const accepts = dialog.getByRole('checkbox', { name: /terms/ });
    const coveredBy = async () => (await boxOf(line)).bottom - (await boxOf(accepts)).top;
    await expect.poll(coveredBy).toBeLessThan(0);
    const button = dialog.getByRole('button', { name: /^Pay \$/ });
    for (const each of [
      line,
      dialog.getByRole('heading', { name: 'Complete Your Purchase' }),
      dialog.getByRole('button', { name: 'Close', exact: true }),
      button,
    ])
      expect(await overlap(toast, each)).toBe(false);
    const cvv = page.getByLabel('CVV');
    expect((await boxOf(line)).top - (await boxOf(cvv)).bottom).toBeLessThan(20);
    await expectAccessible(page);
    const first = await lastOrder();
    expect(first.status).toBe('failed');
    await fillCard(page, CARDS.poor);
    await line.waitFor({ state: 'detached' });
    await pay(page);
    await expectToast(page, 'Payment Error', 'insufficient funds');
    await fillCard(page, CARDS.good);
    await pay(page);
    await expectToast(page, ...SUCCESS);
    expect((await lastOrder()).id).toBe(first.id);
    expect(await historyOf(first.id)).toEqual(['pending', 'failed', 'processing', 'paid']);
  });

  variant('refuses at the bank by button and by Escape, then pays the same order', async () => {
    const page = await openCheckout();
    const atBank = async () => {
      await buy(page, 'refusing@example.com', CARDS.asks);
      await page.getByRole('button', { name: 'Approve' }).waitFor();
      return lastOrder();
    };
    const { id, status } = await atBank();
    expect(status).toBe('processing');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Refuse' }).click();
    await readToast(page, ...FAILURE);
    expect((await lastOrder()).status).toBe('failed');
    await order(page).getByText('Payment failed').waitFor();
    await atBank();
    await page.keyboard.press('Escape');
    await expectToast(page, ...FAILURE);
    expect((await lastOrder()).status).toBe('failed');
    await atBank();
    await page.getByRole('button', { name: 'Approve' }).click();
    await expectToast(page, ...SUCCESS);
    expect(await lastOrder()).toMatchObject({ id, status: 'paid' });
  });

  test('goes on with the bank’s approval after a reload, and refuses or approves there', async () => {
    const page = await openCheckout();
    const approval = page.getByRole('region', { name: 'Confirm your payment' });
    const reloadAtBank = async () => {
      await buy(page, 'reloading@example.com', CARDS.asks);
      await page.getByRole('button', { name: 'Approve' }).waitFor();
      await page.reload();
    };
    await reloadAtBank();
    await order(page).getByText('Payment in progress').waitFor();
    await approval.getByText('Your bank needs your approval.').waitFor();
    expect(await page.getByText('Your order is placed').count()).toBe(0);
    await expectAccessible(page);
    const { id } = await lastOrder();
    await approval.getByRole('button', { name: 'Refuse' }).click();
    await readToast(page, ...FAILURE);
    await order(page).getByText('Payment failed').waitFor();
    await expect.poll(() => approval.count()).toBe(0);
    await reloadAtBank();
    await approval.getByRole('button', { name: 'Approve' }).click();
    await expectToast(page, ...SUCCESS);
    expect(await lastOrder()).toMatchObject({ id, status: 'paid' });
  });

  variant('is warned of a second subscription of the same plan, and may buy it', async () => {
    const page = await browser.visit(screen, app, '/checkout?plan=1', { allowErrors: /409/ });
    await buy(page, 'twice@example.com');
    await page.getByRole('heading', { level: 1, name: 'You’re all set' }).waitFor();
    await page.goto('/checkout?plan=1');
    await buy(page, 'Twice@example.com');
    await page.getByRole('form', { name: 'Payment' }).getByText('already running').waitFor();
    await page.getByLabel('Yes, add a second subscription').check();
    await pay(page);
    await page.getByRole('heading', { level: 1, name: 'You’re all set' }).waitFor();
  });

  test('reads at each field what is missing, loses the error by mending it, and sees the card’s digits grouped and its brand', async () => {
    const page = await openCheckout();
    await openPayment(page);
    await pay(page);
    for (const words of MISSING) await page.getByText(words).waitFor();
    await expect.poll(() => hasFocus(page.getByLabel('Name on Card'))).toBe(true);
    await expectAccessible(page);
    const helped = page.getByRole('form', { name: 'Payment' }).locator('[autocomplete]');
    expect(
      await helped.evaluateAll((all) =>
        all.map((each) => [each.getAttribute('autocomplete'), each.getAttribute('inputmode')]),
      ),
    ).toEqual([
      ...['cc-name', 'email'].map((what) => [what, null]),
      ...['cc-number', 'cc-exp', 'cc-csc'].map((what) => [what, 'numeric']),
      ...['organization', 'tel'].map((what) => [what, null]),
    ]);
    await page.getByLabel('Phone (optional)').waitFor();
    const number = page.getByLabel('Card Number');
    await number.fill('5555 5555');
    await page.getByText('Mastercard', { exact: true }).waitFor();
    await number.clear();
    await number.pressSequentially('4242-4242 4242x4242 99');
    await expect.poll(() => number.inputValue()).toBe('4242 4242 4242 4242');
    await page.getByText('Visa', { exact: true }).waitFor();
    // The caret stays where a digit is corrected.
    await number.evaluate((field: HTMLInputElement) => field.setSelectionRange(7, 7));
    await page.keyboard.press('Backspace');
    await page.keyboard.type('7');
    await expect.poll(() => number.inputValue()).toBe('4242 4742 4242 4242');
    expect(await number.evaluate((field: HTMLInputElement) => field.selectionStart)).toBe(7);
    await page.getByLabel('Expiry Date').fill('123099');
    await expect.poll(() => page.getByLabel('Expiry Date').inputValue()).toBe('12/30');
    await page.getByLabel('CVV').fill('12345');
    await expect.poll(() => page.getByLabel('CVV').inputValue()).toBe('123');
    await page.getByLabel('Billing Email').fill('ann@');
    await page.getByText('Please enter a valid email address').waitFor();
    await fillBilling(page);
    const errors = page.getByText(/^(Please enter|Name must|Please accept)/);
    await errors.first().waitFor({ state: 'detached' });
  });
});

/** Not counting the text typed into fields. */
const MAX_PRESSES = 40;

describe('a customer with only a keyboard', () => {
  const browser = sharedBrowser();

  test('buys from the home page with at most forty key presses', async () => {
    const page = await browser.visit(SCREENS[0], app, '/');
    let presses = 0;
    const press = async (key: string) => {
      presses += 1;
      await page.keyboard.press(key);
    };
    const tabTo = async (name: RegExp) => {
      while (!name.test((await focusedName(page)).trim()) && presses <= MAX_PRESSES)
        await press('Tab');
    };
    await tabTo(/^Pricing$/);
    await press('Enter');
    await expect.poll(() => topOf(page, '#pricing')).toBe(100);
    await tabTo(/^Get Started$/);
    await press('Enter');
    await page.waitForURL(/\/checkout\?plan=/);
    await untilReady(page);
    await tabTo(/^Skip to content$/);
    await press('Enter');
    await tabTo(/^Proceed to Checkout$/);
    await press('Enter');
    await expect.poll(() => hasFocus(page.getByLabel('Name on Card'))).toBe(true);
    for (const [field, text] of [
      [/^Name on Card/, 'Ann Lee'],
      [/^Billing Email/, 'hurry@example.com'],
      [/^Card Number/, CARDS.good.replaceAll(' ', '')],
      [/^Expiry Date/, '1230'],
      [/^CVV/, '123'],
    ] as const) {
      await tabTo(field);
      await page.keyboard.type(text);
    }
    await tabTo(/^I accept/);
    await press('Space');
    await press('Enter');
    await page.getByRole('heading', { level: 1, name: 'You’re all set' }).waitFor();
    expect(presses).toBeLessThanOrEqual(MAX_PRESSES);
  });
});
