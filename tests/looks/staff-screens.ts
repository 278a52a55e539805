/** The staff area, with fixed answers, so that times and counts never change. */
import type { Page } from 'playwright-core';
import { DEMO, signIn } from '../support/staff-steps.ts';
import { ORDER, ORDERS } from './order-answers.ts';
import { QUOTE_ROW, QUOTES } from './quote-answers.ts';
import type { ScreenState } from './screen-state.ts';
import {
  ANALYTICS,
  AUDIT,
  CONTACTS,
  CONVERSATIONS,
  ERASED,
  ERASED_PERSON,
  OUTBOX,
  PERSON,
  RAW_LOGS,
  SESSIONS,
} from './staff-answers.ts';

const PERSON_PATH = `/admin/people?find=${encodeURIComponent(PERSON.email)}`;

const full = (page: Page) => enter(page, { contacts: CONTACTS, conversations: CONVERSATIONS });
const empty = (page: Page) => enter(page, { contacts: [], conversations: [] });

export const STAFF_SCREENS: readonly ScreenState[] = [
  { name: 'sign-in', path: '/admin-login', controls: ['Sign in'] },
  { name: 'sign-in-faults', path: '/admin-login', act: signInWithNothing },
  {
    name: 'sign-in-refused',
    path: '/admin-login',
    act: signInWrongly,
    allowErrors: /status of 401/,
  },
  {
    name: 'inbox',
    dark: true,
    path: '/admin',
    before: full,
    act: see('Dana Whitfield'),
    controls: ['View Access Logs', 'Refresh', 'Logout', 'View', 'Send again', 'Dismiss'],
  },
  {
    name: 'inbox-open',
    path: '/admin',
    before: full,
    act: openFirst,
    controls: ['Reply by Email', 'Call', 'Close'],
  },
  {
    name: 'inbox-chats',
    path: '/admin?list=conversations',
    before: full,
    act: see('Olga Reyes'),
  },
  {
    name: 'inbox-empty',
    path: '/admin',
    before: empty,
    act: see('No submissions found'),
  },
  {
    name: 'inbox-failed',
    path: '/admin',
    before: failing,
    act: see('Failed to load'),
    allowErrors: /status of 500/,
  },
  { name: 'orders', path: '/admin/orders', before: full, act: see('Hank Ortega') },
  {
    name: 'orders-open',
    path: '/admin/orders?open=1042',
    before: full,
    act: see('Business Premium'),
  },
  { name: 'quotes', path: '/admin/quotes', before: full, act: see('Lou Lane') },
  {
    name: 'quotes-open',
    path: `/admin/quotes?open=${QUOTE_ROW.id}`,
    before: full,
    act: see('10% off the plan'),
    controls: ['Get a link', 'Change…', 'Withdraw…', 'Close'],
  },
  {
    name: 'quotes-new',
    path: '/admin/quotes',
    before: full,
    act: openQuoteForm,
    inFront: true,
    controls: ['Make quote', 'Close'],
  },
  { name: 'people', path: PERSON_PATH, before: full, act: see('Copies outside') },
  { name: 'people-awaited', path: PERSON_PATH, before: waiting, act: see('Email address') },
  { name: 'people-faults', path: '/admin/people', before: full, act: findNothing },
  { name: 'people-erase', path: PERSON_PATH, before: full, act: askToErase, inFront: true },
  {
    name: 'people-running',
    path: PERSON_PATH,
    before: withRunning,
    act: askToErase,
    inFront: true,
  },
  { name: 'people-erased', path: PERSON_PATH, before: full, act: erase },
  {
    name: 'logs',
    path: '/admin/logs',
    before: full,
    act: see('Most Visited Pages'),
    controls: ['Back to Admin', 'Refresh', 'Export CSV', 'Logout', 'Analytics', 'Raw Logs'],
  },
  { name: 'logs-raw', path: '/admin/logs?tab=raw', before: full, act: see('GET /checkout') },
  {
    name: 'logs-failed',
    path: '/admin/logs',
    before: failing,
    act: see('Failed to fetch'),
    allowErrors: /status of 500/,
  },
  { name: 'account', path: '/admin/account', before: full, act: see('End all other sessions') },
];

/** Signs in, with these lists as answers. */
async function enter(page: Page, lists: { contacts: object[]; conversations: object[] }) {
  await answer(page, 'session', { username: DEMO.username });
  await answer(page, 'contacts*', lists.contacts);
  await answer(page, 'conversations', lists.conversations);
  await answer(page, 'conversations?*', lists.conversations);
  await answer(page, 'contacts/*', CONTACTS[0]);
  const counts = (list: object[]) => ({ new: list.length, answered: 0, spam: 0 });
  await answer(page, 'inbox/counts', counts(lists.contacts));
  await answer(page, 'inbox/counts?*', counts(lists.conversations));
  await answer(page, 'logs', { success: true, logs: RAW_LOGS });
  await answer(page, 'logs/analytics', { success: true, analytics: ANALYTICS });
  await answer(page, 'orders*', ORDERS);
  await page.route('**/api/orders/*', (route) => route.fulfill({ json: ORDER }));
  await answer(page, 'quotes*', QUOTES);
  await answer(page, 'quotes/*', QUOTE_ROW);
  await answer(page, 'people?*', PERSON);
  await answer(page, 'payments', { provider: 'test', mode: 'test' });
  await answer(page, 'test-clock', { now: ORDER.createdAt });
  await answer(page, 'outbox', OUTBOX);
  await answer(page, 'sessions', SESSIONS);
  await answer(page, 'audit*', AUDIT);
  await page.addInitScript(() => localStorage.setItem('admin_authenticated', 'true'));
}

function answer(page: Page, call: string, json: unknown): Promise<unknown> {
  return page.route(`**/api/admin/${call}`, (route) => route.fulfill({ json }));
}

async function failing(page: Page): Promise<void> {
  await full(page);
  await page.route(/\/api\/admin\/(contacts|conversations|logs)/, (route) =>
    route.fulfill({ status: 500, json: {} }),
  );
}

async function withRunning(page: Page): Promise<void> {
  await full(page);
  await answer(page, 'people?*', { ...PERSON, running: ['O-1042', 'O-987'] });
}

async function waiting(page: Page): Promise<void> {
  await full(page);
  await page.route('**/api/admin/people?*', () => undefined);
}

async function findNothing(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Find' }).click();
}

async function askToErase(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Erase…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).waitFor();
}

async function erase(page: Page): Promise<void> {
  await askToErase(page);
  await answer(page, 'people/erase', ERASED);
  await answer(page, 'people?*', ERASED_PERSON);
  await page.getByRole('button', { name: 'Erase permanently' }).click();
  await page.getByText('Still to do').waitFor();
}

async function openQuoteForm(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'New quote' }).click();
  await page.getByRole('button', { name: 'Make quote' }).waitFor();
}

function see(words: string) {
  return (page: Page) => page.getByText(words).filter({ visible: true }).first().waitFor();
}

async function openFirst(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'View' }).first().click();
  await page.getByRole('heading', { name: 'Submission Details' }).waitFor();
}

async function signInWithNothing(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign in' }).click();
}

async function signInWrongly(page: Page): Promise<void> {
  await page.route('**/api/admin/login', (route) =>
    route.fulfill({ status: 401, json: { message: 'Invalid username or password' } }),
  );
  await signIn(page, { username: 'admin', password: 'guess' });
  await page.getByText('Authentication failed').first().waitFor();
}
