/** The documents of content/trust: accessible, printable, and linked where a reader would look. */
import { describe, expect, test } from 'vitest';
import { expectAccessible, SCREENS, sharedBrowser } from '../../support/browser.ts';
import { expectPrintedPages } from '../../support/printed-pages.ts';
import { sharedTestApp } from '../../support/test-app.ts';

const SHEETS = [
  { path: '/trust', title: 'Who looks after your network', says: 'Example Casualty Company' },
  { path: '/ten-questions', title: 'Our answers to the ten questions', says: 'How do we leave?' },
  { path: '/sample-report', title: 'A sample monthly report', says: 'Open risks' },
  { path: '/sample-evidence', title: 'A sample Safeguards evidence file', says: '314.4(c)(5)' },
];

describe.each(SCREENS)('on a $name', (screen) => {
  const browser = sharedBrowser();
  const app = sharedTestApp();

  test.each(SHEETS)(
    '$path is accessible, and prints on two pages',
    async ({ path, title, says }) => {
      const page = await browser.visit(screen, app, path);
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
      await page.getByText(says).filter({ visible: true }).first().waitFor();
      await expectAccessible(page);
      await expectPrintedPages(page, 2);
      // Every table of a sample says that it is one.
      const tables = await page.getByRole('table').count();
      const marked = await page.getByRole('table', { name: /^SAMPLE / }).count();
      expect(marked).toBe(path.startsWith('/sample') ? tables : 0);
    },
  );

  test('articles, the dealership card and the resources link to the documents and the Safeguards check', async () => {
    const page = await browser.visit(screen, app, '/news/outsourcing-it');
    await page.getByRole('link', { name: 'Read our answers to all ten' }).click();
    await page
      .getByRole('heading', { level: 1, name: 'Our answers to the ten questions' })
      .waitFor();
    await page.getByRole('link', { name: 'Our insurance' }).click();
    await page.waitForURL(/\/trust#insurance$/);
    await page.getByRole('heading', { level: 2, name: 'Insurance' }).waitFor();
    await page.goto(`${app.address}/news/ftc-safeguards-rule`);
    await page.getByRole('link', { name: 'take the Safeguards check' }).click();
    await page.waitForURL(/\/safeguards-check$/);
    await page.goto(`${app.address}/resources/`);
    const checks = page.getByRole('region', { name: 'Check for yourself' });
    expect(await checks.getByRole('link').count()).toBe(5);
    await page.getByRole('link', { name: 'What you can check about us' }).click();
    await page.waitForURL(/\/trust$/);
    await page.goto(app.address);
    const card = page.getByRole('article').filter({ hasText: 'Dealership Technology' });
    await card.getByText('What’s included').click();
    await card.getByRole('link', { name: 'Take the Safeguards check' }).click();
    await page.waitForURL(/\/safeguards-check$/);
  });
});
