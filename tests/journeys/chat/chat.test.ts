/** A visitor writes to the support desk in the chat window. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { openBeforeScript } from '../../support/before-script.ts';
import { expectAccessible, SCREENS, sharedBrowser } from '../../support/browser.ts';
import {
  dialogOf,
  logOf,
  openChat,
  panelOf,
  sendChat,
  sendFirst,
} from '../../support/chat-window.ts';
import { contactForm, fillIn } from '../../support/contact-steps.ts';
import { focusedName, isInView } from '../../support/control-state.ts';
import { holdRequests } from '../../support/hold-requests.ts';
import { storedMessages } from '../../support/stored-messages.ts';
import { sharedTestApp } from '../../support/test-app.ts';
import { expectToast } from '../../support/toast.ts';

describe.each(SCREENS)('the chat on a $name', (screen) => {
  const app = sharedTestApp();
  const browser = sharedBrowser();

  async function startChat({
    path = '/news',
    ...options
  }: {
    path?: string;
    allowErrors?: RegExp;
  } = {}) {
    const page = await browser.visit(screen, app, path, options);
    await openChat(page);
    return page;
  }

  const stored = () => storedMessages(app, 'chat');
  const waitForReply = (page: Page, words: RegExp, times = 1) =>
    logOf(page)
      .getByText(words)
      .nth(times - 1)
      .waitFor();

  test('opens with a greeting and its time, and closes with either button', async () => {
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

  test('sends no empty message, and none without a name and a valid address', async () => {
    const page = await startChat();
    await page.getByLabel('Write to support').fill('  \n ');
    expect(await panelOf(page).getByRole('button', { name: 'Send' }).isDisabled()).toBe(true);
    await page.getByLabel('Write to support').press('Enter');
    expect(await dialogOf(page).isVisible()).toBe(false);
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

  test('shows a message while it is sent, then its reply and reference', async () => {
    const page = await startChat();
    const release = await holdRequests(page, '**/api/teams-chat');
    await sendFirst(page, 'Do you support Reynolds?');
    await logOf(page).getByText('You: Do you support Reynolds?', { exact: true }).waitFor();
    await logOf(page).getByText('Sending…').waitFor();
    await page.getByLabel('Write to support').fill('Another one');
    expect(await panelOf(page).getByRole('button', { name: 'Send' }).isDisabled()).toBe(true);
    await panelOf(page).getByRole('button', { name: 'Change' }).click();
    const send = dialogOf(page).getByRole('button', { name: 'Send Message' });
    expect(await send.isDisabled()).toBe(true);
    await dialogOf(page).getByRole('button', { name: 'Back to your message' }).click();
    release();
    await waitForReply(page, /^Tidewell Support: Thank you, Ann Moore\./);
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

  test('can be used with the keyboard alone, and asks for name and email once', async () => {
    const page = await browser.visit(screen, app, '/news');
    await page.getByRole('button', { name: 'Chat with us' }).focus();
    await page.keyboard.press('Enter');
    await logOf(page).waitFor();
    await page.keyboard.type('First');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('question');
    // Safari reports the Enter that ends a composition like this.
    const composed = { key: 'Enter', keyCode: 229, bubbles: true };
    await page.getByLabel('Write to support').dispatchEvent('keydown', composed);
    expect(await dialogOf(page).count()).toBe(0);
    await page.keyboard.press('Enter');
    await dialogOf(page).waitFor();
    await page.keyboard.type('Bo Li');
    await page.keyboard.press('Tab');
    await page.keyboard.type('bo@garage.example');
    await page.keyboard.press('Enter');
    await waitForReply(page, /Thank you, Bo Li\./);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('chat-message');
    await page.keyboard.type('Second question');
    await page.keyboard.press('Enter');
    await waitForReply(page, /Thank you, Bo Li\./, 2);
    const [first, second] = (await stored()).slice(-2);
    expect(first?.message).toBe('First\nquestion');
    expect(second).toMatchObject({
      conversation: first?.conversation,
      name: 'Bo Li',
      email: 'bo@garage.example',
    });
    await page.keyboard.press('Escape');
    await panelOf(page).waitFor({ state: 'hidden' });
    await expect.poll(() => focusedName(page)).toBe('Chat with us');
  });

  test('keeps conversation, draft and open panel on the next page, but not in another tab', async () => {
    const page = await startChat();
    await sendFirst(page, 'Remember me');
    await waitForReply(page, /Thank you, Ann Moore\./);
    const { conversation } = (await stored()).at(-1) ?? {};
    await page.getByLabel('Write to support').fill('Half a sent');
    await page.goto(`${app.address}/resources`);
    await logOf(page).getByText('Remember me').waitFor();
    expect(await page.getByLabel('Write to support').inputValue()).toBe('Half a sent');
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BODY');
    await sendChat(page, 'Still me');
    await waitForReply(page, /Thank you, Ann Moore\./, 2);
    expect((await stored()).at(-1)?.conversation).toBe(conversation);
    await panelOf(page).getByRole('button', { name: 'Close chat' }).click();
    const chat = page.getByRole('button', { name: 'Chat with us' });
    // The browser reports that the panel closed a moment after the click.
    await chat.waitFor();
    await page.reload();
    await chat.waitFor();
    expect(await panelOf(page).isVisible()).toBe(false);

    const other = await page.context().newPage();
    await other.goto(app.address);
    await openChat(other);
    await logOf(other).getByText('Hello!').waitFor();
    expect(await logOf(other).getByText('Remember me').count()).toBe(0);
  });

  test('shows another person at the same tab nothing of the first one’s conversation', async () => {
    const page = await startChat();
    await sendFirst(page, 'Ann’s question');
    await waitForReply(page, /Thank you, Ann Moore\./);
    await panelOf(page).getByRole('button', { name: 'Change' }).click();
    await dialogOf(page).getByLabel('Name').fill('Bo Li');
    await dialogOf(page).getByLabel('Email').fill('bo@garage.example');
    await dialogOf(page).getByRole('button', { name: 'Save' }).click();
    await sendChat(page, 'Bo’s question');
    await waitForReply(page, /Thank you, Bo Li\./);
    expect(await logOf(page).getByText('Ann’s question').count()).toBe(0);
    const [ann, bo] = (await stored()).slice(-2);
    expect(bo?.conversation).not.toBe(ann?.conversation);
  });

  test('shows a long link in full, and the end of the conversation after a reload', async () => {
    const page = await startChat();
    const link = `https://example.com/${'report'.repeat(40)}`;
    await sendFirst(page, link);
    await waitForReply(page, /Thank you, Ann Moore\./);
    const isCutOff = (log: Element) => log.scrollWidth > log.clientWidth;
    expect(await logOf(page).evaluate(isCutOff)).toBe(false);
    await panelOf(page).getByRole('button', { name: 'Close chat' }).click();
    await page.getByRole('button', { name: 'Chat with us' }).waitFor();
    await page.reload();
    await openChat(page);
    await expect.poll(() => isInView(logOf(page).getByRole('time').last())).toBe(true);
  });

  test('opens and accepts text before its script has loaded', async () => {
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

  test.each([
    ['a small phone', 320, 568],
    ['a small phone with its keyboard', 320, 260],
    ['a phone on its side', 568, 320],
    ['a phone on its side with its keyboard', 568, 170],
  ])(
    'keeps Send and Close in reach of a draft of forty lines on %s',
    async (_where, width, height) => {
      const page = await startChat();
      await sendFirst(page, 'Hello');
      await waitForReply(page, /Thank you, Ann Moore\./);
      await page.setViewportSize({ width, height });
      await page.getByLabel('Write to support').fill('A line of a long story\n'.repeat(40));
      for (const name of ['Send', 'Close chat'])
        expect([name, await isInView(panelOf(page).getByRole('button', { name }))]).toEqual([
          name,
          true,
        ]);
      // Not by covering one another.
      await panelOf(page).getByRole('button', { name: 'Close chat' }).click();
      await panelOf(page).waitFor({ state: 'hidden' });
    },
  );

  test('shows name and email, and lets the visitor change them alone or with the next message', async () => {
    const page = await startChat();
    await sendFirst(page, 'Hello');
    await panelOf(page).getByText('Ann Moore, ann@lakeside.example').waitFor();
    await waitForReply(page, /Thank you, Ann Moore\./);
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
    await waitForReply(page, /Thank you, Bo Li\..*bo@garage\.example\.$/);
    expect(await stored()).toHaveLength(before + 1);
  });

  test('shares name and email with the contact form', async () => {
    const page = await startChat({ path: '/' });
    await sendFirst(page, 'Hello');
    await waitForReply(page, /Thank you, Ann Moore\./);
    const form = contactForm(page);
    expect(await form.getByLabel('Name').inputValue()).toBe('Ann Moore');
    expect(await form.getByLabel('Email').inputValue()).toBe('ann@lakeside.example');

    const second = await browser.visit(screen, app, '/');
    await fillIn(second);
    await contactForm(second).getByRole('button', { name: 'Send Message' }).click();
    await contactForm(second).getByText('Message received.').waitFor();
    await openChat(second);
    await sendChat(second, 'Asked in the chat');
    expect(await dialogOf(second).getByLabel('Name').inputValue()).toBe('Ann Moore');
    expect(await dialogOf(second).getByLabel('Email').inputValue()).toBe('ann@lakeside.example');
  });

  test('shows a failure at the message and as a toast, and trying again after a reload sends it once', async () => {
    const page = await startChat({ allowErrors: /Failed to load resource/ });
    const before = (await stored()).length;
    const message = 'Too many requests. Please try again in 9 seconds.';
    await page.route('**/api/teams-chat', (route) =>
      route.fulfill({ status: 429, json: { message } }),
    );
    await sendFirst(page, 'Is anybody there?');
    const alert = panelOf(page).getByRole('alert');
    await alert.getByText('Failed to send message. Please try again.').waitFor();
    await alert.getByText(message).waitFor();
    await expectToast(page, 'Message Error', "We couldn't send your message. Please try again.");
    await logOf(page).getByText('Not sent').waitFor();
    await expectAccessible(page);
    await page.unroute('**/api/teams-chat');
    await page.reload();
    await alert.getByRole('button', { name: 'Try again' }).click();
    await waitForReply(page, /Thank you, Ann Moore\./);
    expect(await alert.count()).toBe(0);
    expect(await logOf(page).getByText('Not sent').count()).toBe(0);
    expect(await logOf(page).getByText('Is anybody there?').count()).toBe(1);
    expect(await stored()).toHaveLength(before + 1);
    await page.context().setOffline(true);
    await sendChat(page, 'Are you there?');
    await alert.getByText('You seem to be offline.').waitFor();
  });

  test('shows its own thank-you if the server sends no reply', async () => {
    const page = await startChat();
    await page.route('**/api/teams-chat', (route) => route.fulfill({ json: {} }));
    await sendFirst(page, 'Hello');
    await waitForReply(page, /Thank you for your message\..*by email at ann@lakeside\.example\./);
  });

  test('says that a message was not sent if the answer is none', async () => {
    const page = await startChat();
    await sendFirst(page, 'Hello');
    await waitForReply(page, /Thank you, Ann Moore\./);
    for (const body of ['', 'null', '[]', '"Sent"', '{"response":5}']) {
      await page.route('**/api/teams-chat', (route) =>
        route.fulfill({ body, contentType: 'application/json' }),
      );
      await sendChat(page, `Answered with ${body}`);
      await panelOf(page).getByText('Failed to send message. Please try again.').waitFor();
      await page.unroute('**/api/teams-chat');
      await panelOf(page).getByRole('button', { name: 'Try again' }).click();
      await panelOf(page).getByText('Failed to send message.').waitFor({ state: 'detached' });
    }
  });

  test('takes a name and an address with what nobody sees in them', async () => {
    const page = await startChat();
    await sendChat(page, 'Hello');
    await dialogOf(page).getByLabel('Name').fill('\u202aAnn\u200b Moore\u202c');
    await dialogOf(page).getByLabel('Email').fill('ann\u200b@lakeside.example');
    await dialogOf(page).getByRole('button', { name: 'Send Message' }).click();
    await waitForReply(page, /Thank you, Ann Moore\./);
    const visible = { name: 'Ann Moore', email: 'ann@lakeside.example' };
    expect((await stored()).at(-1)).toMatchObject(visible);
  });
});
