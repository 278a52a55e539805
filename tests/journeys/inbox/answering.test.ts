/** Staff answer a thread: what they read before, what comes of it, what colleagues see. */
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { expectAccessible, SCREENS, sharedBrowser } from '../../support/browser.ts';
import { logOf, openChat, sendChat, sendFirst } from '../../support/chat-window.ts';
import { hasFocus, isInView } from '../../support/control-state.ts';
import { loseAnswer } from '../../support/hold-requests.ts';
import {
  colleague,
  insertChatMessage,
  insertSubmission,
  openDetails,
  signIn,
  threadOf,
} from '../../support/staff-steps.ts';
import { WITH_MAIL } from '../../support/stripe-shop.ts';
import { sharedTestApp } from '../../support/test-app.ts';
import { expectToast } from '../../support/toast.ts';
import { variant } from '../../support/variant.ts';

const app = sharedTestApp(WITH_MAIL);
const [desk, phone] = SCREENS;

const box = (page: Page) => page.getByLabel('Your answer');
const entries = (page: Page) => page.getByRole('log', { name: 'Entries' }).getByRole('listitem');
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
/** What is sent can be taken back for as long as this machine needs. */
const stopSiteClock = () => vi.useFakeTimers({ toFake: ['Date'] });
const keptDrafts = () => Object.keys(localStorage).filter((key) => key.startsWith('draft:')).length;
const callTo = (what: string) => `**/api/admin/threads/*/${what}`;

