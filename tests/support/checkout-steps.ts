/** What a customer does in the checkout, in the words on the screen. */
import { randomInt } from 'node:crypto';
import type { Page } from 'playwright-core';

export const CARDS = {
  good: '4242 4242 4242 4242',
  declined: '4000 0000 0000 0002',
  poor: '4000 0000 0000 9995',
  asks: '4000 0025 0000 3155',
};

/** What an empty payment form says when Pay is pressed. */
export const MISSING = [
  'Please enter the name on your card',
  'Please enter your email address',
  'Please enter your card number',
  'Please enter the expiry date',
  'Please enter your CVV',
  'Please accept the terms and conditions',
];

/** A new email address, so that a repeated journey finds nothing left from its first run. */
export const newEmail = (who: string) => `${who}.${randomInt(1e9)}@example.com`;

export async function choosePlan(page: Page, name: string): Promise<void> {
  await page.getByRole('radio', { name: new RegExp(`^${name}`) }).check();
}

export async function openPayment(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Proceed to Checkout' }).click();
  await page.getByRole('dialog', { name: 'Complete Your Purchase' }).waitFor();
}

export async function fillCard(
  page: Page,
  number: string,
  expiry = '1230',
  cvc = '123',
): Promise<void> {
  await page.getByLabel('Card Number').fill(number);
  await page.getByLabel('Expiry Date').fill(expiry);
  await page.getByLabel('CVV').fill(cvc);
}

/** Fills in the payment form, except the card. */
export async function fillBilling(page: Page, email = 'ann@example.com'): Promise<void> {
  await page.getByLabel('Name on Card').fill('Ann Lee');
  await page.getByLabel('Billing Email').fill(email);
  await page.getByRole('checkbox', { name: /terms/ }).check();
}

export async function fillPayment(page: Page, number: string, email?: string): Promise<void> {
  await fillBilling(page, email);
  await fillCard(page, number);
}

export async function pay(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Pay \$/ }).click();
}

/** From the chosen plan to the press of Pay. */
export async function buy(page: Page, email: string, number = CARDS.good): Promise<void> {
  await openPayment(page);
  await fillPayment(page, number, email);
  await pay(page);
}

export async function monthlyTotal(page: Page): Promise<string> {
  const total = page.getByText('Monthly total', { exact: true }).locator('..');
  return ((await total.textContent()) ?? '').replace(/[^$\d.,]/g, '');
}
