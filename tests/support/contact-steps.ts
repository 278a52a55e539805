/** What a visitor does with the home page's contact form. */
import type { Page } from 'playwright-core';
import type { BrowserForTests, Screen } from './browser.ts';

/** Opens the home page at its form. Each visitor has an IP address of its own, because limits count by address. */
export function contactForm(browser: BrowserForTests, address: () => string) {
  let visitors = 0;
  return async (on: Screen, allowErrors?: RegExp, prepare?: (page: Page) => Promise<void>) => {
    const page = await browser.open(on, { allowErrors });
    await prepare?.(page);
    visitors += 1;
    await page.setExtraHTTPHeaders({ 'X-Forwarded-For': `10.20.${on.width % 256}.${visitors}` });
    await page.goto(address());
    const form = page.locator('form[action="/contact"]');
    await form.scrollIntoViewIfNeeded();
    return { page, form };
  };
}

export const toast = (page: Page) => page.getByRole('region', { name: 'Notifications (F8)' });

export async function fillIn(page: Page) {
  const form = page.locator('form[action="/contact"]');
  await form.getByLabel('Name').fill('Ann Moore');
  await form.getByLabel('Email').fill('ann@lakeside.example');
  await form.getByLabel('Phone').fill('770.555.0134');
  await form.getByLabel('Service').selectOption({ label: 'VoIP Services' });
  await form.getByLabel('Message').fill('Our phones drop calls every afternoon.');
}

/** The text of the focused element. */
export function focused(page: Page): Promise<string> {
  return page.evaluate(() => document.activeElement?.textContent ?? '');
}
