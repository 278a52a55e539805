/** Stripe's card fields in a page: each is a frame of its own. */
import type { Page } from 'playwright-core';

export const cardFields = (number: string): [string, string][] => [
  ['Secure card number input frame', number],
  ['Secure expiration date input frame', '1234'],
  ['Secure CVC input frame', '737'],
];

export async function typeCard(page: Page, number: string): Promise<void> {
  for (const [title, value] of cardFields(number)) {
    await page.frameLocator(`iframe[title="${title}"]`).locator('input').fill(value);
  }
}
