/** In a browser that translates the page, every screen can be used to its end, and shows what has changed. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { openBeforeScript } from '../../support/before-script.ts';
import { SCREENS, sharedBrowser } from '../../support/browser.ts';
import { logOf, openChat, sendChat, sendFirst } from '../../support/chat-window.ts';
import {
  CARDS,
  choosePlan,
  fillCard,
  fillPayment,
  newEmail,
  openPayment,
  pay,
} from '../../support/checkout-steps.ts';
import { contactForm, fillIn } from '../../support/contact-steps.ts';
import { fillFields } from '../../support/fill-fields.ts';
import { customer } from '../../support/own-page.ts';
import { sharedQuoteSite } from '../../support/quote-site.ts';
import {
  DEMO,
  insertAnswer,
  insertChatMessage,
  insertSubmission,
  openAllFilters,
  openDetails,
  openFilters,
  signIn,
} from '../../support/staff-steps.ts';
import { saveDeliveries } from '../../support/test-outbox.ts';
import { keepTranslated, translatePage } from '../../support/translate-page.ts';

describe.each(SCREENS)('in a browser that translates, on a $name', (screen) => {
  const browser = sharedBrowser();
  const site = sharedQuoteSite();

  type Opening = Parameters<typeof browser.visit>[3];
  async function visit(path: string, options?: Opening): Promise<Page> {
    const page = await browser.visit(screen, site.app, path, options);
    await translatePage(page);
    return page;
  }
  async function visitAsStaff(path: string): Promise<Page> {
    return visit(path, { as: await site.app.staff() });
  }
  const see = (page: Page, words: string | RegExp) =>
    page.getByText(words).filter({ visible: true }).first().waitFor();
  /** The last one, because a dialog comes after what it covers. */
  const press = (page: Page, name: string | RegExp) =>
    page.getByRole('button', { name, exact: true }).filter({ visible: true }).last().click();
  /** The filters cover a phone's page. */
  const closeFilters = async (page: Page) => {
    if (screen.name === 'phone') await press(page, 'Show the list');
  };
  const isIntact = async (page: Page) =>
    await expect.poll(() => page.getByText('This part didn’t load').count()).toBe(0);

  test('a visitor corrects a message and sends it', async () => {
    const page = await visit('/');
    await press(page, 'Send Message');
    await see(page, 'Please fix these fields:');
    await fillIn(page);
    await press(page, 'Send Message');
    await see(page, /Message received\. Reference/);
    await contactForm(page).getByRole('button', { name: 'Send Message' }).waitFor();
    await isIntact(page);
  });

  test('a visitor chats', async () => {
    const page = await visit('/');
    await openChat(page);
    await sendFirst(page, 'Are you there?');
    await logOf(page).getByText('Reference T-').waitFor();
    await sendChat(page, 'One more thing');
    await expect.poll(() => logOf(page).getByText('Reference T-').count()).toBe(2);
    await insertAnswer(site.app, 'Yes: https://tidewell.example/help.');
    await logOf(page).getByRole('link').waitFor();
    await press(page, 'End conversation');
    await press(page, 'End conversation');
    await logOf(page).getByText('One more thing').waitFor({ state: 'detached' });
    await isIntact(page);
  });

  test('a visitor plans, chooses and pays, with a card that is declined, and one that asks', async () => {
    const home = await visit('/');
    await home.getByRole('slider').press('End');
    await see(home, '$1,950.00');
    const page = await visit('/checkout');
    const total = (words: string) =>
      expect.poll(() => page.locator('[data-total-bar]').textContent()).toContain(words);
    await choosePlan(page, 'Essential');
    await total('$450.00');
    await choosePlan(page, 'Professional');
    await total('$850.00');
    await page.getByRole('radio', { name: /^Microsoft 365 E3/ }).check();
    await page.getByLabel('Users').fill('0');
    await see(page, 'Please enter a whole number');
    await page.getByLabel('Users').fill('10');
    await page.getByRole('checkbox', { name: /backup/i }).check();
    await total('$1,259.50');
    await openPayment(page);
    await pay(page);
    await see(page, 'Please accept the terms and conditions');
    await fillPayment(page, CARDS.declined, newEmail('ann'));
    await pay(page);
    await see(page, 'Payment Error');
    await fillCard(page, CARDS.asks);
    await pay(page);
    await press(page, 'Approve');
    await see(page, 'You’re all set');
    await translatePage(page);
    await see(page, '$1,259.50 is paid for your first month');
    await isIntact(page);
  });

  test('a visitor saves a quote, and stops its reminders', async () => {
    const page = await visit('/checkout?plan=2');
    await press(page, 'Save as a quote');
    const form = page.getByRole('dialog', { name: 'Save as a quote' });
    await form.getByRole('button', { name: 'Save quote' }).click();
    await see(page, 'Name must be at least 2 characters');
    await fillFields(form, { Name: 'Dana Fox', Email: newEmail('dana') });
    await form.getByRole('button', { name: 'Save quote' }).click();
    await press(page, 'Copy');
    await see(page, 'Copied');
    const quote = await visit(await page.getByLabel('Link to the quote').inputValue());
    await press(quote, 'Stop reminders');
    await see(quote, 'No reminders of this quote are sent.');
    await press(quote, 'Send reminders');
    await see(quote, 'We email a reminder 7 days and 1 day before');
    await isIntact(quote);
  });

  test('a customer changes the plan, replaces the card, cancels and takes it back', async () => {
    const buyer = await customer(site.app);
    const page = await visit(buyer.link, { as: buyer.visitor });
    await press(page, 'Change users or backup');
    await page.getByLabel('Users').fill('12');
    await press(page, 'See the new price');
    await see(page, '$600.00');
    await press(page, 'Confirm change');
    await see(page, 'Your plan has changed.');
    await see(page, '$600.00');
    await press(page, 'Replace card');
    await fillCard(page, '5555 5555 5555 4444');
    await press(page, 'Save card');
    await see(page, 'Your card is replaced.');
    await see(page, 'Mastercard ending in 4444');
    await press(page, 'Cancel plan…');
    await press(page, 'Cancel plan');
    await see(page, 'Your plan is canceled.');
    await see(page, /The subscription ends on/);
    await press(page, 'Keep my plan');
    await see(page, 'You keep your plan.');
    await expect.poll(() => page.getByText(/The subscription ends on/).count()).toBe(0);
    await press(page, 'Add address');
    await page.getByRole('textbox', { name: 'Billing address' }).fill('1 Main Street');
    await press(page, 'Save address');
    await see(page, '1 Main Street');
    await isIntact(page);
  });

  test('a visitor checks the safeguards', async () => {
    const page = await visit('/safeguards-check#finish');
    await press(page, 'See the result');
    await see(page, 'Please answer at least one question.');
    const step = (id: string) => page.evaluate((to) => window.location.assign(to), `#${id}`);
    await step('q-consumers');
    await page.locator('#q-consumers input').first().check();
    await step('finish');
    await press(page, 'See the result');
    await see(page, /\d+ questions have no answer/);
    await page.getByLabel('Email', { exact: true }).fill(newEmail('dana'));
    await press(page, 'Email the report');
    await see(page, 'The report is on its way to');
    await isIntact(page);
  });

  test('a visitor tries again after a list has failed', async () => {
    const page = await browser.open(screen, { baseURL: site.app.address, allowErrors: /500/ });
    await page.route('**/api/plans', (route) => route.fulfill({ status: 500 }), { times: 2 });
    await page.goto('/');
    await translatePage(page);
    await see(page, 'Error loading pricing plans.');
    await page.locator('#pricing').getByRole('button', { name: 'Try again' }).click();
    await see(page, 'Most Popular');
    await isIntact(page);
  });

  test('a visitor whose page was translated before its script ran sends a message', async () => {
    const page = await browser.open(screen, { allowErrors: /React error #418/ });
    const release = await openBeforeScript(page, `${site.app.address}/`);
    await page.evaluate(keepTranslated);
    release();
    await translatePage(page);
    await fillIn(page);
    await press(page, 'Send Message');
    await see(page, /Message received\. Reference/);
    await isIntact(page);
  });

  test('staff sign in, answer, search and mark messages, and sign out', async () => {
    const { db } = site.app.database;
    const id = await insertSubmission(site.app, { phone: '(770) 555-0134' });
    await insertChatMessage(site.app, {});
    const later = { createdAt: Date.now(), nextTryAt: Date.now() + 3_600_000, tries: 1 };
    const kind = 'contact-received';
    await saveDeliveries(db, [{ ...later, kind, subjectId: id, state: 'failed' }]);
    const page = await visit('/admin-login', { allowErrors: /401/ });
    await signIn(page, { ...DEMO, password: 'wrong' });
    await see(page, 'Invalid username or password');
    await signIn(page);
    await page.getByRole('row', { name: 'Dana' }).getByRole('button', { name: 'View' }).click();
    await see(page, 'Submission Details');
    await openDetails(page);
    await press(page, 'Answered');
    await page.getByRole('button', { name: 'Answered', exact: true, pressed: true }).waitFor();
    await page.keyboard.press('Escape');
    await press(page, 'Close');
    await openFilters(page);
    await press(page, 'Answered 1');
    await page.getByLabel('Search').fill('nobody like this');
    await closeFilters(page);
    await press(page, 'Clear search and filters');
    await press(page, 'Refresh');
    await see(page, 'Dana Whitfield');
    if (screen.name === 'phone') await press(page, 'Show 1');
    await press(page, 'Send again');
    await see(page, 'Sending again');
    await openAllFilters(page);
    await press(page, 'Chats');
    await closeFilters(page);
    await press(page, 'View');
    await see(page, 'Automatic reply');
    await page.getByLabel('Your answer').fill('They called before.');
    await press(page, 'Note');
    await see(page, 'Only staff can see this');
    await page.getByLabel('Your answer').fill('Yes, we are here.');
    await press(page, 'Send');
    await see(page, 'Leaves in');
    await press(page, 'Undo');
    await see(page, 'The text is in the box again.');
    await isIntact(page);
    await press(page, 'Close');
    await press(page, 'Logout');
    await page.waitForURL('**/');
  });

  test('staff refund and end an order, make a link, and look its buyer up', async () => {
    const { orderId } = await customer(site.app);
    const page = await visitAsStaff(`/admin/orders?open=${orderId}`);
    await press(page, 'Refund…');
    await page.getByLabel('Amount in dollars').fill('75');
    await press(page, 'Refund $75.00');
    await see(page, '$75.00 refunded by admin');
    await press(page, 'Make a link…');
    await press(page, 'Make the link');
    await page.getByLabel('Link to the order').waitFor();
    await press(page, 'Close');
    await press(page, 'End subscription…');
    await press(page, 'End the subscription');
    await see(page, /^Ends /);
    await press(page, 'Renew');
    await see(page, 'The order has ended.');
    await press(page, 'Close');
    await openFilters(page);
    await page.getByLabel('Status').selectOption('canceled');
    await closeFilters(page);
    await see(page, /^O-\d+/);
    await page.getByRole('link', { name: 'People' }).click();
    await page.getByLabel('Email address').fill('jane@dealer.example');
    await press(page, 'Find');
    await see(page, /^\d orders?, /);
    await isIntact(page);
  });

  test('staff read the logs, and make and withdraw a quote', async () => {
    const page = await visitAsStaff('/admin/logs');
    await see(page, 'Total Requests');
    await page.getByRole('tab', { name: 'Raw Logs' }).click();
    await see(page, /"GET \//);
    await press(page, 'Refresh');
    await page.getByRole('tab', { name: 'Analytics' }).click();
    await page.getByRole('link', { name: 'Quotes' }).click();
    await press(page, 'New quote');
    const form = page.getByRole('dialog', { name: 'New quote' });
    await form.getByLabel('Discount on the plan').selectOption('percent');
    await form.getByLabel('Percent').fill('10');
    await form.getByLabel('Discount on the plan').selectOption('dollars');
    await fillFields(form, { Name: 'Dana Fox', Email: newEmail('dana'), Dollars: '50' });
    await form.getByLabel('Reason on the quote').fill('Two stores');
    await form.getByLabel('Plan', { exact: true }).selectOption('2');
    await form.getByRole('button', { name: 'Make quote' }).click();
    await see(page, '$800.00');
    await press(page, 'Get a link');
    await page.getByLabel('Link to the quote').waitFor();
    await press(page, 'Withdraw…');
    await press(page, 'Withdraw');
    await see(page, 'Withdrawn');
    await isIntact(page);
  });
});
