/** Bodies to the letter, for somebody who reads the documentation of the calls. Every journey checks their fields. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCREENS, useBrowser } from '../../support/browser.ts';
import { ask, logOf, openChat, write } from '../../support/chat-window.ts';
import { CARDS, expectToast, fillCard, openPayment, pay } from '../../support/checkout-steps.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

const [DESK] = SCREENS;
/** Longer than a program takes that fills in forms. */
const WHILE_MS = 10_000;

describe('a visitor who takes the time to write sends', () => {
  let app: TestApp;
  const browser = useBrowser();
  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.stop());

  async function open(address: string, call: string) {
    const page = await browser.open(DESK);
    const bodies: unknown[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith(call)) bodies.push(request.postDataJSON());
    });
    await page.clock.install();
    await page.goto(app.address + address);
    return { page, bodies };
  }

  test('a contact message with what was filled in', async () => {
    const { page, bodies } = await open('/', '/api/contact');
    const form = page.locator('form[action="/contact"]');
    const bare = { name: 'Ann Moore', email: 'ann@lakeside.example', message: 'Please call me.' };
    const full = { ...bare, phone: '770-555-0134', service: 'voip' };
    const send = async ({ phone, service }: { phone?: string; service?: string }) => {
      await form.getByLabel('Name').fill(bare.name);
      await form.getByLabel('Email').fill(bare.email);
      await form.getByLabel('Message').fill(bare.message);
      if (phone) await form.getByLabel('Phone').fill(phone);
      if (service) await form.getByLabel('Service').selectOption(service);
      await page.clock.fastForward(WHILE_MS);
      await form.getByRole('button', { name: 'Send Message' }).click();
      await expect.poll(() => form.getByLabel('Message').inputValue()).toBe('');
    };
    await send({});
    await send(full);
    expect(bodies).toEqual([bare, full]);
  });

  test('a chat message with name and address', async () => {
    const { page, bodies } = await open('/', '/api/teams-chat');
    await openChat(page);
    await page.clock.fastForward(WHILE_MS);
    await ask(page, 'Do you support Reynolds?');
    await logOf(page).getByText('Thank you, Ann Moore.').waitFor();
    const who = { email: 'ann@lakeside.example', name: 'Ann Moore' };
    expect(bodies).toEqual([{ message: 'Do you support Reynolds?', ...who }]);
    await write(page, 'And CDK?');
    await logOf(page).getByText('Thank you, Ann Moore.').nth(1).waitFor();
    expect(bodies[1]).toEqual({ message: 'And CDK?', ...who });
  });

  test('an order with what is bought', async () => {
    const { page, bodies } = await open('/checkout?plan=1', '/api/create-payment-intent');
    const order = {
      planId: 1,
      name: 'Ann Lee',
      email: 'ann@example.com',
      ms365Option: 'none',
      ms365Users: 0,
      includeCloudBackup: false,
      amount: 450,
      paymentMethod: 'credit_card',
    };
    await buy(page, CARDS.declined);
    await expectToast(page, 'Payment Error', 'Your card was declined');
    expect(bodies).toEqual([order]);
    await page.getByRole('button', { name: 'Change', exact: true }).click();
    await page.getByRole('radio', { name: /Microsoft 365 E3/ }).check();
    await page.getByRole('checkbox', { name: /Cloud backup/ }).check();
    await buy(page, CARDS.good, '770-555-0134');
    await expectToast(page, 'Payment successful!', 'Thank you');
    expect(bodies[1]).toEqual({
      ...order,
      phone: '770-555-0134',
      ms365Option: 'e3',
      ms365Users: 10,
      includeCloudBackup: true,
      amount: 859.5,
    });
  });
});

async function buy(page: Page, card: string, phone?: string): Promise<void> {
  await openPayment(page);
  await page.getByLabel('Name on Card').fill('Ann Lee');
  await page.getByLabel('Billing Email').fill('ann@example.com');
  if (phone) await page.getByLabel('Phone').fill(phone);
  await fillCard(page, card);
  await page.getByRole('checkbox', { name: /terms/ }).check();
  await pay(page);
}
