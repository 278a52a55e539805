/** The staff area's screens, and the texts that they must show with any answer. */
import type { Page } from 'playwright-core';
import { ORDER, ORDERS } from '../looks/order-answers.ts';
import { QUOTE_ROW, QUOTES } from '../looks/quote-answers.ts';
import {
  ANALYTICS,
  AUDIT,
  CONTACTS,
  CONVERSATIONS,
  OUTBOX,
  PERSON,
  RAW_LOGS,
  SESSIONS,
} from '../looks/staff-answers.ts';
import { DEMO } from '../support/staff-steps.ts';
import type { Screen } from './feed.ts';

const COUNTS = { new: 2, answered: 1, spam: 0 };
const TURN = {
  id: 12,
  reference: 'T-12',
  message: 'Can you look after two dealerships?',
  response: 'Thank you for your message.',
  at: '2026-05-13T14:05:00.000Z',
};
const THREAD = { ...CONVERSATIONS[0], thread: [TURN, { ...TURN, id: 13, message: 'Or three?' }] };
/** Together they make every staff call whose answer is shown. */
export const STAFF_SCREENS: readonly Screen[] = [
  {
    name: 'the inbox with an open message',
    path: '/admin?open=41',
    always: ['Admin Dashboard', 'View Access Logs', 'All Submissions', 'Submission Details'],
    calls: [
      { url: /\/api\/admin\/contacts$/, answer: CONTACTS, shows: 'Hank Ortega' },
      { url: /\/api\/admin\/inbox\/counts/, answer: COUNTS },
      { url: /\/api\/admin\/outbox$/, answer: OUTBOX, shows: 'C-40' },
    ],
  },
  {
    name: 'the inbox with an open conversation',
    path: '/admin?list=conversations&open=12',
    always: ['Admin Dashboard', 'All Conversations', 'Close'],
    calls: [
      { url: /\/api\/admin\/conversations(\?|$)/, answer: CONVERSATIONS, shows: 'T-11' },
      {
        url: /\/api\/admin\/conversations\/12$/,
        answer: THREAD,
        shows: 'Or three?',
        essential: /^id /,
      },
    ],
  },
  {
    name: 'the orders with one open',
    path: '/admin/orders?open=1042',
    always: ['Export CSV', 'All Orders', 'Order O-1042'],
    calls: [
      { url: /\/api\/admin\/orders(\?|$)/, answer: ORDERS, shows: 'Priya Raman' },
      {
        url: /\/api\/orders\/1042$/,
        answer: { ...ORDER, notes: [{ at: TURN.at, note: 'Called' }] },
      },
    ],
  },
  {
    name: 'the quotes',
    path: `/admin/quotes?open=${QUOTE_ROW.id}`,
    always: ['New quote', 'All Quotes'],
    calls: [
      { url: /\/api\/admin\/quotes(\?|$)/, answer: QUOTES, shows: 'Lou Lane' },
      {
        url: /\/api\/admin\/quotes\/\d+$/,
        answer: QUOTE_ROW,
        essential: /^(id|planId|ms365Option|amount) /,
      },
    ],
  },
  {
    name: 'analytics',
    path: '/admin/logs',
    always: ['User access logs for the last 24 hours', 'Back to Admin'],
    calls: [
      {
        url: /\/api\/admin\/logs\/analytics$/,
        answer: { success: true, analytics: ANALYTICS, message: '' },
      },
    ],
  },
  {
    name: 'the raw logs',
    path: '/admin/logs?tab=raw',
    always: ['User access logs for the last 24 hours', 'Back to Admin'],
    calls: [
      {
        url: /\/api\/admin\/logs$/,
        answer: { success: true, logs: RAW_LOGS, message: '' },
      },
    ],
  },
  {
    name: 'the account',
    path: '/admin/account',
    always: ['Open sessions', 'Sign-in activity'],
    calls: [
      // null means that no one is signed in, which leads to the sign-in page.
      { url: /\/api\/admin\/session$/, answer: { username: DEMO.username }, skip: /^null$/ },
      { url: /\/api\/admin\/sessions$/, answer: SESSIONS, shows: 'Safari on iPhone' },
      { url: /\/api\/admin\/audit/, answer: AUDIT, shows: 'from the environment' },
    ],
  },
  {
    name: 'a person',
    path: `/admin/people?find=${PERSON.email}`,
    always: ['Everything a person has sent or bought', 'Find'],
    calls: [
      {
        url: /\/api\/admin\/people\?/,
        answer: PERSON,
        shows: 'O-1042',
        essential: /^email /,
      },
    ],
  },
];

export const STAFF_CALLS = STAFF_SCREENS.flatMap(({ calls }) => calls);

/** Answers every staff call correctly, for a browser that counts as signed in. */
export async function enterAsStaff(page: Page): Promise<void> {
  for (const { url, answer } of STAFF_CALLS)
    await page.route(url, (route) => route.fulfill({ json: answer }));
  // With Stripe, the orders page does not fetch the test clock.
  await page.route(/\/api\/payment-config$/, (route) =>
    route.fulfill({ json: { provider: 'stripe', publishableKey: 'pk_test_1' } }),
  );
  // A message that is not in the list.
  await page.route(/\/api\/admin\/contacts\/\d+$/, (route) =>
    route.fulfill({ status: 404, json: {} }),
  );
  await page.addInitScript(() => localStorage.setItem('admin_authenticated', 'true'));
}
