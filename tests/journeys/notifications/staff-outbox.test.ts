import { describe, expect, test } from 'vitest';
import { expectAccessible, SCREENS, sharedBrowser } from '../../support/browser.ts';
import { hasFocus } from '../../support/control-state.ts';
import { eventually } from '../../support/eventually.ts';
import { notifiedSite, WITHOUT_MAIL } from '../../support/notified-site.ts';
import { readToast } from '../../support/toast.ts';

describe.each(SCREENS)('staff on a $name', (screen) => {
  // Before the browser: a page still open would report failed requests once the site stops.
  const site = notifiedSite('each test', WITHOUT_MAIL);
  const browser = sharedBrowser();

  test('see what Teams refused, even while reloading the list fails, resend one message and dismiss another', async () => {
    const { app, teams } = site;
    teams.behaviour = () => ({ status: 413 });
    const visitor = app.visitor();
    const message = 'Our service-lane tablets lose Wi-Fi every afternoon.';
    const who = { name: 'Dana Whitfield', email: 'dana@example.com' };
    const { reference } = (await visitor.post('/api/contact', { ...who, message })).json;
    const chat = (await visitor.post('/api/teams-chat', { message: 'Never mind.' })).json;
    await eventually(() => expect(teams.tries).toBe(2));
    const page = await browser.visitAsStaff(screen, app, '/admin', { allowErrors: /503/ });
    const section = page.getByRole('region', { name: 'Other notices' });
    await page.getByText('2 notices not delivered').waitFor();
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    const row = (of: string) => section.getByRole('listitem').filter({ hasText: of });
    await row(reference).getByText('Failed', { exact: true }).waitFor();
    const named = `Message ${reference}, Dana Whitfield to Microsoft Teams`;
    for (const text of [named, 'last: refused (413)'])
      expect(await row(reference).textContent()).toContain(text);
    await expectAccessible(page);
    await page.route('**/api/admin/outbox', (route) => route.fulfill({ status: 503, json: {} }));
    await page.getByRole('button', { name: 'Refresh' }).click();
    await section.getByText('Couldn’t load pending deliveries.').waitFor();
    await page.unroute('**/api/admin/outbox');

    await row(chat.reference).getByRole('button', { name: 'Dismiss', exact: true }).press('Enter');
    await expect.poll(() => hasFocus(section.getByRole('list'))).toBe(true);
    await readToast(page, 'Dismissed', `${chat.reference} to Microsoft Teams`);
    await expect.poll(() => section.getByRole('listitem').count()).toBe(1);

    teams.behaviour = () => 'accept';
    await row(reference).getByRole('button', { name: 'Send again', exact: true }).click();
    await readToast(page, 'Sending again', `${reference} to Microsoft Teams`);
    await eventually(() => expect(teams.accepted).toHaveLength(1));
    await page.getByRole('button', { name: 'Refresh' }).click();
    await section.waitFor({ state: 'detached' });
    expect(teams.accepted.map(({ text }) => text.includes(reference))).toEqual([true]);
  });

  test('who dismiss a notice while the list reloads go on in the list, and not at Refresh', async () => {
    const { app, teams } = site;
    teams.behaviour = () => ({ status: 413 });
    for (const message of ['One.', 'Another.'])
      await app.visitor().post('/api/teams-chat', { message });
    await eventually(() => expect(teams.tries).toBe(2));
    const page = await browser.visitAsStaff(screen, app, '/admin');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    const section = page.getByRole('region', { name: 'Other notices' });
    const dismiss = section.getByRole('button', { name: 'Dismiss', exact: true }).first();
    await dismiss.waitFor();
    const [reloaded, dismissed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await page.route('**/api/admin/faults', async (route) => {
      await reloaded.promise;
      await route.continue();
    });
    await page.route('**/dismiss', async (route) => {
      await dismissed.promise;
      await route.continue();
    });
    const refresh = page.getByRole('button', { name: 'Refresh' });
    await refresh.click();
    await dismiss.press('Enter');
    reloaded.resolve();
    await expect.poll(() => refresh.isEnabled()).toBe(true);
    dismissed.resolve();
    await expect.poll(() => section.getByRole('listitem').count()).toBe(1);
    await expect.poll(() => hasFocus(section.getByRole('list'))).toBe(true);
  });

  test('read on every page what does not work and how to mend it, until it is over', async () => {
    const { app } = site;
    const { db } = app.database;
    const fault = { what: 'stripe', since: Date.now(), answer: 'it refuses the key (401)' };
    await db.insertInto('faults').values(fault).execute();
    const page = await browser.visitAsStaff(screen, app, '/admin');
    const line = page.getByRole('alert').filter({ hasText: 'Stripe does not answer this site' });
    await line.getByText('was the key rolled?').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Orders' }).click();
    await page.getByRole('heading', { name: 'Orders', exact: true }).waitFor();
    await line.waitFor();
    await db.updateTable('faults').set({ overAt: Date.now() }).execute();
    await page.getByRole('button', { name: 'Refresh' }).click();
    await line.waitFor({ state: 'detached' });
  });
});
