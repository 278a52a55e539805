import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCREENS, useBrowser } from '../../support/browser.ts';
import { savedOrder } from '../../support/saved-order.ts';
import { openAsStaff } from '../../support/staff-steps.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

describe.each(SCREENS)('the orders at the keys of the $name', (screen) => {
  const browser = useBrowser();
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp();
    for (const [n, name] of ['Third', 'Second', 'First'].entries())
      await savedOrder(app.database.db, { name, createdAt: Date.UTC(2026, 0, 1 + n) });
  });
  afterAll(() => app.stop());

  const views = (page: Page) => page.getByRole('row').getByRole('button', { name: 'View' });

  test('arrows go from row to row, Enter opens one, Escape closes it and leads back to its row', async () => {
    const page = await browser.open(screen);
    await openAsStaff(page, app, '/admin/orders');
    await views(page).first().focus();
    const at = () => page.evaluate(() => document.activeElement?.closest('tr')?.textContent ?? '');
    expect(await at()).toContain('First');
    await page.keyboard.press('ArrowUp');
    expect(await at()).toContain('First');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    expect(await at()).toContain('Third');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'History' }).waitFor();
    // On a phone the order stands in the list's place.
    if (screen.name === 'desk')
      await views(page).nth(1).and(page.locator('[aria-expanded=true]')).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('region', { name: 'History' }).waitFor({ state: 'detached' });
    expect(await at()).toContain('Second');
    await expect.poll(() => new URL(page.url()).search).toBe('');
  });
});
