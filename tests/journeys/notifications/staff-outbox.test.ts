import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectAccessible, SCREENS, sharedBrowser } from '../../support/browser.ts';
import { hasFocus } from '../../support/control-state.ts';
import { eventually } from '../../support/eventually.ts';
import { notifiedSite, WITHOUT_MAIL } from '../../support/notified-site.ts';
import { saveDeliveries } from '../../support/test-outbox.ts';
import { readToast } from '../../support/toast.ts';

describe.each(SCREENS)('staff on a $name', (screen) => {
  // Before the browser, so that the site stops after it: a page still open would report failed requests.
  const site = notifiedSite('each test', WITHOUT_MAIL);
  const browser = sharedBrowser();

  /** On a phone, the list of messages comes first. */
  async function openUndelivered(page: Page) {
    const section = page.getByRole('region', { name: 'Not delivered yet' });
    if (screen.name === 'phone') await section.getByRole('button', { name: /^Show/ }).click();
    return section;
  }

  test('see a message that Teams refused, even while reloading the list fails, and resend it', async () => {
    const { app, teams } = site;
    teams.behaviour = () => ({ status: 400 });
    const { json } = await app.visitor().post('/api/contact', {
      name: 'Dana Whitfield',
      email: 'dana@example.com',
      message: 'Our service-lane tablets lose Wi-Fi every afternoon.',
    });
    await eventually(() => expect(teams.tries).toBe(1));
    const page = await browser.visitAsStaff(screen, app, '/admin', { allowErrors: /503/ });
    const section = await openUndelivered(page);
    await section.getByText('Failed', { exact: true }).waitFor();
    for (const text of [`Message ${json.reference} to Microsoft Teams`, 'last: refused (400)'])
      expect(await section.textContent()).toContain(text);
    await expectAccessible(page);
    await page.route('**/api/admin/outbox', (route) => route.fulfill({ status: 503, json: {} }));
    await page.getByRole('button', { name: 'Refresh' }).click();
    await section.getByText('Couldn’t load pending deliveries.').waitFor();
    await page.unroute('**/api/admin/outbox');

    teams.behaviour = () => 'accept';
    await section.getByRole('button', { name: 'Send again', exact: true }).click();
    await readToast(page, 'Sending again', `${json.reference} to Microsoft Teams`);
    await eventually(() => expect(teams.accepted).toHaveLength(1));
    await page.getByRole('button', { name: 'Refresh' }).click();
    await section.waitFor({ state: 'detached' });
    expect(teams.accepted.map(({ text }) => text.includes(json.reference))).toEqual([true]);
  });

  test('dismiss a failed notification', async () => {
    const { app, teams } = site;
    teams.behaviour = () => ({ status: 400 });
    const { json } = await app.visitor().post('/api/teams-chat', { message: 'Never mind.' });
    await eventually(() => expect(teams.tries).toBe(1));
    // Another one that is tried again later.
    const later = Date.now() + 3_600_000;
    await saveDeliveries(app.database.db, [{ createdAt: later, nextTryAt: later, tries: 1 }]);
    const page = await browser.visitAsStaff(screen, app, '/admin');
    const section = await openUndelivered(page);
    await expect.poll(() => section.getByRole('listitem').count()).toBe(2);
    await section.getByRole('button', { name: 'Dismiss', exact: true }).press('Enter');
    await expect.poll(() => hasFocus(section.getByRole('list'))).toBe(true);
    await readToast(page, 'Dismissed', `${json.reference} to Microsoft Teams`);
    await expect.poll(() => section.getByRole('listitem').count()).toBe(1);
    expect(teams.tries).toBe(1);
  });
});
