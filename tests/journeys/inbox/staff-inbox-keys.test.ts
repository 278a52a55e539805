import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { SCREENS, useBrowser } from '../../support/browser.ts';
import { openAsStaff, receive, YESTERDAY } from '../../support/staff-steps.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

describe.each(SCREENS)('a colleague at the keys of the $name', (screen) => {
  const browser = useBrowser();
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.stop());
  beforeEach(async () => {
    await app.database.db.deleteFrom('contactSubmissions').execute();
  });
  const rows = (page: Page) =>
    page.getByRole('row').filter({ has: page.getByRole('button', { name: 'View' }) });

  test('goes through the list with the keyboard alone', async () => {
    for (const [n, name] of ['Third', 'Second', 'First'].entries())
      await receive(app, { name, createdAt: YESTERDAY + n * 1000 });
    const page = await browser.open(screen);
    await openAsStaff(page, app, '/admin');
    await rows(page).first().waitFor();
    const at = () => page.evaluate(() => document.activeElement?.closest('tr')?.textContent ?? '');
    // Where fingers point, the letters are off.
    const [next, previous] = screen.name === 'phone' ? ['ArrowDown', 'ArrowUp'] : ['j', 'k'];
    if (screen.name === 'phone') await rows(page).first().getByRole('button').focus();
    else await page.keyboard.press(next);
    expect(await at()).toContain('First');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press(next);
    await page.keyboard.press(next);
    expect(await at()).toContain('Third');
    await page.keyboard.press(previous);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Submission Details' }).waitFor();
    await page.locator('dd', { hasText: 'Second' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'Submission Details' }).waitFor({ state: 'detached' });
    expect(await at()).toContain('Second');
  });

  test('turns the letters off, which dictation may say by chance, and keeps the arrows', async () => {
    for (const n of [1, 2])
      await receive(app, { name: `Visitor ${n}`, createdAt: YESTERDAY + n * 1000 });
    const page = await browser.open(screen);
    await openAsStaff(page, app, '/admin');
    await rows(page).first().waitFor();
    const at = () => page.evaluate(() => document.activeElement?.closest('tr')?.textContent ?? '');
    const turnOff = page.getByRole('button', { name: 'Turn j and k off' });
    if (screen.name === 'phone') expect(await turnOff.count()).toBe(0);
    else await turnOff.click();
    await page.keyboard.press('j');
    expect(await at()).toBe('');
    if (screen.name === 'phone') return;
    await rows(page).first().getByRole('button', { name: 'View' }).focus();
    await page.keyboard.press('j');
    expect(await at()).toContain('Visitor 2');
    await page.keyboard.press('ArrowDown');
    expect(await at()).toContain('Visitor 1');
    await page.reload();
    await page.getByRole('button', { name: 'Turn j and k on' }).click();
    await rows(page).first().waitFor();
    await page.keyboard.press('j');
    expect(await at()).toContain('Visitor 2');
  });
});