describe.each(SCREENS)('staff who answer at the $name', (screen) => {
  const browser = sharedBrowser();
  beforeEach(async () => {
    await app.database.db.deleteFrom('threads').execute();
  });

  async function openMessage(options = {}) {
    const id = await insertSubmission(app);
    const page = await browser.visitAsStaff(screen, app, `/admin?open=${id}`, options);
    await box(page).waitFor();
    return page;
  }

  test('send by mail, read that it leaves, and go on to the next message by keyboard', async () => {
    await insertSubmission(app, { name: 'Hank' });
    const page = await openMessage();
    await page.getByText('Goes by email to dana@example.com').waitFor();
    await expect.poll(() => hasFocus(box(page))).toBe(true);
    await box(page).fill('We will come on Thursday.');
    stopSiteClock();
    await page.keyboard.press('Control+Enter');
    const answer = entries(page).filter({ hasText: 'We will come on Thursday.' });
    await answer.getByText(/^Leaves in \d+ s$/).waitFor();
    await expect.poll(() => isInView(answer)).toBe(true);
    await expect.poll(() => box(page).inputValue()).toBe('');
    await expect.poll(() => hasFocus(box(page))).toBe(true);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Close', exact: true }).press('Enter');
    const view = page.getByRole('row', { name: 'Dana Whitfield' }).getByRole('button');
    await expect.poll(() => hasFocus(view)).toBe(true);
  });

  test('take an answer back by keyboard, and find its words in the box', async () => {
    const page = await openMessage();
    await box(page).fill('Too early.');
    stopSiteClock();
    await press(page, 'Send');
    await entries(page)
      .last()
      .getByText(/^Leaves in \d+ s$/)
      .waitFor();
    await box(page).fill('And one more thing.');
    await page.keyboard.press('Shift+Tab');
    await expect
      .poll(() => hasFocus(entries(page).last().getByRole('button', { name: 'Undo' })))
      .toBe(true);
    await page.keyboard.press('Enter');
    await expectToast(page, 'Taken back', 'The text is in the box again.');
    await expect.poll(() => box(page).inputValue()).toBe('Too early.\n\nAnd one more thing.');
    await expect.poll(() => hasFocus(box(page))).toBe(true);
    await expect.poll(() => entries(page).filter({ hasText: 'Too early.' }).count()).toBe(0);
    await page.getByRole('button', { name: 'New', pressed: true }).last().waitFor();
  });

  test('find their words after a reload and after their session has ended', async () => {
    const page = await openMessage({ allowErrors: /401/ });
    await box(page).fill('Half an ans');
    await page.reload();
    await expect.poll(() => box(page).inputValue()).toBe('Half an ans');
    await box(page).fill('A whole answer');
    // Ends while the answer is on its way: earlier, what the page asks may notice it first.
    await page.route(
      callTo('entries'),
      async (route) => {
        await app.database.db.deleteFrom('sessions').execute();
        await route.continue();
      },
      { times: 1 },
    );
    await press(page, 'Send');
    await page.getByText('Your session has expired').waitFor();
    await signIn(page);
    await expect.poll(() => box(page).inputValue()).toBe('A whole answer');
    await press(page, 'Send');
    await entries(page).filter({ hasText: 'A whole answer' }).waitFor();
  });

  variant('see no draft of a colleague on a shared computer, and no old one', async () => {
    const page = await openMessage();
    await box(page).fill('Half an answer');
    await page.evaluate(() => {
      const [[key = '', kept = ''] = []] = Object.entries(localStorage).filter(([key]) =>
        key.startsWith('draft:'),
      );
      const old = { ...JSON.parse(kept), at: Date.now() - 8 * 86_400_000 };
      localStorage.setItem(`${key}0`, JSON.stringify(old));
    });
    const { origin, cookies } = await colleague(app, 'Bea');
    const session = cookies.get('session') ?? '';
    await page.context().addCookies([{ name: 'session', value: session, url: origin }]);
    await page.reload();
    // On a phone, the name is behind a button.
    await page.getByText('Bea', { exact: true }).waitFor({ state: 'attached' });
    await expect.poll(() => box(page).inputValue()).toBe('');
    await expect.poll(() => page.evaluate(keptDrafts)).toBe(1);
  });

  test('keep every word when sending fails, and send it once', async () => {
    const page = await openMessage({ allowErrors: /ERR_FAILED/ });
    // The first request arrives, but its answer is lost.
    await loseAnswer(page, callTo('entries'));
    await box(page).fill('On my way.');
    await press(page, 'Send');
    await page.getByRole('alert').getByText('nothing is sent twice').waitFor();
    await expect.poll(() => box(page).inputValue()).toBe('On my way.');
    await expectAccessible(page);
    await press(page, 'Try again');
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await expect.poll(() => box(page).inputValue()).toBe('');
    await expect.poll(() => entries(page).filter({ hasText: 'On my way.' }).count()).toBe(1);
  });

  variant(
    'can still copy their words when the message has been erased, until they leave',
    async () => {
      const page = await openMessage({ allowErrors: /404/ });
      await box(page).fill('Dear Dana');
      await app.database.db.deleteFrom('threads').execute();
      await press(page, 'Send');
      await page.getByRole('alert').getByText('You can still copy your text.').waitFor();
      await page.getByText('it has been erased').waitFor();
      await expect.poll(() => box(page).inputValue()).toBe('Dear Dana');
      await expectAccessible(page);
      await expect.poll(() => page.evaluate(keptDrafts)).toBe(0);
    },
  );

  variant(
    'leave no words in the browser of a person erased elsewhere, or at their sign-out',
    async () => {
      const page = await openMessage({ allowErrors: /404/ });
      await box(page).fill('Dear Dana');
      await app.database.db.deleteFrom('threads').execute();
      await page.goto('/admin');
      await expect.poll(() => page.evaluate(keptDrafts)).toBe(0);

      await page.goto(`/admin?open=${await insertSubmission(app)}`);
      await box(page).fill('Dear Dana');
      await expect.poll(() => page.evaluate(keptDrafts)).toBe(1);
      await page.goto('/admin');
      await press(page, 'Logout');
      await page.waitForURL(`${app.address}/`);
      await expect.poll(() => page.evaluate(keptDrafts)).toBe(0);
    },
  );

  variant('read that a chat without an address is answered in the panel alone', async () => {
    const entry = await insertChatMessage(app, { name: null, email: null });
    const path = `/admin?open=${await threadOf(app, entry)}`;
    const page = await browser.visitAsStaff(screen, app, path);
    await page.getByText('No email address: only in the chat').waitFor();
  });

  test('put in a ready answer, write a note of their own, and say with one press who looks after a message and that it was answered by mail', async () => {
    const page = await openMessage();
    await box(page).fill('Good morning. See you.');
    await box(page).evaluate((each: HTMLTextAreaElement) => each.setSelectionRange(14, 14));
    await press(page, 'Ready answers');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Solved' }).focus();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Solved' }).waitFor({ state: 'detached' });
    expect(await hasFocus(page.getByRole('button', { name: 'Ready answers' }))).toBe(true);
    // Enter so soon would be the second half of a double press.
    await press(page, 'Ready answers');
    await page.getByRole('button', { name: 'Solved' }).click();
    const written = await box(page).inputValue();
    expect(written).toMatch(/^Good morning\. I’m glad .*Dana.*See you\.$/s);
    await expect.poll(() => hasFocus(box(page))).toBe(true);

    await box(page).fill('They have three stores.');
    await press(page, 'Note');
    const note = entries(page).filter({ hasText: 'They have three stores.' });
    await note.getByText('Only staff can see this').waitFor();
    await expect.poll(() => note.getByText(/^Leaves/).count()).toBe(0);

    await press(page, 'Take over');
    await press(page, 'Release');
    await openDetails(page);
    await press(page, 'Answered by email');
    await entries(page).filter({ hasText: 'admin answered by email' }).waitFor();
    await page.getByRole('button', { name: 'Answered', exact: true, pressed: true }).waitFor();
    await expect.poll(() => page.title()).toBe('Admin Dashboard | Tidewell');
  });
});

