import { json } from 'node:stream/consumers';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { orderReference } from '../../../src/billing/reference.ts';
import { expectAccessible, SCREENS, sharedBrowser } from '../../support/browser.ts';
import { hasFocus } from '../../support/control-state.ts';
import { customer } from '../../support/own-page.ts';
import { savedOrder } from '../../support/saved-order.ts';
import { insertChatMessage, insertSubmission, openDetails } from '../../support/staff-steps.ts';
import { sharedTestApp } from '../../support/test-app.ts';
import { saveDeliveries } from '../../support/test-outbox.ts';
import { variant } from '../../support/variant.ts';

describe.each(SCREENS)('staff who handle a person’s data on a $name', (screen) => {
  const browser = sharedBrowser();
  const app = sharedTestApp();

  const rows = (page: Page) => page.getByRole('table', { name: 'Stored data' }).locator('tbody tr');

  async function find(page: Page, email: string) {
    await page.getByLabel('Email address').fill(email);
    await page.getByRole('button', { name: 'Find', exact: true }).click();
  }

  test('follow the link in a message, see everything with its state, download it, and erase it', async () => {
    const id = await insertSubmission(app, { createdAt: Date.now() - 60_000 });
    await insertChatMessage(app, {
      name: 'Dana',
      email: 'DANA@example.com',
      message: 'Is anybody there?',
      createdAt: Date.now() - 30_000,
    });
    const placed = { email: 'dana@example.com', createdAt: Date.now() };
    const { id: orderId } = await savedOrder(app.database.db, placed);
    const earlier = {
      createdAt: Date.now() - 120_000,
      nextTryAt: Date.now() + 3_600_000,
      tries: 1,
    };
    const notice = { ...earlier, kind: 'contact-received', subjectId: id };
    await saveDeliveries(app.database.db, [
      { ...notice, state: 'failed' },
      { ...notice, channel: 'mail-staff' },
    ]);
    const page = await browser.visitAsStaff(screen, app, `/admin?open=${id}`);
    await openDetails(page);
    await page.getByRole('link', { name: 'Everything from this address' }).click();
    await page.getByText('1 contact message, 1 chat message, 1 order, 2 notices.').waitFor();
    expect(await rows(page).allTextContents()).toEqual([
      expect.stringMatching(/O-[\d ]+Order.*Essential/),
      expect.stringMatching(/T-\d+Chat message.*Is anybody there\?/),
      expect.stringMatching(/C-\d+Contact message.*tablets lose Wi-Fi/),
      expect.stringMatching(/C-\d+Notice.*To Microsoft TeamsFailed$/),
      expect.stringMatching(/C-\d+Notice.*To staff by emailPending$/),
    ]);
    await expectAccessible(page);

    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download' }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/^person-\d{4}-\d\d-\d\d\.json$/);
    expect(await json(await file.createReadStream())).toMatchObject({
      email: 'dana@example.com',
      threads: [{ name: 'Dana Whitfield' }, { name: 'Dana' }],
      orders: [{ id: orderId }],
    });

    await page.getByRole('button', { name: 'Erase…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Erase this person’s data' });
    await dialog.getByText('1 contact message, 1 chat message').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Erase permanently' }).click();
    const done = page.getByRole('region', { name: 'Erased' });
    await done.getByText(`Kept without personal details: ${orderReference(orderId)}`).waitFor();
    await expect.poll(() => hasFocus(done.locator('..'))).toBe(true);
    await expect.poll(() => page.getByRole('table').count()).toBe(0);
    await expectAccessible(page);
    await page.goto(`/admin/orders?open=${orderId}`);
    const order = page
      .getByRole('heading', { name: `Order ${orderReference(orderId)}` })
      .locator('../../..');
    await order.getByText('Buyer erased by admin').waitFor();
    await expect.poll(() => order.getByText('Email').count()).toBe(0);
    await page.goto('/admin/account');
    await page.getByRole('cell', { name: 'Personal data erased' }).waitFor();
  });

  variant('are linked to the order that must end first', async () => {
    const { orderId } = await customer(app);
    const page = await browser.visitAsStaff(screen, app, `/admin/orders?open=${orderId}`);
    await page.getByRole('link', { name: 'Everything from this address' }).click();
    await page.getByRole('button', { name: 'Erase…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Please end them first').waitFor();
    await dialog.getByRole('button', { name: 'Erase permanently' }).waitFor({ state: 'detached' });
    await dialog.getByRole('link', { name: `Order ${orderReference(orderId)}` }).click();
    await page.getByRole('button', { name: 'More' }).waitFor();
  });

  variant('find them by name, the newest first, and see everything from them', async () => {
    const { db } = app.database;
    const company = `Named Motors ${screen.name}`;
    for (const name of ['Wanda Named', 'Willa Named'])
      await savedOrder(db, { name, email: `${name.slice(0, 5)}@named.example`, company });
    const page = await browser.visitAsStaff(screen, app, '/admin/people');
    await page.getByRole('link', { name: 'Willa Named' }).waitFor();
    await find(page, 'wanda named');
    await page.getByRole('link', { name: 'Willa Named' }).waitFor({ state: 'detached' });
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Wanda Named' }).click();
    await page.getByText('1 order.').waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'Wanda Named' }).waitFor();
  });

  test('read why nothing is found, and try again', async () => {
    const page = await browser.visitAsStaff(screen, app, '/admin/people', { allowErrors: /503/ });
    await find(page, 'nobody at all');
    await page.getByText('No one by this name, company, or address.').waitFor();
    await page.route('**/api/admin/people?*', (route) => route.fulfill({ status: 503, json: {} }));
    await find(page, 'nobody@example.com');
    await page.getByText('Couldn’t load the stored data.').waitFor();
    await page.unroute('**/api/admin/people?*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Nothing is stored under this email address').waitFor();
    await expectAccessible(page);
  });
});
