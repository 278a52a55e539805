/** After a malformed answer a form stays, and can be sent again. */
import { describe, expect, test } from 'vitest';
import { ERASED, PERSON } from '../looks/staff-answers.ts';
import { SCREENS, useBrowser } from '../support/browser.ts';
import { logOf, openChat, panelOf, sendChat, sendFirst } from '../support/chat-window.ts';
import { fillPayment, openPayment, pay } from '../support/checkout-steps.ts';
import { fillIn } from '../support/contact-steps.ts';
import { sharedTestApp } from '../support/test-app.ts';
import { feed, NEVER, type Screen } from './feed.ts';
import { enterAsStaff } from './staff-screens.ts';

const [DESKTOP] = SCREENS;
const allowErrors = /Failed to load resource/;

describe('after a malformed answer, the visitor can send again:', () => {
  const browser = useBrowser();
  const app = sharedTestApp();

  const CONTACT: Screen = {
    name: 'the contact form',
    path: '/',
    always: ['Send Message', 'Last Form Submission'],
    calls: [
      {
        url: /\/api\/contact$/,
        answer: {
          contact: {
            id: 3,
            name: 'Dana',
            email: 'd@example.com',
            phone: null,
            service: 'voip',
            message: 'The tablets lose Wi-Fi.',
            createdAt: '2026-05-13T14:05:00.000Z',
          },
          reference: 'C-3',
        },
      },
    ],
  };

  test('the contact form', async () => {
    const page = await browser.open(DESKTOP, { allowErrors });
    await page.goto(app.address);
    await page.locator('a[href^="mailto:"]').first().dispatchEvent('dblclick');
    await page.getByText('Last Form Submission').waitFor();
    const sending = async () => {
      await fillIn(page);
      await page.getByRole('button', { name: 'Send Message' }).click();
    };
    expect(await feed(page, CONTACT, sending)).toEqual([]);
  });

  const CHAT: Screen = {
    name: 'the chat',
    path: '/',
    within: '[data-chat]',
    always: ['Is anybody there?'],
    calls: [
      {
        url: /\/api\/teams-chat$/,
        answer: {
          response: 'We are here.',
          reference: 'T-7',
        },
      },
    ],
  };

  test('the chat, also after a reload', async () => {
    const page = await browser.open(DESKTOP, { allowErrors });
    await page.goto(app.address);
    await openChat(page);
    // The chat asks for name and address once.
    await sendFirst(page, 'Is anybody there?');
    await logOf(page)
      .getByText(/Thank you, Ann Moore\./)
      .waitFor();
    expect(await feed(page, CHAT, () => sendChat(page, 'Is anybody there?'))).toEqual([]);
    await page.reload();
    await panelOf(page).getByText('Is anybody there?').first().waitFor();
    expect(await panelOf(page).innerHTML()).not.toMatch(NEVER);
  });

  const PAYMENT: Screen = {
    name: 'the payment form',
    path: '/checkout?plan=2',
    always: ['Pay $', 'Complete Your Purchase'],
    calls: [
      {
        url: /\/api\/create-payment-intent$/,
        answer: { clientSecret: 'secret', orderId: 12, amount: 850 },
        // A null secret means that nothing is due, which leads back to the checkout.
        skip: /^clientSecret = null$/,
      },
    ],
  };

  test('the payment form', async () => {
    const page = await browser.open(DESKTOP, { allowErrors });
    await page.goto(app.address + PAYMENT.path);
    await openPayment(page);
    await fillPayment(page, '4242 4242 4242 4242');
    const secrets: unknown[] = [];
    await page.route('**/api/test-payments/confirm', (route) => {
      secrets.push(route.request().postDataJSON().clientSecret);
      return route.fulfill({ status: 500 });
    });
    expect(await feed(page, PAYMENT, () => pay(page))).toEqual([]);
    expect(await page.evaluate(() => sessionStorage.getItem('order'))).toBe('12');
    expect(secrets).toContain('secret');
    expect(secrets.filter((secret) => typeof secret !== 'string')).toEqual([]);
  });

  const ERASURE: Screen = {
    name: 'the erasure of a person',
    path: `/admin/people?find=${PERSON.email}`,
    always: ['Everything a person has sent or bought', 'O-1042'],
    calls: [{ url: /\/api\/admin\/people\/erase$/, answer: ERASED, shows: 'T-12' }],
  };

  test('the erasure of a person', async () => {
    const page = await browser.open(DESKTOP, { allowErrors });
    await enterAsStaff(page);
    await page.goto(app.address + ERASURE.path);
    await page.getByRole('button', { name: 'Erase…' }).click();
    const press = () => page.getByRole('button', { name: 'Erase permanently' }).click();
    expect(await feed(page, ERASURE, press)).toEqual([]);
  });
});
