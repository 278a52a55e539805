/** A visitor asks the support desk something in the chat window. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openBeforeScript } from '../../support/before-script.ts';
import { expectAccessible, SCREENS, useBrowser } from '../../support/browser.ts';
import { ask, dialogOf, logOf, openChat, panelOf, write } from '../../support/chat-window.ts';
import { focusedName } from '../../support/focused-name.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

describe.each(SCREENS)('the chat on a $name', (screen) => {
  let app: TestApp;
  const browser = useBrowser();
  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.stop());

  async function startChat() {
    const page = await browser.open(screen);
    await page.goto(`${app.address}/news`);
    await openChat(page);
    return page;
  }

  const stored = () =>
    app.database.db.selectFrom('chatMessages').selectAll().orderBy('id').execute();

  test('opens with a greeting and its time, and closes by either button', async () => {
    const page = await startChat();
    await panelOf(page).getByText('Teams Chat Integration').waitFor();
    await logOf(page).getByText('Hello! How can I help you with your IT needs today?').waitFor();
    expect(await logOf(page).getByRole('time').first().textContent()).toMatch(/^\d\d:\d\d/);
    const { height } = (await logOf(page).boundingBox()) ?? {};
    expect(height).toBe(320);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('chat-message');
    await expectAccessible(page);
    await panelOf(page).getByRole('button', { name: 'Close chat' }).click();
    await panelOf(page).waitFor({ state: 'hidden' });
    await expect.poll(() => focusedName(page)).toBe('Chat with us');
    await page.getByRole('button', { name: 'Chat with us' }).click();
    await panelOf(page).waitFor();
    await page.getByRole('button', { name: 'Close the chat window' }).click();
    await panelOf(page).waitFor({ state: 'hidden' });
  });

  test('an empty message cannot be sent', async () => {
    const page = await startChat();
    const send = panelOf(page).getByRole('button', { name: 'Send' });
    expect(await send.isDisabled()).toBe(true);
    await page.getByLabel('Write to support').fill('  \n ');
    expect(await send.isDisabled()).toBe(true);
    await page.getByLabel('Write to support').press('Enter');
    expect(await dialogOf(page).isVisible()).toBe(false);
  });

  test('the dialog lets nobody on without a name and a valid address', async () => {
    const page = await startChat();
    await page.getByLabel('Write to support').fill('Hello');
    await page.getByLabel('Write to support').press('Enter');
    const dialog = dialogOf(page);
    const send = dialog.getByRole('button', { name: 'Send Message' });
    await dialog.getByLabel('Name').waitFor();
    expect(await focusedName(page)).toBe('Name');
    expect(await send.isDisabled()).toBe(true);
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await dialog.getByText('Name is required').waitFor();
    await dialog.getByText('Email address is required').waitFor();
    await dialog.getByLabel('Name').fill('  ');
    await dialog.getByLabel('Email').fill('ann@lakeside');
    await dialog.getByText('Please enter a valid email address').waitFor();
    await dialog.getByText('Name is required').waitFor();
    await expectAccessible(page);
    await dialog.getByLabel('Email').fill('ann@lakeside.example');
    expect(await send.isDisabled()).toBe(true);
    await dialog.getByLabel('Name').fill('Ann');
    expect(await send.isDisabled()).toBe(false);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    expect(await panelOf(page).isVisible()).toBe(true);
    expect(await page.getByLabel('Write to support').inputValue()).toBe('Hello');
  });

  test('a message is shown, waited for, answered and kept', async () => {
    const page = await startChat();
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/api/teams-chat', async (route) => {
      await held;
      await route.continue();
    });
    await ask(page, 'Do you support Reynolds?');
    await logOf(page).getByText('You: Do you support Reynolds?', { exact: true }).waitFor();
    await logOf(page).getByText('Sending…').waitFor();
    await page.getByLabel('Write to support').fill('Another one');
    expect(await panelOf(page).getByRole('button', { name: 'Send' }).isDisabled()).toBe(true);
    release();
    await logOf(page)
      .getByText(/^Tidewell Support: Thank you, Ann Moore\./)
      .waitFor();
    await logOf(page).getByText('Sending…').waitFor({ state: 'detached' });
    const row = (await stored()).at(-1);
    expect(row).toMatchObject({
      message: 'Do you support Reynolds?',
      name: 'Ann Moore',
      email: 'ann@lakeside.example',
    });
    await logOf(page).getByText(`Reference T-${row?.id}`).waitFor();
    await expectAccessible(page);
  });

  test('with the keyboard alone; who asks is asked once', async () => {
    const page = await browser.open(screen);
    await page.goto(`${app.address}/news`);
    await page.getByRole('button', { name: 'Chat with us' }).focus();
    await page.keyboard.press('Enter');
    await logOf(page).waitFor();
    await page.keyboard.type('First question');
    await page.keyboard.press('Enter');
    await dialogOf(page).waitFor();
    await page.keyboard.type('Bo Li');
    await page.keyboard.press('Tab');
    await page.keyboard.type('bo@garage.example');
    await page.keyboard.press('Enter');
    await logOf(page)
      .getByText(/Thank you, Bo Li\./)
      .waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('chat-message');
    await page.keyboard.type('Second question');
    await page.keyboard.press('Enter');
    await logOf(page)
      .getByText(/Thank you, Bo Li\./)
      .nth(1)
      .waitFor();
    const [first, second] = (await stored()).slice(-2);
    expect(second).toMatchObject({
      conversation: first?.conversation,
      name: 'Bo Li',
      email: 'bo@garage.example',
    });
    await page.keyboard.press('Escape');
    await panelOf(page).waitFor({ state: 'hidden' });
    await expect.poll(() => focusedName(page)).toBe('Chat with us');
  });

  test('conversation, draft and open panel are still there on the next page, and end with the tab', async () => {
    const page = await startChat();
    await ask(page, 'Remember me');
    await logOf(page)
      .getByText(/Thank you, Ann Moore\./)
      .waitFor();
    const { conversation } = (await stored()).at(-1) ?? {};
    await page.getByLabel('Write to support').fill('Half a sent');
    await page.goto(`${app.address}/resources`);
    await logOf(page).getByText('Remember me').waitFor();
    expect(await page.getByLabel('Write to support').inputValue()).toBe('Half a sent');
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BODY');
    await write(page, 'Still me');
    await logOf(page)
      .getByText(/Thank you, Ann Moore\./)
      .nth(1)
      .waitFor();
    expect((await stored()).at(-1)?.conversation).toBe(conversation);
    await panelOf(page).getByRole('button', { name: 'Close chat' }).click();
    await page.reload();
    await page.getByRole('button', { name: 'Chat with us' }).waitFor();
    expect(await panelOf(page).isVisible()).toBe(false);

    const other = await page.context().newPage();
    await other.goto(app.address);
    await openChat(other);
    await logOf(other).getByText('Hello!').waitFor();
    expect(await logOf(other).getByText('Remember me').count()).toBe(0);
  });

  test('opens and takes what is typed before its script has arrived', async () => {
    const page = await browser.open(screen);
    const release = await openBeforeScript(page, `${app.address}/news`);
    await page.getByRole('button', { name: 'Chat with us' }).click();
    await page.keyboard.type('Typed at once');
    release();
    await logOf(page).getByText('Hello!').waitFor();
    expect(await page.getByLabel('Write to support').inputValue()).toBe('Typed at once');
    await page.keyboard.press('Enter');
    await dialogOf(page).getByText('Typed at once').waitFor();
  });
});
