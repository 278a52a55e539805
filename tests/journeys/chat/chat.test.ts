/** A visitor writes to the support desk in the chat window. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { addEntry, changeThread } from '../../../src/threads/thread-store.server.ts';
import { expectAccessible, SCREENS, sharedBrowser } from '../../support/browser.ts';
import {
  dialogOf,
  logOf,
  openChat,
  panelOf,
  sendChat,
  sendFirst,
} from '../../support/chat-window.ts';
import { comeToForm, contactForm, fillIn } from '../../support/contact-steps.ts';
import { focusedName, hasFocus, isInView } from '../../support/control-state.ts';
import { holdRequests } from '../../support/hold-requests.ts';
import { nextFrame } from '../../support/next-frame.ts';
import { insertAccount } from '../../support/staff-steps.ts';
import { storedMessages } from '../../support/stored-messages.ts';
import { sharedTestApp, type TestApp } from '../../support/test-app.ts';
import { expectToast } from '../../support/toast.ts';
import { variant } from '../../support/variant.ts';

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
  /** Another name or address, by the labels of their fields. */
  async function correct(page: Page, details: Record<string, string>) {
    await panelOf(page).getByRole('button', { name: 'Change' }).click();
    for (const [label, value] of Object.entries(details))
      await dialogOf(page).getByLabel(label).fill(value);
    await dialogOf(page).getByRole('button', { name: 'Save' }).click();
  }
  const waitForReply = (page: Page, words: RegExp) => logOf(page).getByText(words).waitFor();
  /** Opens the chat and writes a first message, which gets its reply. */
  async function startTalk(words: string, options: Parameters<typeof startChat>[0] = {}) {
    const page = await startChat(options);
    await sendFirst(page, words);
    await waitForReply(page, /Thank you, Ann\./);
    return page;
  }
  /** Also for a message that gets no automatic reply, because there has been one. */
  async function waitUntilSent(page: Page, words: string) {
    const message = logOf(page).locator('div', { hasText: words }).last();
    await message.waitFor();
    await logOf(page).getByText('Sending…').waitFor({ state: 'detached' });
    await expect.poll(() => message.getByText('Not sent').count()).toBe(0);
  }

  const answersSeen = async () => {
    const { count } = await app.database.db
      .selectFrom('entries')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('seenAt', 'is not', null)
      .where('threadId', '=', Number((await stored()).at(-1)?.conversation))
      .executeTakeFirstOrThrow();
    return Number(count);
  };

  test('opens with a greeting and its time, sends no empty message, and none without a name and a valid address', async () => {
    const page = await startChat();
    await panelOf(page).getByText('Teams Chat Integration').waitFor();
    await logOf(page).getByText('Hello! How can I help you with your IT needs today?').waitFor();
    expect(await logOf(page).getByRole('time').first().textContent()).toMatch(
      /^[1-9]\d?:\d\d [AP]M/,
    );
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

    await openChat(page);
    await page.getByLabel('Write to support').fill('  \n ');
    await panelOf(page).getByRole('button', { name: 'Send', disabled: true }).waitFor();
    await page.getByLabel('Write to support').press('Enter');
    expect(await dialogOf(page).isVisible()).toBe(false);
    await page.getByLabel('Write to support').fill('Hello');
    await page.getByLabel('Write to support').press('Enter');
    const dialog = dialogOf(page);
    const send = dialog.getByRole('button', { name: 'Send Message' });
    await dialog.getByLabel('Name').waitFor();
    // This site can't.
    expect(await dialog.getByText('we’ll email you').count()).toBe(0);
    await expect.poll(() => focusedName(page)).toBe('Name');
    await expect.poll(() => send.isDisabled()).toBe(true);
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
    await expect.poll(() => send.isDisabled()).toBe(true);
    await dialog.getByLabel('Name').fill('Ann');
    await expect.poll(() => send.isDisabled()).toBe(false);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    expect(await panelOf(page).isVisible()).toBe(true);
    await expect.poll(() => page.getByLabel('Write to support').inputValue()).toBe('Hello');
  });

  test('shows a message while it is sent, then its reply and reference', async () => {
    const page = await startChat();
    const release = await holdRequests(page, '**/api/teams-chat');
    await sendFirst(page, 'Do you support Reynolds?');
    await logOf(page).getByText('You: Do you support Reynolds?', { exact: true }).waitFor();
    await logOf(page).getByText('Sending…').waitFor();
    await page.getByLabel('Write to support').fill('Another one');
    await panelOf(page).getByRole('button', { name: 'Send', disabled: true }).waitFor();
    await panelOf(page).getByRole('button', { name: 'Change' }).click();
    const save = dialogOf(page).getByRole('button', { name: 'Save' });
    await expect.poll(() => save.isDisabled()).toBe(true);
    await dialogOf(page).getByRole('button', { name: 'Back to your message' }).click();
    release();
    await waitForReply(page, /^Tidewell Support: Thank you, Ann\./);
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

  test.runIf(screen.name === 'phone')(
    'has Send in sight above the keyboard of a phone, in each question',
    async () => {
      const page = await startChat();
      await page.setViewportSize({ width: 390, height: 400 });
      await sendChat(page, 'Is anybody there?');
      // Each error makes the dialog higher.
      for (const field of ['Name', 'Email', 'Name', 'Email']) {
        await dialogOf(page).getByLabel(field).press('Tab');
        await dialogOf(page).getByLabel(field).focus();
        const send = dialogOf(page).getByRole('button', { name: 'Send Message' });
        await expect.poll(() => isInView(send)).toBe(true);
        expect(await isInView(dialogOf(page).getByLabel(field))).toBe(true);
      }
      await dialogOf(page).getByLabel('Name').fill('Bo Li');
      await page.keyboard.press('Enter');
      await expect.poll(() => hasFocus(dialogOf(page).getByLabel('Email'))).toBe(true);
      expect(await isInView(dialogOf(page).getByText('Email address is required'))).toBe(true);
    },
  );

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
    await expect.poll(() => dialogOf(page).count()).toBe(0);
    await page.keyboard.press('Enter');
    await dialogOf(page).waitFor();
    await page.keyboard.type('Bo Li');
    await page.keyboard.press('Tab');
    await page.keyboard.type('bo@garage.example');
    await page.keyboard.press('Enter');
    await waitForReply(page, /Thank you, Bo\./);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('chat-message');
    await page.keyboard.type('Second question');
    await page.keyboard.press('Enter');
    await waitUntilSent(page, 'Second question');
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

  variant('keeps conversation and draft on the next page; a tab has no draft', async () => {
    const page = await startTalk('Remember me');
    const { conversation } = (await stored()).at(-1) ?? {};
    await page.getByLabel('Write to support').fill('Half a sent');
    await page.goto(`${app.address}/resources`);
    await logOf(page).getByText('Remember me').waitFor();
    await expect.poll(() => page.getByLabel('Write to support').inputValue()).toBe('Half a sent');
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BODY');
    await sendChat(page, 'Still me');
    await waitUntilSent(page, 'Still me');
    expect((await stored()).at(-1)?.conversation).toBe(conversation);
    await panelOf(page).getByRole('button', { name: 'Close chat' }).click();
    // In the corner; the page has one more of its name.
    const chat = page.locator('[data-chat] > button');
    // The browser reports that the panel closed a moment after the click.
    await expect.poll(() => chat.getAttribute('aria-label')).toBe('Chat with us');
    await page.reload();
    await chat.waitFor();
    expect(await panelOf(page).isVisible()).toBe(false);

    const other = await page.context().newPage();
    await other.goto(app.address);
    await openChat(other);
    await logOf(other).getByText('Remember me').waitFor();
    await expect.poll(() => other.getByLabel('Write to support').inputValue()).toBe('');
    await sendChat(other, 'From the other tab');
    await waitUntilSent(other, 'From the other tab');
    await chat.click();
    await logOf(page).getByText('From the other tab').waitFor();
  });

  test('cuts nothing off a message that is too long, and says by how much it is', async () => {
    const page = await startChat();
    const text = `${'Error 0x80070005. '.repeat(112)}The end`;
    await page.getByLabel('Write to support').focus();
    await page.keyboard.insertText(text);
    await expect.poll(() => page.getByLabel('Write to support').inputValue()).toBe(text);
    await panelOf(page).getByText('23 characters too many').waitFor();
    await page.keyboard.press('Enter');
    expect(await dialogOf(page).isVisible()).toBe(false);
    expect(await panelOf(page).getByRole('button', { name: 'Send' }).isDisabled()).toBe(true);
    await expectAccessible(page);
  });

  test('is answered at a corrected address, also if nothing more is sent, and keeps what is half written', async () => {
    const page = await startTalk('Mistyped');
    await page.getByLabel('Write to support').fill('By the way, we also ne');
    await correct(page, { Email: 'ann@riverside.example' });
    await waitUntilSent(page, 'My email address is ann@riverside.example.');
    expect(await page.getByLabel('Write to support').inputValue()).toBe('By the way, we also ne');
    expect((await stored()).slice(-2)).toMatchObject([
      { message: 'Mistyped', email: 'ann@riverside.example' },
      { email: 'ann@riverside.example' },
    ]);
  });

  test('shows another person at the same tab nothing of the first one’s conversation', async () => {
    const page = await startTalk('Ann’s question');
    await correct(page, { Name: 'Bo Li', Email: 'bo@garage.example' });
    await sendChat(page, 'Bo’s question');
    await waitForReply(page, /Thank you, Bo\./);
    await expect.poll(() => logOf(page).getByText('Ann’s question').count()).toBe(0);
    const [ann, bo] = (await stored()).slice(-2);
    expect(bo?.conversation).not.toBe(ann?.conversation);
  });

  test('is loaded when it is opened, and after an upgrade comes by trying again, with what was typed on the page', async () => {
    const page = await browser.open(screen, { allowErrors: /fetch|load resource/i });
    const asked: string[] = [];
    await page.route('**/assets/chat-panel-*', (route) => {
      asked.push(route.request().url());
      return route.abort();
    });
    await page.goto(app.address);
    await fillIn(page);
    expect(asked).toEqual([]);
    await page.evaluate(() => window.scrollTo(0, 0));
    await page.getByRole('button', { name: 'Chat with us' }).click();
    const again = panelOf(page).getByRole('button', { name: 'Try again' });
    await again.waitFor();
    await expectAccessible(page);
    await page.unroute('**/assets/chat-panel-*');
    await again.click();
    await logOf(page).getByText('Hello!').waitFor();
    const form = contactForm(page);
    expect(await form.getByLabel('Email').inputValue()).toBe('ann@lakeside.example');
    expect(await form.getByLabel('Service').inputValue()).toBe('voip');
    expect(await form.getByLabel('Message').inputValue()).not.toBe('');
    expect(await page.getByRole('slider').inputValue()).toBe('20');
  });

  test('shows an answer with its name, once, and marks tab and button while nobody looks', async () => {
    const page = await startChat();
    const title = await page.title();
    await watchAnnouncements(page);
    await sendFirst(page, 'Can you look?');
    await waitForReply(page, /Thank you, Ann\./);
    await insertAnswer(app, 'See https://tidewell.example/help. <b>Now</b> http://x.example');
    const answer = logOf(page).getByText('Maria Lopez: ');
    await answer.waitFor();
    await logOf(page).getByText('Maria Lopez · ').waitFor();
    const link = logOf(page).getByRole('link');
    await expect.poll(() => link.count()).toBe(1);
    expect(await link.getAttribute('href')).toBe('https://tidewell.example/help');
    await logOf(page).getByText('<b>Now</b> http://x.example').waitFor();
    await expectAccessible(page);
    await expect.poll(answersSeen).toBe(1);

    await panelOf(page).getByRole('button', { name: 'Close chat' }).click();
    await insertAnswer(app, 'One more thing.');
    const marked = page.getByRole('button', { name: 'Chat with us, 1 new answer' });
    await marked.waitFor();
    expect(await page.title()).toBe(`(1) ${title}`);
    await expectAccessible(page);
    // Read out once each, though the list has been fetched again and again.
    const lines = await announcements(page);
    expect(lines).toHaveLength(6);
    expect(lines).toEqual([...new Set(lines)]);
    expect(await answersSeen()).toBe(1);
    await page.reload();
    await marked.click();
    await logOf(page).getByText('One more thing.').waitFor();
    await expect.poll(answersSeen).toBe(2);
    await expect.poll(() => page.title()).toBe(title);
  });

  test('has the conversation after the browser was closed, with name and email', async () => {
    const page = await startTalk('Before the weekend');
    // What a closed browser keeps.
    await page.evaluate(() => sessionStorage.clear());
    await page.goto('about:blank');
    await insertAnswer(app, 'Good morning.');
    await page.goto(`${app.address}/resources`);
    await page.getByRole('button', { name: /1 new answer/ }).click();
    await logOf(page).getByText('Before the weekend').waitFor();
    await logOf(page).getByText('Good morning.').waitFor();
    await sendChat(page, 'Thanks');
    await waitUntilSent(page, 'Thanks');
    expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).toBe('{"chat":"true"}');
  });

  test('forgets an ended conversation in every tab, and asks again who writes', async () => {
    const page = await startTalk('On a shared computer');
    const other = await page.context().newPage();
    await other.goto(app.address);
    await openChat(other);
    await logOf(other).getByText('On a shared computer').waitFor();
    await page.getByLabel('Write to support').fill('Half a thought');
    await panelOf(page).getByRole('button', { name: 'End conversation' }).click();
    const question = page.getByRole('alertdialog', { name: 'End this conversation?' });
    await question.waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'hidden' });
    await panelOf(page).getByRole('button', { name: 'End conversation' }).click();
    await question.getByRole('button', { name: 'End conversation' }).click();
    await expectToast(page, 'Conversation ended', 'This browser has forgotten it.');
    for (const tab of [page, other]) {
      await logOf(tab).getByText('On a shared computer').waitFor({ state: 'detached' });
      await expect.poll(() => tab.getByLabel('Write to support').inputValue()).toBe('');
      const kept = () => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]);
      expect(await tab.evaluate(kept)).not.toMatch(/Ann|lakeside|Half|true,/);
    }
    expect((await page.context().cookies()).map(({ name }) => name)).not.toContain('chat');
    await sendChat(page, 'Somebody else');
    await expect.poll(() => dialogOf(page).getByLabel('Name').inputValue()).toBe('');
  });

  variant('shows a long conversation from its end, and earlier messages when asked', async () => {
    const page = await startTalk('The very first');
    for (let n = 1; n <= 60; n += 1) await insertAnswer(app, `Answer number ${n}.`);
    await page.reload();
    await logOf(page).getByText('Answer number 60.').waitFor();
    await expect.poll(() => logOf(page).getByText('The very first').count()).toBe(0);
    await logOf(page).getByRole('button', { name: 'Show earlier messages' }).click();
    await logOf(page).getByText('The very first').waitFor();
    await expectAccessible(page);
    await insertAnswer(app, 'And one more.');
    await logOf(page).getByText('And one more.').waitFor();
    await logOf(page).getByText('The very first').waitFor();
  });

  variant('asks by itself where events are refused, and says what can’t be read', async () => {
    const page = await startChat({ allowErrors: /Failed to load resource/ });
    await page.route('**/api/chat/events*', (route) => route.fulfill({ status: 429 }));
    await sendFirst(page, 'Do you hear me?');
    await waitForReply(page, /Thank you, Ann\./);
    await insertAnswer(app, 'Loud and clear.');
    await logOf(page).getByText('Loud and clear.').waitFor();
    await page.route('**/api/chat/conversation', (route) => route.fulfill({ status: 503 }));
    await page.reload();
    await panelOf(page).getByText('Earlier messages can’t be shown right now.').waitFor();
    await expectAccessible(page);
    await page.unroute('**/api/chat/conversation');
    await panelOf(page).getByRole('button', { name: 'Try again' }).click();
    await logOf(page).getByText('Loud and clear.').waitFor();
  });

  variant('shares name and email with the contact form', async () => {
    const page = await startTalk('Hello', { path: '/' });
    const form = contactForm(page);
    await comeToForm(page);
    await expect.poll(() => form.getByLabel('Name').inputValue()).toBe('Ann Moore');
    await expect.poll(() => form.getByLabel('Email').inputValue()).toBe('ann@lakeside.example');

    const second = await browser.visit(screen, app, '/');
    await fillIn(second);
    await contactForm(second).getByRole('button', { name: 'Send Message' }).click();
    await contactForm(second).getByText('Message received.').waitFor();
    await openChat(second);
    await sendChat(second, 'Asked in the chat');
    await expect.poll(() => dialogOf(second).getByLabel('Name').inputValue()).toBe('Ann Moore');
    await expect
      .poll(() => dialogOf(second).getByLabel('Email').inputValue())
      .toBe('ann@lakeside.example');
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
    await waitForReply(page, /Thank you, Ann\./);
    await expect.poll(() => alert.count()).toBe(0);
    await expect.poll(() => logOf(page).getByText('Not sent').count()).toBe(0);
    await expect.poll(() => logOf(page).getByText('Is anybody there?').count()).toBe(1);
    expect(await stored()).toHaveLength(before + 1);
    await page.context().setOffline(true);
    await sendChat(page, 'Are you there?');
    await alert.getByText('You seem to be offline.').waitFor();
  });

  test('keeps one conversation if the answer to its first message was lost, and ends none under way', async () => {
    const page = await startChat({ allowErrors: /Failed to load resource/ });
    const before = (await stored()).length;
    const { promise: held, resolve: stop } = Promise.withResolvers<void>();
    await page.route('**/api/teams-chat', async (route) => {
      await route.fetch();
      await held;
      await route.abort();
    });
    await sendFirst(page, 'Can you hear me?');
    const end = panelOf(page).getByRole('button', { name: 'End conversation' });
    await expect.poll(() => end.isDisabled()).toBe(true);
    stop();
    await logOf(page).getByText('Not sent').waitFor();
    expect(await end.isDisabled()).toBe(false);
    await page.unroute('**/api/teams-chat');
    await sendChat(page, 'Hello?');
    await waitForReply(page, /Thank you, Ann\./);
    await waitUntilSent(page, 'Hello?');
    await waitUntilSent(page, 'Can you hear me?');
    expect(await logOf(page).getByText('Not sent').count()).toBe(0);
    const threads = (await stored()).slice(before).map(({ conversation }) => conversation);
    expect(threads).toEqual([threads[0], threads[0]]);
  });
});

