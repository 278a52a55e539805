import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectAccessible, SCREENS, useBrowser } from '../../support/browser.ts';
import { openAsStaff, readToast, receive } from '../../support/staff-steps.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

describe.each(SCREENS)('when the inbox cannot be loaded, a colleague at the $name', (screen) => {
  const browser = useBrowser();
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.stop());
  beforeEach(async () => {
    await app.database.db.deleteFrom('contactSubmissions').execute();
    await app.database.db.deleteFrom('chatMessages').execute();
  });
  const rows = (page: Page) =>
    page.getByRole('row').filter({ has: page.getByRole('button', { name: 'View' }) });

  test('is told that the list could not be loaded, and sees no invented people', async () => {
    await receive(app);
    const page = await browser.open(screen, { expectComplaints: /status of 503/ });
    await page.route('**/api/admin/contacts', (route) =>
      route.fulfill({ status: 503, json: { message: 'away' } }),
    );
    await openAsStaff(page, app, '/admin');
    await readToast(page, 'Error', 'Failed to load contact submissions. Please try again.');
    await page
      .getByText('This is a preview with sample data: the endpoint is not yet available.')
      .waitFor();
    expect(await rows(page).count()).toBe(0);
    await page.getByText('No submissions found.').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await readToast(page, 'Error', 'Failed to load contact submissions. Please try again.');

    await page.unroute('**/api/admin/contacts');
    await page.getByRole('button', { name: 'Refresh' }).click();
    await rows(page).first().waitFor();
    expect(await page.getByText('This is a preview').count()).toBe(0);
  });

  test('is told which of the two lists could not be loaded', async () => {
    const page = await browser.open(screen, { expectComplaints: /status of 503/ });
    await page.route('**/api/admin/conversations*', (route) =>
      route.fulfill({ status: 503, json: { message: 'away' } }),
    );
    await openAsStaff(page, app, '/admin?list=conversations');
    await readToast(page, 'Error', 'Failed to load chat conversations. Please try again.');
  });

  test('reads messages though nothing is answered about the outbox', async () => {
    await receive(app);
    const page = await browser.open(screen);
    await page.route('**/api/admin/outbox', () => undefined);
    await openAsStaff(page, app, '/admin');
    await rows(page).first().waitFor();
  });

  test('sees the true shape of the list while it is awaited', async () => {
    const page = await browser.open(screen);
    await page.route('**/api/admin/contacts', () => undefined);
    await openAsStaff(page, app, '/admin');
    await page.locator('table[aria-busy=true] .skeleton').first().waitFor();
    expect(await page.getByText('No submissions found.').count()).toBe(0);
  });
});
