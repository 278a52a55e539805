/** The documents of content/trust can be printed. */
import { describe, expect, test } from 'vitest';
import { SCREENS, sharedBrowser } from '../../support/browser.ts';
import { expectPrintedPages } from '../../support/printed-pages.ts';
import { sharedTestApp } from '../../support/test-app.ts';
import { variant } from '../../support/variant.ts';

const EVIDENCE = {
  path: '/sample-evidence',
  title: 'A sample Safeguards evidence file',
  says: '314.4(c)(5)',
};
const MORE = [
  { path: '/trust', title: 'Who looks after your network', says: 'Example Casualty Company' },
  { path: '/ten-questions', title: 'Our answers to the ten questions', says: 'How do we leave?' },
  { path: '/sample-report', title: 'A sample monthly report', says: 'Open risks' },
];

describe.each(SCREENS)('on a $name', (screen) => {
  const browser = sharedBrowser();
  const app = sharedTestApp();

  const TITLE = '$path prints on two pages';
  test.each([EVIDENCE])(TITLE, expectPrintable);
  variant.each(MORE)(TITLE, expectPrintable);

  async function expectPrintable({ path, title, says }: typeof EVIDENCE) {
    const page = await browser.visit(screen, app, path);
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    await page.getByText(says).filter({ visible: true }).first().waitFor();
    await expectPrintedPages(page, 2);
    // Every table of a sample says that it is one.
    const tables = await page.getByRole('table').count();
    const marked = await page.getByRole('table', { name: /^SAMPLE / }).count();
    expect(marked).toBe(path.startsWith('/sample') ? tables : 0);
  }
});
