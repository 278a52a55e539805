/** What a visitor does at the contact form of the home page. */
import type { Page } from 'playwright-core';

export async function fillIn(page: Page) {
  const form = page.locator('form[action="/contact"]');
  await form.getByLabel('Name').fill('Ann Moore');
  await form.getByLabel('Email').fill('ann@lakeside.example');
  await form.getByLabel('Phone').fill('770.555.0134');
  await form.getByLabel('Service').selectOption({ label: 'VoIP Services' });
  await form.getByLabel('Message').fill('Our phones drop calls every afternoon.');
}

/** The words of what has the focus. */
export function focused(page: Page): Promise<string> {
  return page.evaluate(() => document.activeElement?.textContent ?? '');
}
