/** Answers that have only the specified fields are enough for the screens. */
import { describe, expect, test } from 'vitest';
import { SCREENS, sharedBrowser } from '../support/browser.ts';
import { openChat, panelOf, sendFirst } from '../support/chat-window.ts';
import { fillPayment, monthlyTotal, openPayment, pay } from '../support/checkout-steps.ts';
import { fillIn } from '../support/contact-steps.ts';
import { answer } from '../support/staff-answers.ts';
import { DEMO } from '../support/staff-steps.ts';
import { sharedTestApp } from '../support/test-app.ts';

const [DESKTOP] = SCREENS;
const allowErrors = /Failed to load resource/;

describe('with only the specified fields in answers', () => {
  const browser = sharedBrowser();
  const app = sharedTestApp();

  const PLAN = {
    id: 7,
    name: 'Harbor',
    description: 'For one office.',
    price: 120.5,
    popular: true,
    features: ['A desk to call'],
  };

  test('the home page shows the lists, sends a message, and answers in the chat', async () => {
    const page = await browser.open(DESKTOP, { allowErrors });
    await answer(page, 'services', [
      { id: 1, name: 'Rigging', description: 'Cables.', image: '/none.jpg' },
    ]);
    await answer(page, 'solutions', [
      { id: 1, name: 'Piers', description: 'Boats.', industry: 'Finance', features: ['A crane'] },
    ]);
    await answer(page, 'plans', [PLAN]);
    await answer(page, 'update-plans', { success: true });
    await answer(page, 'contact', { contact: { id: 3 } });
    await answer(page, 'teams-chat', { response: 'We are here.' });
    await page.goto(app.address);
    await page.getByRole('heading', { name: 'Rigging' }).waitFor();
    const piers = page.getByRole('article').filter({ hasText: 'Piers' });
    await piers.getByText('What’s included').click();
    await piers.getByText('A crane').waitFor();
    await page.getByText('$120.50').first().waitFor();
    await expect
      .poll(() => page.getByRole('listitem').filter({ hasText: 'Rigging' }).count())
      .toBe(1);

    await fillIn(page);
    await page.getByRole('button', { name: 'Send Message' }).click();
    await page.getByText('Message Sent Successfully!').first().waitFor();
    await page.locator('a[href^="mailto:"]').first().dispatchEvent('dblclick');
    const panel = page.getByRole('heading', { name: 'Last Form Submission' }).locator('..');
    await panel.getByText('ann@lakeside.example').waitFor();

    await openChat(page);
    await sendFirst(page, 'Is anybody there?');
    await panelOf(page).getByText('We are here.').waitFor();
  });

  const ORDER = {
    id: 12,
    name: 'Ann Lee',
    email: 'ann@example.com',
    phone: null,
    planId: 7,
    paymentMethod: 'credit_card',
    ms365Option: 'none',
    ms365Users: 0,
    includeCloudBackup: false,
    status: 'paid',
    amount: 120.5,
    paymentId: 'p_1',
    createdAt: '2026-05-13T14:05:00.000Z',
  };

  test('a buyer chooses and pays a plan that is only in the fetched list', async () => {
    const page = await browser.open(DESKTOP, { allowErrors });
    await answer(page, 'plans', [PLAN]);
    await answer(page, 'create-payment-intent', { clientSecret: 'secret_of_nobody' });
    await answer(page, 'test-payments/confirm', {}, 500);
    await answer(page, 'orders/12', ORDER);
    await answer(page, 'orders/12/update-status', ORDER);
    await page.goto(`${app.address}/checkout?plan=7&microsoft365=e3&ms365_users=2`);
    await page.getByRole('radio', { name: /^Harbor/, checked: true }).waitFor();
    expect(await monthlyTotal(page)).toBe('$192.50');
    expect(new URL(page.url()).searchParams.get('plan')).toBe('7');
    await openPayment(page);
    await fillPayment(page, '4242 4242 4242 4242');
    await pay(page);
    await page.getByRole('alert').filter({ hasText: 'Payment processing failed' }).waitFor();

    await page.evaluate(() => sessionStorage.setItem('order', '12'));
    await page.reload();
    await page.getByText('Order O-12').waitFor();
    await page.getByText('Ann Lee').waitFor();
  });

  test('a plan’s name presets the number of users on the checkout and finds the plan in the planner', async () => {
    const page = await browser.open(DESKTOP);
    const named = ['Essential', 'PROFESSIONAL', 'Enterprise', 'Harbor'].map((name, at) => ({
      ...PLAN,
      id: at + 1,
      name,
      price: 100 * (at + 1),
    }));
    await answer(page, 'plans', named);
    await page.goto(`${app.address}/checkout?microsoft365=e3`);
    for (const [name, users] of [
      ['Essential', '10'],
      ['PROFESSIONAL', '20'],
      ['Enterprise', '50'],
      ['Harbor', '1'],
    ]) {
      await page.getByRole('radio', { name: new RegExp(`^${name}`) }).check();
      expect([name, await page.getByLabel('Users').inputValue()]).toEqual([name, users]);
    }
    await page.goto(app.address);
    const planner = page.getByRole('form', { name: 'How many people?' });
    await planner.getByText('Sized for about 20 users.').waitFor();
    await planner.getByRole('spinbutton').fill('43');
    await planner.getByText('Sized for about 50 users.').waitFor();
  });

  test('the checkout drops a plan that is missing from the fetched list', async () => {
    const page = await browser.open(DESKTOP);
    await answer(page, 'plans', [PLAN]);
    await page.goto(`${app.address}/checkout?plan=2`);
    await page.getByText('No plan selected.').waitFor();
    await page.waitForURL(`${app.address}/checkout`);
  });

  const MESSAGE = {
    id: 5,
    name: 'Dana Whitfield',
    email: 'dana@example.com',
    message: 'The tablets lose Wi-Fi.',
    createdAt: '2026-05-13T14:05:00.000Z',
  };

  test('staff read a whole message when only the list of messages is available', async () => {
    const page = await browser.open(DESKTOP, { allowErrors });
    await page.addInitScript(() => localStorage.setItem('admin_authenticated', 'true'));
    await page.route('**/api/admin/**', (route) =>
      route.fulfill({ status: 404, contentType: 'text/html', body: '<h1>Not Found</h1>' }),
    );
    await answer(page, 'admin/contacts', [MESSAGE]);
    await page.goto(`${app.address}/admin`);
    await page.getByRole('button', { name: 'View' }).click();
    await page.getByRole('definition').getByText('The tablets lose Wi-Fi.').waitFor();
    await expect.poll(() => page.getByText('Couldn’t load this message').count()).toBe(0);
    await page.getByRole('link', { name: 'Reply by Email' }).waitFor();
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await page.getByRole('cell', { name: 'Not specified' }).waitFor();
  });

  test('staff see the five figures of analytics, and the log', async () => {
    const page = await browser.open(DESKTOP, { allowErrors });
    await page.addInitScript(() => localStorage.setItem('admin_authenticated', 'true'));
    await answer(page, 'admin/session', { username: DEMO.username });
    await answer(page, 'admin/faults', {}, 404);
    await answer(page, 'admin/logs', { success: true, logs: 'GET /rope' });
    await answer(page, 'admin/logs/analytics', {
      success: true,
      analytics: {
        totalRequests: 40,
        uniqueVisitors: 3,
        responseTimeAvg: 1.5,
        httpStatusCodes: { 200: 30, 404: 10 },
        mostVisitedPages: [{ url: '/rope', count: 9 }],
      },
    });
    await page.goto(`${app.address}/admin/logs`);
    for (const text of ['40', '3', '1.50 ms', '75%', '/rope', '404'])
      await page.getByText(text, { exact: true }).first().waitFor();
    expect(await page.getByText('No such requests').count()).toBe(0);
    await page.getByRole('tab', { name: 'Raw Logs' }).click();
    await page.getByText('GET /rope').waitFor();
  });
});