describe('two people at once', () => {
  const browser = sharedBrowser();
  beforeEach(async () => {
    await app.database.db.deleteFrom('threads').execute();
  });

  test('a visitor on a phone reads the answer of a colleague at a desk, and the other way round', async () => {
    const visitor = await browser.visit(phone, app, '/news');
    await openChat(visitor);
    const staff = await browser.visitAsStaff(desk, app, '/admin');
    await staff.getByText('No submissions found.').waitFor();
    await sendFirst(visitor, 'Do you look after two stores?');
    // The list waits until it is asked.
    await staff.getByRole('button', { name: 'Show 1 new' }).waitFor();
    await expect.poll(() => staff.getByText('Ann Moore').count()).toBe(0);
    await press(staff, 'Show 1 new');
    const view = staff.getByRole('row', { name: 'Ann Moore' }).getByRole('button');
    await expect.poll(() => hasFocus(view)).toBe(true);
    await view.click();
    await box(staff).fill('Yes, see https://tidewell.example.');
    await press(staff, 'Send');
    await logOf(visitor).getByText('Yes, see').waitFor();
    await entries(staff)
      .getByText(/^Seen /)
      .waitFor();
    await box(staff).fill('Anything el');
    await sendChat(visitor, 'And a third one?');
    await entries(staff).filter({ hasText: 'And a third one?' }).waitFor();
    await expect.poll(() => box(staff).inputValue()).toBe('Anything el');
    await expect.poll(() => hasFocus(box(staff))).toBe(true);
  });

  test('who comes back to a tab reads in its title how many wrote meanwhile', async () => {
    await insertSubmission(app);
    const staff = await browser.visitAsStaff(desk, app, '/admin');
    await staff.getByRole('button', { name: 'View' }).waitFor();
    await staff.getByText('1 waiting for an answer').waitFor({ state: 'attached' });
    const look = (hidden: boolean) =>
      staff.evaluate((hidden) => {
        Object.defineProperty(document, 'hidden', { configurable: true, value: hidden });
        document.dispatchEvent(new Event('visibilitychange'));
      }, hidden);
    await look(true);
    await insertSubmission(app, { name: 'Hank' });
    // A hidden tab asks by itself, but less often.
    await expect
      .poll(async () => {
        await staff.evaluate(() => window.dispatchEvent(new Event('online')));
        return staff.title();
      })
      .toBe('(1) Admin Dashboard | Tidewell');
    const icon = staff.locator('link[rel=icon][type="image/svg+xml"]');
    await expect.poll(() => icon.getAttribute('href')).toBe('/pictures/favicon-news.svg');
    await look(false);
    await expect.poll(() => staff.title()).toBe('Admin Dashboard | Tidewell');
    await expect.poll(() => icon.getAttribute('href')).toBe('/pictures/favicon.svg');
  });

  variant('a colleague is asked before a second answer goes', async () => {
    const id = await insertSubmission(app);
    const first = await browser.visitAsStaff(desk, app, `/admin?open=${id}`);
    const priya = await colleague(app, 'Priya Shah');
    const second = await browser.open(phone, { as: priya, allowErrors: /409/ });
    await second.addInitScript(() => localStorage.setItem('admin_authenticated', 'true'));
    await second.goto(`${app.address}/admin?open=${id}`);
    await box(second).fill('We come on');
    await box(first).fill('We come on Thursday.');
    await press(first, 'Send');
    await entries(second).filter({ hasText: 'We come on Thursday.' }).waitFor();
    await box(second).fill('We come on Friday.');
    await press(second, 'Send');
    await second.getByText('admin has answered since you began to write.').waitFor();
    await expectAccessible(second);
    await expect.poll(() => box(second).inputValue()).toBe('We come on Friday.');
    await press(second, 'Send anyway');
    await entries(first)
      .filter({ hasText: 'We come on Friday.' })
      .getByText('Priya Shah')
      .waitFor();
  });

  variant('what comes does not move a reader away from an older entry', async () => {
    let entry = 0;
    for (let n = 1; n <= 12; n += 1)
      entry = await insertChatMessage(app, { message: `Message ${n}\n\n\n` });
    const id = await threadOf(app, entry);
    const page = await browser.visitAsStaff(desk, app, `/admin?open=${id}`);
    const older = entries(page).filter({ hasText: 'Message 3' });
    await entries(page).filter({ hasText: 'Message 12' }).waitFor();
    await older.scrollIntoViewIfNeeded();
    const place = await older.boundingBox();
    await insertChatMessage(app, { message: 'Are you still there?' });
    await entries(page).filter({ hasText: 'Are you still there?' }).waitFor();
    expect(await older.boundingBox()).toEqual(place);
  });
});
