import { describe, expect, test } from 'vitest';
import { anotherCompany } from '../../support/another-company.ts';
import { expectAccessible, SCREENS, sharedBrowser } from '../../support/browser.ts';
import { sharedTestApp } from '../../support/test-app.ts';

describe('a site with another company’s content', () => {
  const browser = sharedBrowser();
  const app = sharedTestApp({}, anotherCompany());

  test.each(SCREENS)('shows a customer the way to support, on a $name', async (screen) => {
    const page = await browser.visit(screen, app, '/news');
    await page.getByRole('button', { name: /^Customers$|^Open menu$/ }).click();
    const link = page.locator('header').getByRole('link', { name: 'Remote Support' });
    await link.waitFor();
    expect(await link.getAttribute('href')).toBe('https://help.corvane.example/');
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await link.waitFor({ state: 'hidden' });
  });
});