describe('the chat button', () => {
  const app = sharedTestApp();
  const browser = sharedBrowser();

  test('covers no words while a visitor reads on with a phone, and is there on the way back, at the end and for the keyboard', async () => {
    const page = await browser.visit(SCREENS[1], app, '/privacy-policy');
    const button = page.getByRole('button', { name: 'Chat with us' });
    const opacity = () => button.evaluate((element) => Number(getComputedStyle(element).opacity));
    await expect.poll(opacity).toBe(1);
    for (const [top, shown] of [
      [900, 0],
      [700, 1],
      [1200, 0],
      [1e6, 1],
      [300, 1],
      [900, 0],
    ] as const) {
      await page.evaluate((y) => window.scrollTo({ top: y, behavior: 'instant' }), top);
      await page.evaluate(nextFrame);
      await expect.poll(opacity).toBe(shown);
    }
    await button.focus();
    await expect.poll(opacity).toBe(1);
  });

  test('moves beside the text while a visitor reads on at a small desk', async () => {
    const page = await browser.visit(SCREENS[0], app, '/news');
    const text = await page.getByRole('main').getByRole('list').boundingBox();
    await page.mouse.wheel(0, 900);
    const button = page.getByRole('button', { name: 'Chat with us' });
    await expect
      .poll(async () => (await button.boundingBox())?.x)
      .toBeGreaterThan((text?.x ?? 0) + (text?.width ?? 0));
  });
});

/** Notes what a screen reader reads out: the texts that are added to the log. */
async function watchAnnouncements(page: Page): Promise<void> {
  await logOf(page).evaluate((log) => {
    new MutationObserver((changes) => {
      const added = changes.flatMap(({ addedNodes }) => [...addedNodes]);
      const texts = added.map((node) => node.textContent ?? '');
      log.dataset.added = [log.dataset.added, ...texts].filter(Boolean).join('\n');
    }).observe(log, { childList: true, subtree: true, characterData: true });
  });
}

async function announcements(page: Page): Promise<string[]> {
  // A hidden log has no role.
  const log = page.locator('[role=log]');
  return ((await log.getAttribute('data-added')) ?? '').split('\n');
}

/** Stores an answer of staff to the newest conversation. */
async function insertAnswer({ database: { db } }: TestApp, text: string): Promise<void> {
  const chats = db.selectFrom('threads').select('id').where('kind', '=', 'chat');
  const { id } = await chats.orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow();
  const authorId = await insertAccount(db, 'Maria Lopez');
  await addEntry(db, { threadId: id, kind: 'staff', text, authorId, at: Date.now() });
  await changeThread(db, id);
}
