/** A visitor's chat message meets a server or a network that fails. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectAccessible, SCREENS, useBrowser } from '../../support/browser.ts';
import { ask, logOf, openChat, panelOf } from '../../support/chat-window.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

describe.each(SCREENS)('trouble in the chat on a $name', (screen) => {
  let app: TestApp;
  const browser = useBrowser();
  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.stop());

  async function startChat() {
    const page = await browser.open(screen, { expectComplaints: /Failed to load resource/ });
    await page.goto(`${app.address}/news`);
    await openChat(page);
    return page;
  }

  const toast = (page: Page) => page.getByRole('region', { name: 'Notifications (F8)' });
  const stored = () =>
    app.database.db.selectFrom('chatMessages').selectAll().orderBy('id').execute();

  test('a failure is told in its place and by a toast; trying again sends it once', async () => {
    const page = await startChat();
    const before = (await stored()).length;
    await page.route('**/api/teams-chat', (route) =>
      route.fulfill({
        status: 429,
        json: { message: 'Too many requests. Please try again in 9 seconds.' },
      }),
    );
    await ask(page, 'Is anybody there?');
    const alert = panelOf(page).getByRole('alert');
    await alert.getByText('Failed to send message. Please try again.').waitFor();
    await alert.getByText('Too many requests. Please try again in 9 seconds.').waitFor();
    await toast(page).getByText('Message Error').waitFor();
    await toast(page).getByText("We couldn't send your message. Please try again.").waitFor();
    await logOf(page).getByText('Not sent').waitFor();
    await expectAccessible(page);
    await page.unroute('**/api/teams-chat');
    await alert.getByRole('button', { name: 'Try again' }).click();
    await logOf(page)
      .getByText(/Thank you, Ann Moore\./)
      .waitFor();
    expect(await alert.count()).toBe(0);
    expect(await logOf(page).getByText('Not sent').count()).toBe(0);
    expect(await logOf(page).getByText('Is anybody there?').count()).toBe(1);
    expect(await stored()).toHaveLength(before + 1);
  });

  test('without the network', async () => {
    const page = await startChat();
    await page.waitForLoadState('networkidle');
    await page.context().setOffline(true);
    await ask(page, 'Hello?');
    await panelOf(page).getByText('You seem to be offline.').waitFor();
    await toast(page).getByText('Message Error').waitFor();
  });

  test('an answer that says nothing is a thank-you that names the address', async () => {
    const page = await startChat();
    await page.route('**/api/teams-chat', (route) => route.fulfill({ json: {} }));
    await ask(page, 'Hello');
    await logOf(page)
      .getByText(/Thank you for your message\..*by email at ann@lakeside\.example\./)
      .waitFor();
  });
});
