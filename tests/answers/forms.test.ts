/** After a malformed answer a form stays, and can be sent again. */
import { describe, expect, test } from 'vitest';
import { SCREENS, sharedBrowser } from '../support/browser.ts';
import { logOf, openChat, panelOf, sendChat, sendFirst } from '../support/chat-window.ts';
import { fillPayment, openPayment, pay } from '../support/checkout-steps.ts';
import { fillIn } from '../support/contact-steps.ts';
import { ERASED, enterAsStaff, PERSON } from '../support/staff-answers.ts';
import { sharedTestApp } from '../support/test-app.ts';
import { EVERY_VARIANT, feed, NEVER } from './feed.ts';

const [DESKTOP] = SCREENS;
const allowErrors = /Failed to load resource/;

describe('after a malformed answer, the visitor can send again:', EVERY_VARIANT, () => {
  const browser = sharedBrowser();
  const app = sharedTestApp();

  test('the contact form', async () => {
    const page = await browser.open(DESKTOP, { allowErrors });
    await page.goto(app.address);
    await page.locator('a[href^="mailto:"]').first().dispatchEvent('dblclick');
    await page.getByText('Last Form Submission').waitFor();
    const sending = async () => {
      await fillIn(page);
      await page.getByRole('button', { name: 'Send Message' }).click();
    };
    const contact = {
      id: 3,
      name: 'Dana',
      email: 'd@example.com',
      phone: null,
      service: 'voip',
      message: 'The tablets lose Wi-Fi.',
      createdAt: '2026-05-13T14:05:00.000Z',
    };
    const always = ['Send Message', 'Last Form Submission'];
    const calls = [{ call: 'contact', answer: { contact, reference: 'C-3' } }];
    expect(await feed(page, { always, calls }, sending)).toEqual([]);
  });

  test('the chat, also after a reload', async () => {
    const page = await browser.open(DESKTOP, { allowErrors });
    await page.goto(app.address);
    await openChat(page);
    // The chat asks for name and address once.
    await sendFirst(page, 'Is anybody there?');
    await logOf(page)
      .getByText(/Thank you, Ann Moore\./)
      .waitFor();
    const answer = { response: 'We are here.', reference: 'T-7' };
    const always = ['Is anybody there?'];
    const chat = { within: '[data-chat]', always, calls: [{ call: 'teams-chat', answer }] };
    expect(await feed(page, chat, () => sendChat(page, 'Is anybody there?'))).toEqual([]);
    await page.reload();
    await panelOf(page).getByText('Is anybody there?').first().waitFor();
    expect(await panelOf(page).innerHTML()).not.toMatch(NEVER);
  });

  test('the payment form', async () => {
    const page = await browser.open(DESKTOP, { allowErrors });
    await page.goto(`${app.address}/checkout?plan=2`);
    await openPayment(page);
    await fillPayment(page, '4242 4242 4242 4242');
    const secrets: unknown[] = [];
    await page.route('**/api/test-payments/confirm', (route) => {
      secrets.push(route.request().postDataJSON().clientSecret);
      return route.fulfill({ status: 500 });
    });
    const answer = { clientSecret: 'secret', orderId: 12, amount: 850 };
    const always = ['Pay $', 'Complete Your Purchase'];
    // A null secret means that nothing is due, which leads back to the checkout.
    const calls = [{ call: 'create-payment-intent', answer, skip: /^clientSecret = null$/ }];
    expect(await feed(page, { always, calls }, () => pay(page))).toEqual([]);
    expect(await page.evaluate(() => sessionStorage.getItem('order'))).toBe('12');
    expect(secrets).toContain('secret');
    expect(secrets.filter((secret) => typeof secret !== 'string')).toEqual([]);
  });

  test('the erasure of a person', async () => {
    const page = await browser.open(DESKTOP, { allowErrors });
    await enterAsStaff(page);
    await page.goto(`${app.address}/admin/people?find=${PERSON.email}`);
    const erase = page.getByRole('button', { name: 'Erase permanently' });
    const press = async () => {
      // An answer that is good enough has closed it.
      if (!(await erase.isVisible())) await page.getByRole('button', { name: 'Erase…' }).click();
      await erase.click();
      await page.locator('dialog button:disabled').first().waitFor({ state: 'detached' });
    };
    const always = ['Everything a person has sent or bought', 'O-1042'];
    const calls = [{ call: 'admin/people/erase', answer: ERASED, shows: 'T-12' }];
    expect(await feed(page, { always, calls }, press)).toEqual([]);
  });
});
