/** From the home page to a paid plan, counted: what somebody presses besides typing what is asked for. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCREENS, useBrowser } from '../../support/browser.ts';
import { CARDS, fillPayment } from '../../support/checkout-steps.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

const MOST_KEYS = 40;
const MOST_TAPS = 9;

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

const paid = (page: Page) =>
  page.getByRole('heading', { level: 1, name: 'You’re all set' }).waitFor();

describe('a customer in a hurry', () => {
  const browser = useBrowser();
  const [desk, phone] = SCREENS;

  test('buys with few keys', async () => {
    const page = await browser.open(desk);
    await page.goto(app.address);
    let presses = 0;
    const press = async (key: string) => {
      presses += 1;
      await page.keyboard.press(key);
    };
    /** What the focus is on: its own words, or those of its label. */
    const focused = () =>
      page.evaluate(() => {
        const element = document.activeElement;
        const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : [];
        const words = [element?.textContent, ...labels.map((label) => label.textContent)];
        return words.join(' ').trim();
      });
    const tabTo = async (words: RegExp) => {
      do await press('Tab');
      while (!words.test(await focused()) && presses <= MOST_KEYS);
    };
    await tabTo(/^Pricing$/);
    await press('Enter');
    await page.waitForFunction(() => {
      const top = document.querySelector('#pricing')?.getBoundingClientRect().top ?? 9_999;
      return Math.abs(top) < 200;
    });
    await tabTo(/^Get Started$/);
    await press('Enter');
    await page.waitForURL(/\/checkout\?plan=/);
    await page.getByRole('button', { name: 'Proceed to Checkout' }).waitFor();
    await tabTo(/^Skip to content$/);
    await press('Enter');
    await tabTo(/^Proceed to Checkout$/);
    await press('Enter');
    await page.getByLabel('Name on Card').waitFor();
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
    await paid(page);
    expect(presses).toBeLessThanOrEqual(MOST_KEYS);
  });

  test('buys with few taps', async () => {
    const page = await browser.open(phone);
    await page.goto(app.address);
    let taps = 0;
    await page.exposeFunction('countTap', () => {
      taps += 1;
    });
    await page.addInitScript(() => {
      addEventListener('pointerup', ({ target }) => {
        const field = target instanceof HTMLInputElement && target.type !== 'checkbox';
        if (!field) Reflect.get(window, 'countTap')();
      });
    });
    await page.reload();
    await page.getByRole('link', { name: 'Get Started', exact: true }).last().tap();
    await page.getByRole('button', { name: 'Proceed to Checkout' }).tap();
    await page.getByRole('dialog', { name: 'Complete Your Purchase' }).waitFor();
    for (const label of ['Name on Card', 'Billing Email', 'Card Number', 'Expiry Date', 'CVV'])
      await page.getByLabel(label).tap();
    await fillPayment(page, CARDS.good);
    await page.getByRole('button', { name: /^Pay \$/ }).tap();
    await paid(page);
    expect(taps).toBeGreaterThanOrEqual(4);
    expect(taps).toBeLessThanOrEqual(MOST_TAPS);
  });
});
