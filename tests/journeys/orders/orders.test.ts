import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { orderReference } from '../../../src/billing/reference.ts';
import { expectAccessible, SCREENS, sharedBrowser } from '../../support/browser.ts';
import { routeStripe } from '../../support/fake-stripe/playwright-route.ts';
import { holdRequests } from '../../support/hold-requests.ts';
import { customer, linkOf } from '../../support/own-page.ts';
import { expectPrintedPages } from '../../support/printed-pages.ts';
import { ASKS_ALWAYS } from '../../support/running-subscription.ts';
import { savedOrder } from '../../support/saved-order.ts';
import { openFilters } from '../../support/staff-steps.ts';
import { order, paidOrder, renew, sharedShop, subscriptionOf } from '../../support/stripe-shop.ts';
import { sharedTestApp } from '../../support/test-app.ts';
import { variant } from '../../support/variant.ts';

describe.each(SCREENS)('orders on a $name', (screen) => {
  const browser = sharedBrowser();
  const shop = sharedShop();
  beforeAll(() => shop.fake.autoDeliver(shop.webhook));

  const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

  test('a customer opens the receipt’s link and prints the order, and nothing is loaded from Stripe', async () => {
    const { orderId, visitor } = await paidOrder(shop, { name: 'Linked Buyer' });
    const page = await browser.open(screen, { as: visitor });
    const stripe = await routeStripe(page.context(), shop.fake);
    await page.goto((await linkOf(shop.app, orderId)).link);
    const card = page.getByRole('region', { name: 'Your order' });
    await card.getByText(`Order ${orderReference(orderId)}`).waitFor();
    await expect
      .poll(() => page.getByText('Linked Buyer').filter({ visible: true }).count())
      .toBe(1);
    await card.getByText('Monthly total').locator('..').getByText('$1,199.00').waitFor();
    await expectAccessible(page);
    await page.evaluate(() => {
      window.print = () => document.body.setAttribute('data-printed', '');
    });
    await page.getByRole('button', { name: 'Print' }).click();
    await page.locator('[data-printed]').waitFor({ state: 'attached' });
    if (screen.name === 'desk') await expectPrintedPages(page, 1, 'an order');
    expect(stripe.requested).toEqual([]);
  });

  test('a customer is not promised a coupon of staff’s for every month', async () => {
    const buyer = await paidOrder(shop);
    shop.fake.state.discount.set('di_tenth', { id: 'di_tenth', percent: 10 });
    const edit = ({ discounts }: { discounts: string[] }) => void discounts.push('di_tenth');
    shop.fake.editSubscription(await subscriptionOf(shop, buyer), edit);
    await shop.fake.settled();
    const page = await browser.open(screen, { as: buyer.visitor });
    await page.goto((await linkOf(shop.app, buyer.orderId)).link);
    const card = page.getByRole('region', { name: 'Your order' });
    await card.getByText('Monthly total').locator('..').getByText('$1,079.10').waitFor();
    await card.getByText('The discount lasts as long as we agreed.').waitFor();
  });

  variant('a customer whose bank wants a renewal confirmed is led to the bank', async () => {
    const buyer = await order(shop);
    shop.fake.confirmCard(buyer.clientSecret, ASKS_ALWAYS);
    shop.fake.authenticate(buyer.clientSecret, true);
    await shop.fake.settled();
    const invoice = await renew(shop, buyer, {});
    const page = await browser.open(screen, { as: buyer.visitor });
    await page.goto((await linkOf(shop.app, buyer.orderId)).link);
    const confirm = page.getByRole('link', { name: 'Approve the payment' });
    expect(await confirm.getAttribute('href')).toBe(invoice?.hosted_invoice_url);
    const card = page.getByRole('region', { name: 'Your order' });
    await card.getByText('Payment to confirm').waitFor();
    await expect.poll(() => card.getByText('Payment overdue').count()).toBe(0);
    await page.getByRole('cell', { name: 'To confirm' }).waitFor();
    await expectAccessible(page);
  });

  test('staff find an order, correct its purchase order number, refund a part of it, end it, and keep it', async () => {
    const found = await paidOrder(shop, { name: 'Findable Person' });
    await paidOrder(shop, { name: 'Another Buyer' });
    const page = await browser.visitAsStaff(screen, shop.app, '/admin/orders');
    await row(page, 'Another Buyer').waitFor();
    await expectAccessible(page);
    await openFilters(page);
    await page.getByLabel('Search').fill('findable');
    await row(page, 'Another Buyer').waitFor({ state: 'detached' });
    // At a desk it would clear the search.
    if (screen.name === 'phone') await page.keyboard.press('Escape');
    await row(page, 'Findable Person').getByRole('button', { name: 'View' }).click();
    const history = page.getByRole('region', { name: 'History' });
    await history.getByText('Paid: reported by Stripe').waitFor();
    // On a phone the order replaces the list.
    if (screen.name === 'desk')
      await row(page, 'Findable Person')
        .getByRole('button', { name: 'View', expanded: true })
        .waitFor();
    await expectAccessible(page);

    const mail = page.getByRole('link', { name: '@example.com' });
    expect(await mail.getAttribute('href')).toBe(`mailto:${await mail.textContent()}`);
    const phone = page.getByRole('link', { name: '770 555 0100' });
    expect(await phone.getAttribute('href')).toBe('tel:7705550100');
    await page.getByText('Monthly total$1,199.00').waitFor();

    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('button', { name: 'Purchase order…' }).click();
    const number = page.getByRole('dialog', { name: 'Purchase order number' });
    await number.getByLabel('Number').fill('PO-2027');
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await number.waitFor({ state: 'detached' });
    await page.getByText('Purchase orderPO-2027').waitFor();
    await history.getByText('The purchase order number was changed by admin').waitFor();

    await page.getByRole('button', { name: 'Change plan…' }).click();
    await page.getByRole('form', { name: 'Change the plan' }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');

    const payments = page.getByRole('region', { name: 'Payments' });
    await payments.getByText(/^Visa ••\s4242$/).waitFor();
    await payments.getByRole('button', { name: 'Refund…' }).click();
    const refund = page.getByRole('dialog', { name: 'Refund' });
    await refund.getByText('WithVisa ending in 4242').waitFor();
    await refund.getByText('Can be refunded$1,199.00').waitFor();
    await refund.getByRole('button', { name: 'Refund $1,199.00' }).waitFor();
    await refund.getByLabel('Amount in dollars').fill('199.50');
    await expectAccessible(page);
    await refund.getByRole('button', { name: 'Refund $199.50' }).waitFor();
    await page.keyboard.press('Enter');
    await history.getByText('$199.50 refunded by admin', { exact: true }).waitFor();
    const customer = await browser.open(screen, { as: found.visitor });
    await customer.goto((await linkOf(shop.app, found.orderId)).link);
    await customer.getByText('Partly refunded').waitFor();
    await payments.getByText('−$199.50').waitFor();
    await page.getByText('Paid so far$1,199.00 −$199.50').waitFor();
    await page.getByRole('button', { name: 'Refund…' }).first().click();
    await refund.getByText('Can be refunded$999.50').waitFor();
    await expect.poll(() => refund.getByLabel('Amount in dollars').inputValue()).toBe('');
    await refund.getByRole('button', { name: 'Refund $999.50' }).waitFor();
    await refund.getByLabel('Amount in dollars').press('Enter');
    await refund.getByRole('button', { name: 'Cancel' }).click();

    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('button', { name: 'End subscription…' }).click();
    const ending = page.getByRole('dialog', { name: 'End the subscription' });
    await ending.getByLabel('At the end of the paid month').waitFor();
    await ending.getByRole('button', { name: 'End the subscription' }).click();
    await history.getByText('Set to end by admin').first().waitFor();
    await page
      .getByText(/^Ends \w+ \d+$/)
      .last()
      .waitFor();

    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('button', { name: 'Keep subscription…' }).click();
    const keeping = page.getByRole('dialog', { name: 'Keep the subscription' });
    await expectAccessible(page);
    await keeping.getByRole('button', { name: 'Keep the subscription' }).click();
    await history.getByText('End taken back by admin').first().waitFor();
  });

  test('staff can refund once they see how much of a payment is left', async () => {
    await paidOrder(shop, { name: 'Not Yet Loaded' });
    const page = await browser.visitAsStaff(screen, shop.app, '/admin/orders');
    const load = await holdRequests(page, '**/account');
    await row(page, 'Not Yet Loaded').getByRole('button', { name: 'View' }).click();
    const refund = page.getByRole('button', { name: 'Refund…' }).first();
    await refund.waitFor();
    expect(await refund.isDisabled()).toBe(true);
    load();
    await refund.click();
    await page.getByRole('dialog').getByText('Can be refunded$1,199.00').waitFor();
  });

  test('staff who mistype the sum of a refund read what is wrong with it, and correct it', async () => {
    const { orderId } = await paidOrder(shop);
    const page = await browser.visitAsStaff(screen, shop.app, `/admin/orders?open=${orderId}`);
    await page.getByRole('button', { name: 'Refund…' }).first().click();
    const refund = page.getByRole('dialog', { name: 'Refund' });
    const amount = refund.getByLabel('Amount in dollars');
    await amount.fill('50,00');
    await refund.getByText('Please enter an amount such as 125.50').waitFor();
    await amount.fill('1,199.01');
    await refund.getByText('No more than $1,199.00 can be refunded').waitFor();
    await page.keyboard.press('Enter');
    await amount.fill('50');
    await page.keyboard.press('Enter');
    await refund.waitFor({ state: 'detached' });
    await page.getByText('$50.00 refunded by admin', { exact: true }).waitFor();
  });

  test('staff reach by keyboard none of a list’s tools that an open order hides', async () => {
    await paidOrder(shop, { name: 'Open And Tabbed' });
    const page = await browser.visitAsStaff(screen, shop.app, '/admin/orders');
    await row(page, 'Open And Tabbed').getByRole('button', { name: 'View' }).click();
    await page.getByRole('region', { name: 'History' }).waitFor();
    const inSight = screen.name === 'desk' ? 1 : 0;
    for (const name of ['Refresh', 'Filters'])
      expect(await page.getByRole('button', { name, exact: true }).count()).toBe(inSight);
  });

  test('staff who close an order go back to where they came from, not into it again', async () => {
    await paidOrder(shop, { name: 'Closed Again' });
    const page = await browser.visitAsStaff(screen, shop.app, '/admin/orders');
    await row(page, 'Closed Again').getByRole('button', { name: 'View' }).click();
    await page.getByRole('region', { name: 'History' }).waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.waitForURL('/admin/orders');
    await page.goBack();
    await page.waitForURL('/admin/orders');
    await row(page, 'Closed Again').waitFor();
  });

  variant('staff anywhere read the day on which a plan ends as the company’s', async () => {
    const cancelAt = Date.UTC(2026, 11, 22, 2, 30);
    const { id } = await savedOrder(shop.app.database.db, { status: 'paid', cancelAt });
    const path = `/admin/orders?open=${id}`;
    const page = await browser.visitAsStaff(screen, shop.app, path, { timeZone: 'Asia/Tokyo' });
    await page.getByText('Dec 21, 9:30 PM').waitFor();
    await page.getByText('Ends Dec 21').and(page.locator(':visible')).first().waitFor();
  });
});

describe.each(SCREENS)('an order in test mode on a $name', (screen) => {
  const browser = sharedBrowser();
  const app = sharedTestApp();

  variant('staff who end a plan before its start read of no paid month', async () => {
    const { orderId } = await customer(app);
    const { db } = app.database;
    const plan = db.updateTable('subscriptions').where('orderId', '=', orderId);
    await plan.set({ status: 'trialing' }).execute();
    const start = db.updateTable('orders').where('id', '=', orderId);
    await start.set({ startsOn: '2030-01-31' }).execute();
    const page = await browser.visitAsStaff(screen, app, `/admin/orders?open=${orderId}`);
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('button', { name: 'End subscription…' }).click();
    await page.getByLabel('On January 31, 2030, instead of starting').waitFor();
  });

  test('renews, fails and is disputed as staff press it, and what makes no sense says why', async () => {
    const { orderId } = await customer(app);
    const page = await browser.visitAsStaff(screen, app, `/admin/orders?open=${orderId}`);
    const panel = page.getByRole('region', { name: 'Test mode: what happens next?' });
    const press = (name: string) => panel.getByRole('button', { name, exact: true });
    await panel.getByText('The customer pays by card. Only an invoice has a due day.').waitFor();
    await expect.poll(() => press('Due day passes').isDisabled()).toBe(true);
    await expectAccessible(page);
    await press('Renew').click();
    await panel.getByText('Renewed: $575.00').waitFor();
    await press('Renewal fails').click();
    await panel.getByText('Overdue: Renewal fails, pressed by admin').waitFor();
    await expect.poll(() => press('Renew').isDisabled()).toBe(true);
    await press('Invoice paid').click();
    await panel.getByText('Paid: Invoice paid, pressed by admin').waitFor();
    await press('Dispute').click();
    await panel.getByText('There is a dispute already.').waitFor();
    await expectAccessible(page);
  });
});
