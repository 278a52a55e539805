/** What is sent from a form: whatever comes back, the form stands and can be sent again. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCREENS, useBrowser } from '../support/browser.ts';
import { ask, dialogOf, openChat, panelOf } from '../support/chat-window.ts';
import { fillPayment, openPayment, pay } from '../support/checkout-steps.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { type BentAnswer, bentAnswers } from './bent-answers.ts';

const [DESK] = SCREENS;
const expectComplaints = /Failed to load resource/;
/** A value that nobody has looked at. */
const NEVER = /undefined|NaN|\[object|Invalid Date|could not be shown/;

describe('whatever comes back, it can be sent again:', () => {
  const browser = useBrowser();
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.stop());

  /** Sends once for each bent answer, and gives the names of those after which the page shows what it never should. */
  async function sendForEach(
    page: Page,
    call: string,
    answers: BentAnswer[],
    send: () => Promise<unknown>,
  ): Promise<string[]> {
    let bent: BentAnswer | undefined;
    await page.route(`**/api/${call}`, (route) => bent && route.fulfill(bent));
    const wrong: string[] = [];
    for (bent of answers) {
      await send();
      const text = (await page.locator('#root').textContent()) ?? '';
      const fault =
        NEVER.exec(text)?.[0] ?? (text.includes('Get Started') ? undefined : 'no frame');
      if (fault) wrong.push(`${bent.name}: ${fault}`);
    }
    return wrong;
  }

  // Some sixty answers, each to a form that is filled in again.
  const patience = { timeout: 180_000 };

  test('the contact form', patience, async () => {
    const page = await browser.open(DESK, { expectComplaints });
    await page.goto(app.address);
    const form = page.locator('form[action="/contact"]');
    const contact = { id: 3, name: 'Dana', email: 'd@example.com', phone: null, service: 'voip' };
    const more = { message: 'The tablets lose Wi-Fi.', createdAt: '2026-05-13T14:05:00.000Z' };
    const answers = bentAnswers({ contact: { ...contact, ...more }, reference: 'C-3' });
    await page.locator('a[href^="mailto:"]').first().dispatchEvent('dblclick');
    const wrong = await sendForEach(page, 'contact', answers, async () => {
      await form.getByLabel('Name').fill('Dana Whitfield');
      await form.getByLabel('Email').fill('dana@example.com');
      await form.getByLabel('Message', { exact: true }).fill('The tablets lose Wi-Fi.');
      const answered = page.waitForResponse('**/api/contact');
      await form.getByRole('button').click();
      await answered;
      await form.getByRole('button', { name: 'Send Message' }).waitFor();
    });
    expect(wrong).toEqual([]);
  });

  test('the chat, also after a reload', patience, async () => {
    const page = await browser.open(DESK, { expectComplaints });
    await page.goto(app.address);
    await openChat(page);
    const answers = bentAnswers({
      response: 'We are here.',
      reference: 'T-7',
      conversation: crypto.randomUUID(),
    });
    const wrong = await sendForEach(page, 'teams-chat', answers, async () => {
      const answered = page.waitForResponse('**/api/teams-chat');
      await ask(page, 'Is anybody there?');
      await answered;
      await panelOf(page).getByText('Sending …').waitFor({ state: 'detached' });
      await dialogOf(page).waitFor({ state: 'hidden' });
    });
    expect(wrong).toEqual([]);
    await page.reload();
    await openChat(page);
    await panelOf(page).getByText('Is anybody there?').first().waitFor();
    expect(await panelOf(page).textContent()).not.toMatch(NEVER);
  });

  test('the payment form', async () => {
    const page = await browser.open(DESK, { expectComplaints });
    await page.goto(`${app.address}/checkout?plan=2`);
    await openPayment(page);
    await fillPayment(page, '4242 4242 4242 4242');
    await page.route('**/api/test-payments/confirm', (route) => route.fulfill({ status: 500 }));
    const started = { clientSecret: 'secret', orderId: 12, amount: 850 };
    // Nothing is due then, which leads to the checkout.
    const answers = bentAnswers(started).filter(({ name }) => name !== 'clientSecret = null');
    const wrong = await sendForEach(page, 'create-payment-intent', answers, async () => {
      const answered = page.waitForResponse('**/api/create-payment-intent');
      await pay(page);
      await answered;
      await page.getByRole('button', { name: /^Pay \$/ }).waitFor();
    });
    expect(wrong).toEqual([]);
    expect(await page.evaluate(() => sessionStorage.getItem('order'))).toBe('12');
  });

  test('the session of staff', async () => {
    const page = await browser.open(DESK, { expectComplaints });
    await page.addInitScript(() => localStorage.setItem('admin_authenticated', 'true'));
    await page.route('**/api/admin/**', (route) => route.fulfill({ status: 404, json: {} }));
    const whole = bentAnswers({ username: 'admin' }).filter(({ name }) => name !== 'null');
    let bent: BentAnswer | undefined;
    await page.route('**/api/admin/session', (route) => bent && route.fulfill(bent));
    for (bent of whole) {
      await page.goto(`${app.address}/admin/account`);
      await page.getByRole('heading', { name: 'Open sessions' }).waitFor();
      expect(await page.locator('#root').textContent()).not.toMatch(NEVER);
    }
  });
});
