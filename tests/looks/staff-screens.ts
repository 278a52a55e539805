/** The staff area, with fixed answers, so that times and counts never change. */
import type { Page } from 'playwright-core';
import { QUOTE_ROW } from '../support/quote-answers.ts';
import { answer, ERASED, enterAsStaff, PERSON } from '../support/staff-answers.ts';
import { signIn } from '../support/staff-steps.ts';
import { press, type ScreenState, see } from './screen-state.ts';

const PERSON_PATH = `/admin/people?find=${encodeURIComponent(PERSON.email)}`;

const SIGNED_OUT: readonly ScreenState[] = [
  { name: 'sign-in', path: '/admin-login', controls: ['Sign in'] },
  { name: 'sign-in-faults', variant: true, path: '/admin-login', act: press('Sign in') },
  {
    name: 'sign-in-refused',
    variant: true,
    path: '/admin-login',
    act: signInWrongly,
    allowErrors: /status of 401/,
  },
];

const SIGNED_IN: readonly ScreenState[] = [
  {
    name: 'inbox',
    dark: true,
    path: '/admin',
    controls: ['View Access Logs', 'Refresh', 'Logout', 'View'],
  },
  {
    name: 'inbox-undelivered',
    variant: true,
    path: '/admin',
    widths: [390],
    moves: true,
    act: press('Show'),
    controls: ['Send again', 'Dismiss'],
  },
  {
    name: 'inbox-open',
    path: '/admin?kind=contact',
    act: openContact,
    controls: ['Close', 'Ready answers', 'Send', 'Note'],
  },
  {
    name: 'inbox-details',
    variant: true,
    path: '/admin?kind=contact',
    widths: [390],
    inFront: true,
    act: openDetails,
    controls: ['Reply by Email', 'Call', 'Take over'],
  },
  // Scrolls to the newest entry.
  { name: 'inbox-chat', path: '/admin?open=12', dark: true, moves: true, act: see('Or three?') },
  {
    name: 'inbox-empty',
    variant: true,
    path: '/admin',
    before: empty,
    act: see('No submissions found'),
  },
  {
    name: 'inbox-failed',
    variant: true,
    path: '/admin',
    before: failing,
    act: see('Failed to load'),
    allowErrors: /status of 500/,
    moves: true,
  },
  { name: 'orders', path: '/admin/orders', act: see('Hank Ortega') },
  { name: 'orders-open', path: '/admin/orders?open=1042', act: see('Business Premium') },
  { name: 'quotes', path: '/admin/quotes', act: see('Lou Lane') },
  {
    name: 'quotes-open',
    path: `/admin/quotes?open=${QUOTE_ROW.id}`,
    controls: ['Get a link', 'Change…', 'Withdraw…', 'Close'],
  },
  {
    name: 'quotes-new',
    variant: true,
    path: '/admin/quotes',
    act: press('New quote'),
    inFront: true,
    controls: ['Make quote', 'Close'],
  },
  { name: 'prices', path: '/admin/prices', act: press('All plans') },
  { name: 'people', path: PERSON_PATH, act: see('Copies outside') },
  {
    name: 'people-awaited',
    variant: true,
    path: PERSON_PATH,
    before: waiting,
    act: see('Email address'),
  },
  { name: 'people-newest', variant: true, path: '/admin/people', act: see('Lantern Row Motors') },
  { name: 'people-erase', variant: true, path: PERSON_PATH, act: askToErase, inFront: true },
  {
    name: 'people-running',
    variant: true,
    path: PERSON_PATH,
    before: withRunning,
    act: askToErase,
    inFront: true,
  },
  { name: 'people-erased', variant: true, path: PERSON_PATH, act: erase },
  {
    name: 'logs',
    path: '/admin/logs',
    act: see('Most Visited Pages'),
    controls: ['Back to Admin', 'Refresh', 'Export CSV', 'Logout', 'Analytics', 'Raw Logs'],
  },
  { name: 'logs-raw', variant: true, path: '/admin/logs?tab=raw', act: see('GET /checkout') },
  {
    name: 'logs-failed',
    variant: true,
    path: '/admin/logs',
    before: failing,
    act: see('Failed to fetch'),
    allowErrors: /status of 500/,
  },
  { name: 'account', path: '/admin/account', act: see('New recovery codes') },
  {
    name: 'account-set-up',
    variant: true,
    path: '/admin/account',
    dark: true,
    before: withoutAuthenticator,
    act: press('Set up an authenticator', 'Code from the app'),
    controls: ['Turn on'],
  },
];

export const STAFF_SCREENS = [
  ...SIGNED_OUT,
  ...SIGNED_IN.map((screen) => ({
    ...screen,
    async before(page: Page) {
      await enterAsStaff(page);
      await screen.before?.(page);
    },
  })),
];

async function openContact(page: Page): Promise<void> {
  await page.getByRole('row', { name: 'Dana Whitfield' }).getByRole('button').click();
}

async function openDetails(page: Page): Promise<void> {
  await openContact(page);
  await press('Details')(page);
}

async function empty(page: Page): Promise<void> {
  await answer(page, 'admin/contacts*', []);
  await answer(page, 'admin/inbox/counts*', { new: 0, waiting: 0, answered: 0, spam: 0 });
}

async function failing(page: Page): Promise<void> {
  await page.route(/\/api\/admin\/(contacts|logs)/, (route) =>
    route.fulfill({ status: 500, json: {} }),
  );
}

async function withRunning(page: Page): Promise<void> {
  const running = [1042, 987].map((id) => ({ id, reference: `O-${id}` }));
  await answer(page, 'admin/people?*', { ...PERSON, running });
}

async function withoutAuthenticator(page: Page): Promise<void> {
  await answer(page, 'admin/second-factor', { state: 'off', recoveryCodes: 0 });
  await answer(page, 'admin/second-factor/secret', {
    secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
    uri: 'otpauth://totp/Tidewell:admin?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Tidewell',
  });
}

async function waiting(page: Page): Promise<void> {
  await page.route('**/api/admin/people?*', () => undefined);
}

async function askToErase(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Erase…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).waitFor();
}

async function erase(page: Page): Promise<void> {
  await askToErase(page);
  await answer(page, 'admin/people/erase', ERASED);
  await answer(page, 'admin/people?*', { ...PERSON, items: [] });
  await press('Erase permanently', 'Still to do')(page);
}

async function signInWrongly(page: Page): Promise<void> {
  await page.route('**/api/admin/login', (route) =>
    route.fulfill({ status: 401, json: { message: 'Invalid username or password' } }),
  );
  await signIn(page, { username: 'admin', password: 'guess' });
  await see('Authentication failed')(page);
}
