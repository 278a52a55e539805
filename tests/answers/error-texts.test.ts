/**
 * Each error text of the specification's table is one that a person can come to read. In the gate,
 * the journeys of contact, chat and checkout fail in their own ways.
 */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { SCREENS, sharedBrowser } from '../support/browser.ts';
import { openChat, sendFirst } from '../support/chat-window.ts';
import { buy, CARDS, fillPayment, newEmail, openPayment, pay } from '../support/checkout-steps.ts';
import { contactForm, fillIn } from '../support/contact-steps.ts';
import { answer } from '../support/staff-answers.ts';
import { DEMO } from '../support/staff-steps.ts';
import { sharedTestApp } from '../support/test-app.ts';
import { expectToast } from '../support/toast.ts';
import { variant } from '../support/variant.ts';

const [DESKTOP] = SCREENS;
const allowErrors = /Failed to load resource|net::ERR/;

describe('a person reads', () => {
  const browser = sharedBrowser();
  const app = sharedTestApp();

  const open = (path: string) => browser.visit(DESKTOP, app, path, { allowErrors });
  const reads = (page: Page, text: string) => page.getByText(text).first().waitFor();
  const fail = (page: Page, call: string) =>
    page.route(`**/api/${call}`, (route) => route.fulfill({ status: 500, body: '' }));
  const lose = (page: Page, call: string) =>
    page.route(`**/api/${call}`, (route) => route.abort('connectionreset'));
  const mend = (page: Page, call: string) => page.unroute(`**/api/${call}`);

  variant('on the home page which list, message or chat failed', async () => {
    const page = await browser.open(DESKTOP, { allowErrors });
    for (const list of ['services', 'solutions', 'plans', 'update-plans']) await fail(page, list);
    await page.goto(app.address);
    await reads(page, 'Error loading services. Please try again later.');
    await reads(page, 'Error loading solutions. Please try again later.');
    await reads(page, 'Error loading pricing plans. Please try again later.');
    const send = () => contactForm(page).getByRole('button', { name: 'Send Message' }).click();
    await fillIn(page);
    await fail(page, 'contact');
    await send();
    await expectToast(page, 'Form Submission Error', 'Failed to submit the form');
    await reads(page, 'There was a problem sending your message. Please try again.');
    await mend(page, 'contact');
    await lose(page, 'contact');
    await send();
    await expectToast(page, 'Form Submission Error', 'Failed to receive response from server');
    await mend(page, 'contact');
    await send();
    await expectToast(page, 'Message Sent Successfully!', 'Thank you for your message. We');
    await fail(page, 'teams-chat');
    await openChat(page);
    await sendFirst(page, 'Is anybody there?');
    await expectToast(page, 'Message Error', 'send your message. Please try again.');
    await reads(page, 'Failed to send message. Please try again.');
  });

  variant('at the checkout why nothing was paid, and what became of a payment', async () => {
    const page = await open('/checkout');
    await page
      .getByRole('button', { name: 'Proceed to Checkout' })
      .locator('..')
      .click({ force: true });
    await expectToast(page, 'No plan selected', 'Please select a service plan to continue.');
    await page.goto('/checkout?plan=1');
    await openPayment(page);
    await fillPayment(page, CARDS.declined, newEmail('texts'));
    await fail(page, 'create-payment-intent');
    await pay(page);
    const failed = 'There was an error processing your payment. Please try again.';
    await expectToast(page, 'Payment Failed', failed);
    await reads(page, 'Failed to process payment');
    await mend(page, 'create-payment-intent');
    await lose(page, 'test-payments/confirm');
    await pay(page);
    await reads(page, 'Payment processing failed');
    await mend(page, 'test-payments/confirm');
    await pay(page);
    await expectToast(page, 'Payment Error', 'declined');

    const unknown = '/checkout?plan=1&payment_intent_client_secret=test_1_secret_a';
    await page.goto(unknown);
    const issue = 'There was an issue with your payment. Please try again.';
    await expectToast(page, 'Payment failed', issue);
    await fail(page, 'test-payments/retrieve');
    await page.goto(unknown);
    await reads(page, 'Failed to fetch order status');
    await mend(page, 'test-payments/retrieve');
    await fail(page, 'orders/*/update-status');
    await page.goto('/checkout?plan=1');
    await buy(page, newEmail('texts'));
    const thanks = 'Thank you for your purchase. We will be in touch shortly.';
    await expectToast(page, 'Payment successful!', thanks);
    await reads(page, 'Failed to update order status');
  });

  test('in the staff area that a sign-in, a list or the log failed', async () => {
    const page = await open('/admin-login');
    const signIn = async (password: string) => {
      await page.getByLabel('Username').fill(DEMO.username);
      await page.getByLabel('Password', { exact: true }).fill(password);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    };
    await signIn('wrong');
    await expectToast(page, 'Authentication failed', 'Invalid username or password');
    await signIn(DEMO.password);
    await expectToast(page, 'Successfully logged in', 'Welcome to the admin dashboard');
    await fail(page, 'admin/contacts*');
    await page.goto('/admin');
    const contacts = 'Failed to load contact submissions. Please try again.';
    await expectToast(page, 'Error', contacts);
    for (const call of ['admin/logs', 'admin/logs/analytics']) await fail(page, call);
    await page.goto('/admin/logs');
    await reads(page, 'Failed to fetch analytics');
    await page.getByRole('tab', { name: 'Raw Logs' }).click();
    await reads(page, 'Failed to fetch logs');
    await mend(page, 'admin/logs/analytics');
    await lose(page, 'admin/logs/analytics');
    await page.goto('/admin/logs');
    await reads(page, 'Error connecting to server');
    await mend(page, 'admin/logs/analytics');
    const message = 'The disk is full';
    await answer(page, 'admin/logs/analytics', { success: false, message });
    await page.goto('/admin/logs');
    await page.getByRole('alert').getByText(message).waitFor();
    const codes = [200, 201, 204, 304, 400, 401, 403, 404, 500, 418];
    const httpStatusCodes = Object.fromEntries(codes.map((code) => [code, 1]));
    const analytics = {
      ...{ totalRequests: 10, uniqueVisitors: 1, responseTimeAvg: 1, httpStatusCodes },
      mostVisitedPages: [],
    };
    await answer(page, 'admin/logs/analytics', { success: true, analytics });
    await page.goto('/admin/logs');
    const labels = page.getByRole('region', { name: 'HTTP Status Codes' }).getByRole('listitem');
    await expect
      .poll(async () => (await labels.allTextContents()).join('\n'))
      .toMatch(
        /200 OK.*201 Created.*204 No Content.*304 Not Modified.*400 Bad Request.*401 Unauthorized.*403 Forbidden.*404 Not Found.*418 Unknown.*500 Server Error/s,
      );
    await page.getByRole('button', { name: 'Logout' }).click();
    await expectToast(page, 'Logged out', 'You have been logged out successfully');
  });
});
