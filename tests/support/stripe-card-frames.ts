/** Stripe's card fields in a page: each is a frame of its own. */
import type { Page } from 'playwright-core';

export const cardFields = (number: string, expiry = '1234', cvc = '737'): [string, string][] => [
  ['Secure card number input frame', number],
  ['Secure expiration date input frame', expiry],
  ['Secure CVC input frame', cvc],
];

export async function typeCard(page: Page, ...card: Parameters<typeof cardFields>): Promise<void> {
  for (const [title, value] of cardFields(...card)) {
    await page.frameLocator(`iframe[title="${title}"]`).locator('input').fill(value);
  }
  // The frames report what was typed by messages; a press on Pay that overtakes the last one finds a field missing.
  await page.locator('.StripeElement--complete').nth(2).waitFor();
}
