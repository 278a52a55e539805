/** A visitor says once who asks, and corrects it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectAccessible, SCREENS, useBrowser } from '../../support/browser.ts';
import { ask, dialogOf, logOf, openChat, panelOf } from '../../support/chat-window.ts';
import { focusedName } from '../../support/focused-name.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

describe.each(SCREENS)('who asks in the chat on a $name', (screen) => {
  let app: TestApp;
  const browser = useBrowser();
  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.stop());

  async function startChat() {
    const page = await browser.open(screen);
    await page.goto(app.address);
    await openChat(page);
    return page;
  }

  const stored = () =>
    app.database.db.selectFrom('chatMessages').selectAll().orderBy('id').execute();

  test('who asks stands below, and can be changed before the next message or with it', async () => {
    const page = await startChat();
    await ask(page, 'Hello');
    await panelOf(page).getByText('Ann Moore, ann@lakeside.example').waitFor();
    const change = panelOf(page).getByRole('button', { name: 'Change' });
    await change.click();
    expect(await focusedName(page)).toBe('Save');
    await dialogOf(page).getByLabel('Name').fill('Bo Li');
    await dialogOf(page).getByRole('button', { name: 'Save' }).click();
    await panelOf(page).getByText('Bo Li, ann@lakeside.example').waitFor();
    const before = (await stored()).length;
    await page.getByLabel('Write to support').fill('And by the way');
    await change.click();
    await dialogOf(page).getByText('And by the way').waitFor();
    await dialogOf(page).getByRole('button', { name: 'Back to your message' }).click();
    expect(await focusedName(page)).toBe('Write to support');
    await change.click();
    await dialogOf(page).getByLabel('Email').fill('bo@garage.example');
    await expectAccessible(page);
    await dialogOf(page).getByRole('button', { name: 'Send Message' }).click();
    await logOf(page)
      .getByText(/Thank you, Bo Li\..*bo@garage\.example\.$/)
      .waitFor();
    expect(await stored()).toHaveLength(before + 1);
  });

  test('who gave name and address here need not at the contact form, nor the other way round', async () => {
    const page = await startChat();
    await ask(page, 'Hello');
    await logOf(page)
      .getByText(/Thank you, Ann Moore\./)
      .waitFor();
    const form = page.locator('form[action="/contact"]');
    expect(await form.getByLabel('Name').inputValue()).toBe('Ann Moore');
    expect(await form.getByLabel('Email').inputValue()).toBe('ann@lakeside.example');

    const second = await browser.open(screen);
    await second.goto(app.address);
    const written = second.locator('form[action="/contact"]');
    await written.getByLabel('Name').fill('Cy Dahl');
    await written.getByLabel('Email').fill('cy@dahl.example');
    await written.getByLabel('Message').fill('Written at the form');
    await written.getByRole('button', { name: 'Send Message' }).click();
    await written.getByText('Message received.').waitFor();
    await second.getByRole('button', { name: 'Chat with us' }).click();
    await second.getByLabel('Write to support').fill('Asked in the chat');
    await second.getByLabel('Write to support').press('Enter');
    expect(await dialogOf(second).getByLabel('Name').inputValue()).toBe('Cy Dahl');
    expect(await dialogOf(second).getByLabel('Email').inputValue()).toBe('cy@dahl.example');
  });
});
