/** A customer manages a running plan: changes, cancellation, card and receipts. */
import { hash } from 'node:crypto';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { dayOfYear } from '../../../src/company/days.ts';
import { expectAccessible, SCREENS, sharedBrowser } from '../../support/browser.ts';
import { CARDS, fillCard } from '../../support/checkout-steps.ts';
import { focusedName, isInView, isReallyDisabled } from '../../support/control-state.ts';
import { holdRequests, loseAnswer } from '../../support/hold-requests.ts';
import { ownContent } from '../../support/own-content.ts';
import { type Customer, customer } from '../../support/own-page.ts';
import { expectPrintedPages } from '../../support/printed-pages.ts';
import { WITH_MAIL } from '../../support/stripe-shop.ts';
import { ownTestApp, sharedTestApp } from '../../support/test-app.ts';
import { readToast } from '../../support/toast.ts';
import { variant } from '../../support/variant.ts';

describe.each(SCREENS)('a customer’s own page on a $name', (screen) => {
  const browser = sharedBrowser();
  const app = sharedTestApp();

  async function openPlan(buyer: Customer, allowErrors?: RegExp): Promise<Page> {
    return browser.visit(screen, app, buyer.link, { as: buyer.visitor, allowErrors });
  }

  const plan = (page: Page) => page.getByRole('region', { name: 'Plan and billing' });

  /** Of twelve users, where the provider answers this. */
  async function seeNewPrice(page: Page, json: object) {
    await page.route('**/api/order-page/preview', (route) => route.fulfill({ json }));
    await page.getByRole('button', { name: 'Change plan' }).click();
    await page.getByLabel('Users').fill('12');
    await page.getByRole('button', { name: 'See the new price' }).click();
    return page.getByRole('group', { name: 'New price' });
  }

  variant(
    'has a receipt for each month that was charged, and none for a free or returned one',
    async () => {
      const buyer = await customer(app);
      const account = await buyer.account();
      const [paid] = account.payments;
      const free = { ...paid, id: 'free', amount: 0 };
      const page = await browser.visit(screen, app, '/', { as: buyer.visitor });
      const returned = { ...paid, id: 'returned', state: 'open' };
      const answer = { json: { ...account, payments: [returned, free, paid] } };
      await page.route('**/api/order-page', (route) => route.fulfill(answer));
      await page.goto(buyer.link);
      await page.getByRole('cell', { name: '$0.00' }).waitFor();
      await expect.poll(() => page.getByRole('link', { name: 'Receipt' }).count()).toBe(1);
      await page.goto(`${buyer.link}/receipt/returned`);
      await page.getByText('We can’t find that receipt.').waitFor();
    },
  );

  variant('names the last bill only of a plan that ends with the month', async () => {
    const buyer = await customer(app);
    const account = await buyer.account();
    const page = await browser.visit(screen, app, '/', { as: buyer.visitor });
    const shownWith = async (endsAt: string) => {
      const answer = { json: { ...account, order: { ...account.order, endsAt } } };
      await page.route('**/api/order-page', (route) => route.fulfill(answer));
      await page.goto('about:blank');
      await page.goto(buyer.link);
      await plan(page)
        .getByText(/^Ends /)
        .waitFor();
      return plan(page).getByRole('heading').allTextContents();
    };
    expect(await shownWith(account.running.periodEnd)).toContain('Last bill');
    expect(await shownWith('2099-03-09T12:00:00.000Z')).toContain('Next charge');
  });

  test('keeps the number of users that was typed when the provider is unavailable, and says so when it is from the start', async () => {
    const buyer = await customer(app);
    const page = await openPlan(buyer, /503/);
    await page.getByRole('button', { name: 'Change plan' }).click();
    await page.getByLabel('Users').fill('37');
    await page.route('**/api/order-page/preview', (route) =>
      route.fulfill({ status: 503, json: { message: 'Payments are unavailable right now.' } }),
    );
    await page.getByRole('button', { name: 'See the new price' }).click();
    await page.getByText('Payments are unavailable right now.').waitFor();
    await expect.poll(() => page.getByLabel('Users').inputValue()).toBe('37');
    const without = { ...(await buyer.account()), running: null, billingUnavailable: true };
    await page.route('**/api/order-page', (route) => route.fulfill({ json: without }));
    await page.reload();
    await page.getByText('We can’t reach our billing system right now').waitFor();
    await page.unroute('**/api/order-page');
    await page.getByRole('button', { name: 'Try again' }).click();
    await plan(page).waitFor();
  });

  variant('says without JavaScript that the page needs it, and how to reach us', async () => {
    const page = await browser.visit(screen, app, '/checkout/order#1.token', { script: false });
    await page.getByText('This page needs JavaScript to show your order.').waitFor();
    const main = page.getByRole('main');
    await main.getByRole('link', { name: /@/ }).waitFor();
    await main.locator('a[href^="tel:"]').waitFor();
  });

  test('shows the button of a link to change at once, without scrolling', async () => {
    const { orderId } = await customer(app);
    const staff = await app.staff();
    const { url } = (await staff.post(`/api/admin/orders/${orderId}/link`, {})).json;
    const page = await browser.visit(screen, app, url);
    const button = page.getByRole('button', { name: 'Continue to my plan' });
    await button.waitFor();
    expect(await button.evaluate((e) => e.getBoundingClientRect().bottom < innerHeight)).toBe(true);
  });

  test('leads who has scrolled to the fields of the new card', async () => {
    const { link, visitor } = await customer(app);
    const page = await browser.visit(SCREENS[0], app, link, { as: visitor });
    const replace = page.getByRole('button', { name: 'Replace card' });
    await replace.waitFor();
    await page.evaluate(() => scrollTo({ top: 150, behavior: 'instant' }));
    await replace.click();
    const number = page.getByLabel('Card Number');
    await number.waitFor();
    await expect.poll(() => isInView(number)).toBe(true);
  });

  test('keeps payments and receipts in sight where the fields of a new card don’t load', async () => {
    const page = await openPlan(await customer(app), /part could not be fetched|ERR_FAILED/);
    const fields = '**/replace-card*.js*';
    await page.route(fields, (route) => route.abort());
    await page.getByRole('button', { name: 'Replace card' }).click();
    await page.getByText('This part didn’t load.').waitFor();
    await page.getByRole('region', { name: 'Payments' }).waitFor();
    await page.unroute(fields);
    await page.getByRole('button', { name: 'Try again' }).click();
    // It reloads the page.
    await page.getByText('This part didn’t load.').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Replace card' }).click();
    await page.getByLabel('Card Number').waitFor();
  });

  test('is read-only for a bookkeeper, until a link made by staff is opened, which works once and until it is revoked', async () => {
    const { link, orderId } = await customer(app);
    const page = await browser.visit(screen, app, link, { allowErrors: /404/ });
    await plan(page).getByText('Visa test card •• 4242').waitFor();
    await page.getByRole('heading', { name: 'Change your plan' }).waitFor();
    expect(
      await page
        .getByRole('button', { name: /Cancel plan|Replace card|Edit details|Accept the addendum/ })
        .count(),
    ).toBe(0);
    await expectAccessible(page);
    const staff = await browser.visitAsStaff(screen, app, `/admin/orders?open=${orderId}`);
    await staff.getByRole('button', { name: 'More' }).click();
    await staff.getByRole('button', { name: 'Make a link…' }).click();
    const make = staff.getByRole('button', { name: 'Make the link' });
    const finish = await holdRequests(staff, '**/api/admin/orders/*/link');
    await make.click();
    await expect.poll(() => isReallyDisabled(make)).toBe(true);
    finish();
    const url = await staff.getByLabel('Link to the order').inputValue();
    await expect.poll(() => focusedName(staff)).toBe('Link to the order');
    await staff.getByRole('button', { name: 'Copy' }).click();
    await staff.getByRole('button', { name: 'Copied' }).waitFor();
    await page.goto('about:blank');
    await page.goto(url);
    await page.getByRole('button', { name: 'Continue to my plan' }).click();
    await page.getByRole('button', { name: 'Replace card' }).waitFor();
    await expect.poll(() => focusedName(page)).toBe('Manage your plan');
    expect(page.url()).toBe(link);
    const second = await browser.visit(screen, app, url, { allowErrors: /409/ });
    await second.getByRole('button', { name: 'Continue to my plan' }).click();
    await second.getByText('This link has been used').waitFor();
    await staff.keyboard.press('Escape');
    await staff.getByRole('button', { name: 'More' }).click();
    await staff.getByRole('button', { name: 'Revoke links…' }).click();
    await staff.getByRole('button', { name: 'Revoke links', exact: true }).click();
    await staff.getByText('All links were revoked by admin').waitFor();
    await page.reload();
    await page.getByText('This link isn’t valid').waitFor();
  });

  test('shows the price of a change before it is confirmed, then cancels the plan at the end of its month, and keeps it after all', async () => {
    const page = await openPlan(await customer(app));
    await plan(page).getByText('Visa test card •• 4242').waitFor();
    await plan(page).getByText('$575.00', { exact: true }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Change plan' }).click();
    const form = page.getByRole('form', { name: 'Change your plan' });
    await form.getByLabel('Users').fill('0');
    await form.getByRole('button', { name: 'See the new price' }).click();
    await form.getByText('Please enter a whole number from 1 to 1,000').waitFor();
    await form.getByLabel('Users').fill('12');
    await form.getByLabel('Cloud backup').check();
    await expect.poll(() => form.getByRole('button', { name: 'Confirm change' }).count()).toBe(0);
    await form.getByRole('button', { name: 'See the new price' }).click();
    await form.getByText('New monthly total').locator('..').getByText('$659.40').waitFor();
    await form.getByText('Sized for about 10. For 12: Professional.').waitFor();
    await form.getByText('Next bill on').locator('..').getByText('$659.40').waitFor();
    await form.getByText(/the new price applies from \w+ \d+, \d{4}\.$/).waitFor();
    await expectAccessible(page);
    // After another edit, the new price must be shown first.
    await form.getByLabel('Users').fill('13');
    await expect.poll(() => form.getByRole('button', { name: 'Confirm change' }).count()).toBe(0);
    await form.getByLabel('Users').fill('12');
    // A double press shows the price and does not confirm it.
    await form.getByRole('button', { name: 'See the new price' }).dblclick();
    await form.getByRole('group', { name: 'New price' }).waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    await expect.poll(focused).toBe('New price');
    const card = page.getByRole('region', { name: 'Your order' });
    await card.getByText(/^10\susers/).waitFor();
    await form.getByRole('button', { name: 'Confirm change' }).click();
    await plan(page).getByText('Your plan has changed.').waitFor();
    await card.getByText('Monthly total').locator('..').getByText('$659.40').waitFor();
    await card
      .getByText(/^12\susers/)
      .first()
      .waitFor();

    await plan(page).getByText('charged every month').waitFor();
    await page.getByRole('button', { name: 'Cancel plan…' }).click();
    const question = page.getByRole('dialog', { name: 'Cancel your plan?' });
    await question.getByText(/Your service runs until \w+ \d+, \d{4}/).waitFor();
    await expectAccessible(page);
    await question.getByRole('button', { name: 'Cancel plan' }).click();
    await plan(page).getByText('Your plan is canceled.').waitFor();
    await expect.poll(() => focusedName(page)).toBe('Plan and billing');
    await plan(page)
      .getByText(/^Ends \w+/)
      .waitFor();
    await card.getByText(/^Ends \w+ \d+, \d{4}$/).waitFor();
    for (const words of ['charged every month', 'Active'])
      await expect.poll(() => card.getByText(words, { exact: words === 'Active' }).count()).toBe(0);
    await expect.poll(() => page.getByRole('button', { name: 'Change plan' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Keep my plan' }).click();
    await plan(page).getByText('Your plan continues').waitFor();
    await plan(page).getByText('Next charge').waitFor();
    await card.getByText('Active', { exact: true }).waitFor();
  });

  variant('closes the form for a change, and says why, once the plan is to end', async () => {
    const buyer = await customer(app);
    const page = await openPlan(buyer, /409/);
    await page.getByRole('button', { name: 'Change plan' }).click();
    await page.getByLabel('Users').fill('12');
    await buyer.ask('cancel');
    await page.getByRole('button', { name: 'See the new price' }).click();
    await plan(page).getByText('Your plan is set to end.').waitFor();
    expect(await page.getByRole('form', { name: 'Change your plan' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Keep my plan' }).click();
    await plan(page).getByText('Your plan continues').waitFor();
  });

  test('says that it does not know when an answer is lost, and shows what holds', async () => {
    const buyer = await customer(app);
    const page = await openPlan(buyer, /ERR_FAILED/);
    await loseAnswer(page, '**/api/order-page/cancel');
    await page.getByRole('button', { name: 'Cancel plan…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Cancel your plan?' });
    await dialog.getByRole('button', { name: 'Cancel plan' }).click();
    await dialog.getByText(/can’t tell whether this worked/).waitFor();
    await dialog.getByRole('button', { name: 'Don’t cancel' }).click();
    await page.getByRole('button', { name: 'Keep my plan' }).waitFor();
    await loseAnswer(page, '**/api/order-page/keep');
    await page.getByRole('button', { name: 'Keep my plan' }).click();
    await page.getByText(/can’t tell whether this worked/).waitFor();
    await page.getByRole('button', { name: 'Cancel plan…' }).waitFor();
  });

  variant('shows what the rest of the month adds to the next bill', async () => {
    const page = await openPlan(await customer(app));
    const next = { at: '2030-01-31T12:00:00.000Z', total: 700, tax: 0 };
    const prorated = { at: new Date().toISOString(), monthly: 659.4, difference: 40.6, next };
    const shown = await seeNewPrice(page, prorated);
    const amountOf = (row: string) =>
      shown.getByText(row, { exact: true }).locator('..').getByRole('definition');
    expect(await amountOf('For the rest of this month').textContent()).toBe('$40.60 more');
    expect(await amountOf('Next bill on January 31, 2030').textContent()).toBe('$700.00');
    await shown
      .getByText('the next bill includes the difference for the rest of this month')
      .waitFor();
  });

  test('asks for another card after a failed renewal, and the new card pays right away', async () => {
    const buyer = await customer(app);
    await buyer.happen('renewal_failed');
    const page = await openPlan(buyer, /409/);
    await page.getByText('Your last payment didn’t go through.').waitFor();
    await expect.poll(() => plan(page).getByText('Next charge').count()).toBe(0);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Replace card' }).click();
    await page.getByText('$575.00 is overdue').waitFor();
    await fillCard(page, CARDS.declined);
    await page.getByRole('button', { name: 'Save card' }).click();
    await page.getByText('Your card was declined.').waitFor();
    await fillCard(page, '5555 5555 5555 4444');
    await page.getByRole('button', { name: 'Save card' }).click();
    await page.getByText('and the overdue amount is paid.').waitFor();
    await plan(page).getByText('Mastercard test card •• 4444').waitFor();
  });

  test('says of a first month that the bank refused what is owed, and no later day', async () => {
    const buyer = await customer(app);
    await buyer.happen('renewal_failed');
    const { db } = app.database;
    const ofBuyer = db.updateTable('orders').where('id', '=', buyer.orderId);
    await ofBuyer.set({ status: 'failed' }).execute();
    const { running } = await buyer.account();
    const page = await openPlan(buyer);
    await plan(page).getByRole('heading', { name: 'Payment overdue' }).waitFor();
    await plan(page).getByText('$575.00', { exact: true }).waitFor();
    const later = dayOfYear(ownContent().company, Date.parse(running.periodEnd));
    expect(await plan(page).getByText(later).count()).toBe(0);
  });

  test('asks for all that is owed: two months, of one of which a part has come', async () => {
    const buyer = await customer(app);
    await buyer.happen('renewal_failed');
    const account = await buyer.account();
    const [owed, paid] = account.payments;
    const part = { ...owed, id: 'part', remaining: 500 };
    const page = await browser.visit(screen, app, '/', { as: buyer.visitor });
    const answer = { json: { ...account, payments: [owed, part, paid] } };
    await page.route('**/api/order-page', (route) => route.fulfill(answer));
    await page.goto(buyer.link);
    await plan(page).getByText('$1,075.00', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Replace card' }).click();
    await page.getByText('$1,075.00 is overdue').waitFor();
  });

  test('opens the chat from beside “Questions?”, ready to type', async () => {
    const page = await openPlan(await customer(app));
    await page.getByRole('main').getByRole('button', { name: 'Chat with us' }).click();
    await expect.poll(() => focusedName(page)).toBe('Write to support');
  });

  test('confirms another address by its link, in a browser that could not change the plan', async () => {
    const { link, orderId } = await customer(app);
    const email = 'billing@lakeside.example';
    await app.database.db
      .insertInto('emailChanges')
      .values({ orderId, email, keyHash: hash('sha256', 'key'), createdAt: Date.now() })
      .execute();
    const page = await browser.visit(screen, app, `${link}/email/key`);
    await page.getByText('no longer to the one before').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Confirm this address' }).click();
    await readToast(page, 'Email address confirmed', 'go to your address from now on');
    await page.getByRole('region', { name: 'Contact and billing' }).getByText(email).waitFor();
    await expect.poll(() => page.url()).toBe(link);
  });

  test('emails a lost link, to which the foot of a page leads', async () => {
    const own = await ownTestApp(WITH_MAIL);
    const page = await browser.visit(screen, own, '/resources/', { allowErrors: /404/ });
    await page.getByRole('link', { name: 'Manage your plan' }).click();
    await page.getByRole('heading', { level: 1, name: 'Manage your plan' }).waitFor();
    await page.getByRole('button', { name: 'Email my links' }).click();
    await page.getByText('Please enter a valid email address').waitFor();
    await page.getByLabel('Email').fill('unknown@nowhere.example');
    await page.getByRole('button', { name: 'Email my links' }).click();
    await page.getByText('If we have orders for unknown@nowhere.example').waitFor();
    await expectAccessible(page);
    // A site without email offers its phone number instead.
    await page.goto(`${app.address}/checkout/order#1.guessed`);
    const lost = page.getByRole('region', { name: 'This link isn’t valid' });
    await lost.getByText('Please use the one you saved after paying.').waitFor();
    await lost.getByRole('link', { name: /^Call \(800\)/ }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Email my links' }).count()).toBe(0);
  });

  test('shows what was refunded of a payment in its row and on its receipt', async () => {
    const buyer = await customer(app);
    const staff = await app.staff();
    for (const amount of [100, 10])
      await staff.move().post(`/api/admin/orders/${buyer.orderId}/refund`, { amount });
    const page = await openPlan(buyer);
    await page.getByText('Partly refunded').waitFor();
    await page.getByText('$110.00 refunded', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Receipt' }).click();
    const receipt = page.getByRole('article');
    for (const sum of ['−$100.00', '−$10.00', '$465.00'])
      await receipt.getByText(sum, { exact: true }).waitFor();
    await expect.poll(() => receipt.getByText(/^Refunded \w+ \d+$/).count()).toBe(2);
    await receipt.getByText('Paid, net').waitFor();
    await expectAccessible(page);
    if (screen.name === 'desk') await expectPrintedPages(page, 1, 'a receipt');
  });

  test('prints the vendor file on two sheets, with the addendum that was accepted there', async () => {
    const page = await openPlan(await customer(app));
    await page.getByRole('button', { name: 'Accept the addendum…' }).click();
    await page.getByLabel('Your title').fill('General Manager');
    await page.getByRole('button', { name: 'Accept the addendum' }).click();
    await page.getByText(/accepted on .* by Jane Doe, General Manager/).waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'vendor file' }).click();
    await page.getByRole('heading', { name: 'Vendor file' }).waitFor();
    await page.getByText(/Safeguards addendum of .* SHA-256 [0-9a-f]{64}/).waitFor();
    await page.getByText('We tell you within 24 hours').waitFor();
    await expectAccessible(page);
    if (screen.name === 'desk') await expectPrintedPages(page, 2, 'a vendor file');
  });

  test('prints a receipt on one page with the address of its day, and the browser’s back button leads back to the plan', async () => {
    const buyer = await customer(app);
    const page = await openPlan(buyer);
    await page.getByRole('button', { name: 'Edit details' }).click();
    await page
      .getByRole('textbox', { name: 'Billing address' })
      .fill('12 Peachtree Street\nSmyrna, GA 30080');
    await page.getByRole('button', { name: 'Save details' }).click();
    await page.getByText('Smyrna, GA 30080').waitFor();
    await page.getByRole('link', { name: 'Receipt' }).click();
    const receipt = page.getByRole('article');
    await receipt.getByText('Visa •• 4242').waitFor();
    expect(await receipt.getByText('12 Peachtree Street').count()).toBe(0);
    await receipt.getByText(/^\w+ \d+(, \d{4})? through \w+ \d+, \d{4}$/).waitFor();
    await receipt.getByText('Sales tax').waitFor();
    await receipt.getByText(/^Receipt R-[\d ]+-0001$/).waitFor();
    await receipt.getByText('Business Standard').first().waitFor();
    await expectAccessible(page);
    const address = page.url();
    if (screen.name === 'desk') await expectPrintedPages(page, 1, 'a receipt');
    await page.reload();
    await receipt.getByText('Visa •• 4242').waitFor();
    await expect.poll(() => page.url()).toBe(address);
    await page.goBack();
    await plan(page).waitFor();
    await expect.poll(() => page.url()).toBe(buyer.link);
    await buyer.happen('renewed');
    await page.reload();
    await page.getByRole('link', { name: 'Receipt' }).first().click();
    await receipt.getByText('12 Peachtree Street').waitFor();
  });

  variant('opens the place that an email leads to, to change after a fresh link', async () => {
    const shop = await ownTestApp(WITH_MAIL);
    const buyer = await customer(shop);
    const page = await browser.visit(screen, shop, `${buyer.link}/to/card`);
    await page.route('**/api/order-page/link', (route) => route.fulfill({ status: 204 }));
    const asking = page.getByRole('region', { name: 'Change your plan' });
    await asking.getByText('To enter a new card, open a link').waitFor();
    await expectAccessible(page);
    await asking.getByRole('button', { name: 'Email me the link' }).click();
    await asking.getByText('The link will be in your inbox shortly.').waitFor();
    await page.close();
    const own = await browser.visit(screen, shop, `${buyer.link}/to/card`, { as: buyer.visitor });
    await own.getByRole('form', { name: 'Replace card' }).waitFor();
  });
});
