import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { addEntry } from '../../../src/threads/thread-store.server.ts';
import { expectAccessible, SCREENS, sharedBrowser } from '../../support/browser.ts';
import { hasFocus, isInView } from '../../support/control-state.ts';
import { holdRequests } from '../../support/hold-requests.ts';
import { savedOrder } from '../../support/saved-order.ts';
import {
  insertChatMessage,
  insertSubmission,
  openAllFilters,
  openDetails,
  openFilters,
  threadOf,
  YESTERDAY,
} from '../../support/staff-steps.ts';
import { sharedTestApp } from '../../support/test-app.ts';
import { readToast } from '../../support/toast.ts';
import { variant } from '../../support/variant.ts';

const app = sharedTestApp();

describe.each(SCREENS)('staff at the $name', (screen) => {
  const browser = sharedBrowser();
  beforeEach(async () => {
    await app.database.db.deleteFrom('threads').execute();
  });
  const rows = (page: Page) =>
    page.getByRole('row').filter({ has: page.getByRole('button', { name: 'View' }) });
  const view = (page: Page, name: string) =>
    rows(page).filter({ hasText: name }).getByRole('button', { name: 'View' }).click();

  test('read a submission, reply to it and mark it', async () => {
    const older = { phone: '(770) 555-0134', service: 'voip', createdAt: YESTERDAY };
    await insertSubmission(app, { name: 'Hank', ...older, status: 'answered' });
    await insertSubmission(app);
    const page = await browser.visitAsStaff(screen, app, '/admin');
    const table = page.getByRole('table', { name: 'All Submissions' });
    await rows(page).first().waitFor();
    const headings = ['Date', 'Name', 'Email', 'Service', 'Action'];
    expect(await table.getByRole('columnheader').allTextContents()).toEqual(headings);
    // New in words too, not only by color.
    expect(await rows(page).first().textContent()).toMatch(
      /New just now.*Dana Whitfield.*dana@example\.com.*Not specified/,
    );
    expect(await rows(page).last().textContent()).toContain('VoIP Services');

    await view(page, 'Hank');
    await page.getByRole('heading', { name: 'Submission Details' }).waitFor();
    await openDetails(page);
    const reply = page.getByRole('link', { name: 'Reply by Email' });
    const inquiry = 'mailto:dana@example.com?subject=Re%3A%20Your%20inquiry%20to%20Tidewell';
    expect(await reply.getAttribute('href')).toBe(inquiry);
    const call = page.getByRole('link', { name: 'Call' });
    expect(await call.getAttribute('href')).toBe('tel:7705550134');
    const email = page.getByRole('link', { name: 'dana@example.com' });
    expect(await email.getAttribute('href')).toBe('mailto:dana@example.com');
    const phone = page.getByRole('link', { name: '(770) 555-0134' });
    expect(await phone.getAttribute('href')).toBe('tel:7705550134');
    await expectAccessible(page);
    if (screen.name === 'phone') await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'Spam', exact: true }).click();
    await page.getByRole('button', { name: 'Spam', exact: true, pressed: true }).waitFor();
    await page.keyboard.press('Escape');
    const opener = rows(page).filter({ hasText: 'Hank' }).getByRole('button', { name: 'View' });
    await expect.poll(() => hasFocus(opener)).toBe(true);

    await openFilters(page);
    await page.getByRole('button', { name: 'Spam 1' }).waitFor();
    await page.keyboard.press('Escape');
    await view(page, 'Dana Whitfield');
    await openDetails(page);
    await page.getByText('Not provided').waitFor();
    await expect.poll(() => call.count()).toBe(0);
    await page.goBack();
    await page.getByRole('heading', { name: 'Submission Details' }).waitFor({ state: 'detached' });
    await expect.poll(() => new URL(page.url()).search).toBe('');
  });

  test('read a reply by mail below the answer to the message, each with its own time', async () => {
    const id = await insertSubmission(app, { message: 'Our phones drop calls.' });
    const { db } = app.database;
    await addEntry(db, { threadId: id, kind: 'staff', text: 'Since when?', authorId: 1 });
    const reply = { kind: 'visitor', text: 'Since Monday.', sender: 'dana@example.com' } as const;
    await addEntry(db, { threadId: id, ...reply });
    const page = await browser.visitAsStaff(screen, app, `/admin?open=${id}`);
    const entries = page.getByRole('log', { name: 'Entries' }).getByRole('listitem');
    await expect.poll(() => entries.count()).toBe(2);
    expect(await page.getByText('Message', { exact: true }).locator('../..').textContent()).toMatch(
      /^Message.*Our phones drop calls\.$/,
    );
    expect(await entries.allTextContents()).toEqual([
      expect.stringContaining('Since when?'),
      expect.stringMatching(/by email.*Since Monday\./),
    ]);
  });

  test('read of more messages than a list covers that there are more, and find no empty page', async () => {
    const at = YESTERDAY;
    const times = { createdAt: at, lastAt: at, changedAt: at };
    const thread = { kind: 'contact', name: 'Dana', email: 'dana@example.com', ...times } as const;
    const threads = (status: 'answered' | 'spam', count: number) =>
      app.database.db
        .insertInto('threads')
        .values(Array.from({ length: count }, () => ({ ...thread, status })))
        .execute();
    for (const count of [2_000, 2_000, 1_001]) await threads('answered', count);
    await threads('spam', 1);
    const page = await browser.visitAsStaff(screen, app, '/admin?page=100');
    await page.getByText('4951–5000 of 5000').waitFor();
    expect(await page.getByRole('button', { name: 'Next page' }).isDisabled()).toBe(true);
    await openFilters(page);
    await page.getByText('All 5000+').waitFor();
    await page.getByText('Spam 1').waitFor();
  });

  test('search, filter and page through messages, and go back', async () => {
    for (let n = 1; n <= 55; n += 1)
      await insertSubmission(app, { name: `Visitor ${n}`, createdAt: YESTERDAY + n * 1000 });
    await insertSubmission(app, { service: 'voip', message: 'jk: the phones crackle' });
    const page = await browser.open(screen, { as: await app.staff() });
    const queries: string[] = [];
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      if (pathname === '/api/admin/contacts') queries.push(search);
    });
    await page.goto('/admin');
    await page.getByText('1–50 of 56').waitFor();
    expect(queries[0]).toBe('');
    await expect.poll(() => rows(page).count()).toBe(50);
    await page.getByRole('button', { name: 'Previous page', disabled: true }).waitFor();
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByText('51–56 of 56').waitFor();
    await expect.poll(() => rows(page).count()).toBe(6);
    await page.goBack();
    await page.getByText('1–50 of 56').waitFor();

    await openFilters(page);
    await page.getByLabel('Search').fill('jk: the phones');
    await page.getByRole('button', { name: 'All 1', exact: true }).waitFor();
    await expect.poll(() => rows(page).count()).toBe(1);
    expect(queries.at(-1)).toBe('?find=jk%3A+the+phones');
    await page.getByLabel('Search').fill('');
    if (screen.name === 'desk') await openAllFilters(page);
    await page.getByLabel('Service').selectOption('Not specified');
    await page.getByRole('button', { name: 'All 55' }).waitFor();
    await page.reload();
    await openFilters(page);
    await page.getByRole('button', { name: 'All 55' }).waitFor();
    await page.getByRole('button', { name: 'Spam 0' }).click();
    await page.keyboard.press('Escape');
    await page.getByText('No messages match your search and filters.').waitFor();
    await page.getByRole('button', { name: 'Clear search and filters' }).click();
    await openFilters(page);
    await page.getByRole('button', { name: 'All 56' }).waitFor();
    await rows(page).first().waitFor();
  });

  test('open a conversation by the link in a notification, ready to answer, and mark it', async () => {
    await insertChatMessage(app, { message: 'Are you there?' });
    const entry = await insertChatMessage(app, { message: 'It is urgent.' });
    const id = await threadOf(app, entry);
    const page = await browser.visitAsStaff(screen, app, `/admin?open=${id}`);
    const entries = page.getByRole('log', { name: 'Entries' }).getByRole('listitem');
    await entries.filter({ hasText: 'It is urgent.' }).waitFor();
    await entries.filter({ hasText: 'Are you there?' }).waitFor();
    await expect.poll(() => hasFocus(page.getByLabel('Your answer'))).toBe(true);
    await expect.poll(() => isInView(entries.last())).toBe(true);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Answered', exact: true }).click();
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await openFilters(page);
    await page.getByRole('button', { name: 'Answered 1' }).waitFor();
  });

  test('read who wrote and what with the press that opens it, and reach the order with one more', async () => {
    await insertSubmission(app, { email: 'jane@dealer.example' });
    await savedOrder(app.database.db, { status: 'paid' });
    const page = await browser.visitAsStaff(screen, app, '/admin');
    const release = await holdRequests(page, '**/api/admin/threads/*');
    await rows(page).first().waitFor();
    const shown = await page.evaluate(async () => {
      document.querySelector<HTMLElement>('[data-opens]')?.click();
      await new Promise(requestAnimationFrame);
      return document.querySelector('main')?.textContent;
    });
    expect(shown).toMatch(/Dana Whitfield.*Submission Details.*service-lane tablets/s);
    release();
    await page.getByRole('link', { name: /^Essential \$450\.00 a month/ }).click();
    await page.waitForURL(/\/admin\/orders\?open=/);
  });

  test('see a mark at once, and what it was when the server refuses it', async () => {
    const id = await insertSubmission(app);
    const page = await browser.visitAsStaff(screen, app, `/admin?open=${id}`, {
      allowErrors: /503/,
    });
    const release = await holdRequests(page, '**/status', (route) =>
      route.fulfill({ status: 503, json: {} }),
    );
    const mark = (name: string, pressed: boolean) =>
      page.getByRole('group', { name: 'Mark as' }).getByRole('button', { name, pressed });
    await mark('Spam', false).click();
    await mark('Spam', true).waitFor();
    release();
    await mark('New', true).waitFor();
    await readToast(
      page,
      'Error',
      'Our server didn’t answer, so we can’t tell whether this worked. Please check before you try again.',
    );
  });

  test('find their filter again after a look at the orders', async () => {
    const page = await browser.visitAsStaff(screen, app, '/admin?find=phones&status=new');
    await page.getByText('No messages match your search and filters.').waitFor();
    const go = (name: string) => page.getByRole('link', { name: new RegExp(`^${name}`) }).click();
    await go('Orders');
    await page.getByRole('heading', { name: 'Orders', exact: true }).waitFor();
    await go('Inbox');
    await page.getByText('No messages match your search and filters.').waitFor();
  });

  test('see that the list could not be loaded, and no sample people', async () => {
    await insertSubmission(app);
    const page = await browser.open(screen, { as: await app.staff(), allowErrors: /503/ });
    await page.route('**/api/admin/contacts', (route) => route.fulfill({ status: 503, json: {} }));
    await page.goto('/admin');
    await readToast(page, 'Error', 'Failed to load contact submissions. Please try again.');
    const preview = 'This is a preview with sample data: the endpoint is not yet available.';
    await page.getByText(preview).waitFor();
    await expect.poll(() => rows(page).count()).toBe(0);
    await page.getByText('No submissions found.').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await readToast(page, 'Error', 'Failed to load contact submissions. Please try again.');

    await page.unroute('**/api/admin/contacts');
    await page.getByRole('button', { name: 'Refresh' }).click();
    await rows(page).first().waitFor();
    await expect.poll(() => page.getByText('This is a preview').count()).toBe(0);
  });

  variant('see a skeleton while the list loads, and then that it is empty', async () => {
    const page = await browser.open(screen, { as: await app.staff() });
    const release = await holdRequests(page, '**/api/admin/contacts');
    await page.goto('/admin');
    await page.locator('table[aria-busy=true] .skeleton').first().waitFor();
    await expect.poll(() => page.getByText('No submissions found.').count()).toBe(0);
    release();
    const empty = 'No submissions found. When customers submit the contact form, their submissions';
    await page.getByText(`${empty} will appear here.`).waitFor();
    await expectAccessible(page);
  });
});
