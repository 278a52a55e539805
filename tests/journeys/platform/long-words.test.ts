/** A long name or email address, without a hyphen at which it could break. */
import { describe, expect, test } from 'vitest';
import { SCREENS, sharedBrowser } from '../../support/browser.ts';
import { contentWith } from '../../support/content-folder.ts';
import { savedOrder } from '../../support/saved-order.ts';
import { sharedTestApp } from '../../support/test-app.ts';

const LONG = {
  email: 'customersupport@featherstonehaughautomotivegroup.example',
};
const PAGES = ['/', '/resources/', '/news', '/privacy-policy', '/checkout', '/quote/unknown'];

describe.each(SCREENS)('a long word on a $name', (screen) => {
  const browser = sharedBrowser();
  const app = sharedTestApp(
    {},
    contentWith({ 'company.json': (own: object) => ({ ...own, ...LONG }) }),
  );

  test('of the company makes no page scroll sideways', async () => {
    const page = await browser.visit(screen, app, '/', { allowErrors: /status of 404/ });
    for (const path of PAGES) {
      await page.goto(path);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect([path, width]).toEqual([path, screen.width]);
    }
  });

  test('of a customer is read to its end by staff, in dialogs as well', async () => {
    const person = { name: 'Featherstonehaugh'.repeat(5), email: `desk${LONG.email}` };
    const { id } = await savedOrder(app.database.db, { ...person, status: 'paid' });
    const page = await browser.visitAsStaff(screen, app, `/admin/orders?open=${id}`);
    const width = () => page.evaluate(() => document.documentElement.scrollWidth);
    await page.getByRole('link', { name: person.email }).waitFor();
    expect(await width()).toBe(screen.width);
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('button', { name: 'Revoke links…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Revoke links' });
    await dialog.getByText(person.name).waitFor();
    const [shown, inner] = await dialog.evaluate((e) => [e.clientWidth, e.scrollWidth]);
    expect(inner).toBe(shown);
  });
});
