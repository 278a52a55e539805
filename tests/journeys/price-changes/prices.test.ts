/** Staff give notice of a new price; the customer reads it, and ends the plan. */

import { describe, expect, test } from 'vitest';
import { orderReference } from '../../../src/billing/reference.ts';
import { expectAccessible, SCREENS, sharedBrowser } from '../../support/browser.ts';
import { customer } from '../../support/own-page.ts';
import { sharedPriceSite } from '../../support/price-site.ts';
import { openAsStaff } from '../../support/staff-steps.ts';
import { variant } from '../../support/variant.ts';

describe.each(SCREENS)('prices on a $name', (screen) => {
  const browser = sharedBrowser();
  const site = sharedPriceSite();

  test('staff read an email before they send it, give notice and take it back; the customer sees both prices and ends the plan', async () => {
    const [buyer, other] = [await customer(site.app), await customer(site.app)];
    const page = await browser.open(screen);
    await openAsStaff(page, site.app, '/admin/prices');
    await page.getByText('2 customers, +$94.34 a month in all.').waitFor();
    await expectAccessible(page);
    await page
      .getByRole('button', { name: `Preview email, ${orderReference(buyer.orderId)}` })
      .click();
    const mail = page.getByRole('dialog', { name: /^Your price changes on / });
    await mail.getByText('$12.50 → $14.44').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');

    await page.getByLabel('Choose all 2').check();
    await page.getByRole('button', { name: 'Give notice…' }).click();
    const asked = page.getByRole('dialog', { name: 'Give notice?' });
    await asked.getByText('2 customers, +$94.34 a month').waitFor();
    await expectAccessible(page);
    await asked.getByRole('button', { name: 'Give notice' }).click();
    await page.getByText('Done for 2 customers.').waitFor();
    await page.getByText('No running plan is in this list.').waitFor();
    // The button that opened the dialog is hidden: there is nobody left to choose.
    const focusedPart = () =>
      page.evaluate(() => document.activeElement?.closest('section, dialog')?.tagName);
    await expect.poll(focusedPart).toBe('SECTION');
    await page.getByRole('button', { name: 'Notice given' }).click();
    await expect.poll(() => page.getByText('by admin').count()).toBe(2);
    await page.getByRole('checkbox', { name: orderReference(other.orderId) }).check();
    await page.getByRole('button', { name: 'Take back…' }).click();
    await page
      .getByRole('dialog', { name: 'Take back?' })
      .getByRole('button', { name: 'Take back' })
      .click();
    await page.getByText('Done for 1 customer.').waitFor();
    // The button that opened the dialog is disabled: nothing is chosen any more.
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    await expect.poll(focused).toMatch(/^Choose all 1/);
    await expectAccessible(page);

    const own = await browser.visit(screen, site.app, buyer.link, { as: buyer.visitor });
    const change = own.getByRole('region', { name: 'Your price changes' });
    for (const text of ['× $12.50', '× $14.44', '$575.00', '$622.17'])
      await change.getByText(text).waitFor();
    await expectAccessible(own);
    await change.getByRole('button', { name: 'Cancel plan…' }).click();
    await own
      .getByRole('dialog', { name: 'Cancel your plan?' })
      .getByRole('button', { name: 'Cancel plan' })
      .click();
    await change.getByText('you’ll never pay the new price').waitFor();
    await expectAccessible(own);
  });

  variant(
    'staff read no figures of prices and no counts of orders that could not be loaded',
    async () => {
      const page = await browser.open(screen, {
        as: await site.app.staff(),
        allowErrors: /status of 500/,
      });
      await page.route(/\/api\/admin\/(prices|orders)/, (route) => route.fulfill({ status: 500 }));
      await page.goto('/admin/prices');
      await page.getByText('We couldn’t load the prices.').waitFor();
      expect(await page.getByText(/customers|Choose all/).count()).toBe(0);
      await page.goto('/admin/orders');
      await page.getByText('We couldn’t load the orders.').waitFor();
      expect(await page.getByRole('option').filter({ hasText: '(0)' }).count()).toBe(0);
    },
  );

  test('staff read that a notice did not arrive, and give it again by hand at the price and day of now', async () => {
    const { orderId } = await customer(site.app);
    const { db } = site.app.database;
    site.mailbox.behaviour = ({ subject }) => (subject?.startsWith('Your price') ? 550 : 'accept');
    await site.give([orderId]);
    await expect.poll(async () => (await site.row(orderId)).price.state).toBe('withdrawn');
    // The price of the plan, and the day, were others then.
    const notice = db.updateTable('priceChanges').where('orderId', '=', orderId);
    await notice
      .set(({ fn, val }) => ({
        toLines: fn<string>('replace', ['toLines', val('47777'), val('45300')]),
        effectiveAt: Date.parse('2031-03-04T12:00:00Z'),
      }))
      .execute();

    const page = await browser.open(screen);
    await openAsStaff(page, site.app, '/admin/prices');
    const row = page.locator('tr').filter({ hasText: orderReference(orderId) });
    await row.getByText('Essential: $450.00 → $477.77').waitFor();
    await row.getByText('Notice of new price not delivered, so withdrawn').waitFor();
    await row.getByText('$575.00 → $597.40 from March 4, 2031').waitFor();
    await expectAccessible(page);
    await row.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Give notice…' }).click();
    const asked = page.getByRole('dialog', { name: 'Give notice?' });
    await asked.getByText('1 customer, +$47.17 a month').waitFor();
    await asked.getByLabel('I delivered it by hand').check();
    await expectAccessible(page);
    await asked.getByRole('button', { name: 'Give notice' }).click();
    await page.getByText('Done for 1 customer.').waitFor();
    const { price } = await site.row(orderId);
    expect(price).toMatchObject({ state: 'announced', after: 622.17, mail: null });
    await page.getByRole('button', { name: 'Notice given' }).click();
    const first = await row.locator('time').first().getAttribute('datetime');
    expect(first).toBe(price.effectiveAt);
  });

  test('staff read what was done although the rest of their press was refused', async () => {
    await customer(site.app);
    const page = await browser.open(screen, { allowErrors: /409/ });
    await page.route('**/api/admin/prices?*', async (route) => {
      const answer = await (await route.fetch()).json();
      const row = answer.rows.find(({ price }: { price: unknown }) => price === null);
      const rows = Array.from({ length: 101 }, (_, at) => ({ ...row, orderId: at + 1 }));
      await route.fulfill({ json: { ...answer, rows } });
    });
    const answers = [
      { json: { done: 100, skipped: [] } },
      { status: 409, json: { message: 'It is being applied.' } },
    ];
    await page.route('**/api/admin/prices/notice', (route) => route.fulfill(answers.shift()));
    await openAsStaff(page, site.app, '/admin/prices');
    await page.getByLabel('Choose all 101').check();
    await page.getByRole('button', { name: 'Give notice…' }).click();
    const asked = page.getByRole('dialog', { name: 'Give notice?' });
    await asked.getByRole('button', { name: 'Give notice' }).click();
    await page.getByText('Done for 100 customers. Left out: It is being applied.').waitFor();
    // The list is read again after the press.
    await page.unrouteAll({ behavior: 'wait' });
  });
});
