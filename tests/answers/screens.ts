/** Screens that draw themselves again from their calls, and what stands on them whatever these answer. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { ORDER, ORDERS } from '../looks/order-answers.ts';
import {
  ANALYTICS,
  AUDIT,
  CONTACTS,
  CONVERSATIONS,
  OUTBOX,
  RAW_LOGS,
  SESSIONS,
} from '../looks/staff-answers.ts';
import { DEMO } from '../support/staff-steps.ts';

export interface Screen {
  name: string;
  path: string;
  /** What stands on it whatever comes; the first stands on no other screen. */
  stays: readonly string[];
  calls: readonly {
    url: RegExp;
    answer: unknown;
    /** What stands there besides while no more than one field of this answer is wrong, such as the second row. */
    rest?: string;
  }[];
}

const catalogue = (name: string) =>
  JSON.parse(readFileSync(`content/catalogue/${name}.json`, 'utf8'));
const [services, solutions, plans] = ['services', 'solutions', 'plans'].map(catalogue);

export const HOME: Screen = {
  name: 'the home page',
  path: '/',
  stays: [
    'Modern Technology Solutions for Your Business',
    '24/7 Monitoring',
    'Our Professional Services',
    'Industry Solutions',
    'Flexible Payment Options',
    'Transparent Pricing',
    'Latest News & Updates',
    'Our Mission',
    'Send us a Message',
  ],
  calls: [
    { url: /\/api\/services$/, answer: services, rest: services[1].description },
    { url: /\/api\/solutions$/, answer: solutions, rest: solutions[1].description },
    { url: /\/api\/plans$/, answer: plans, rest: plans[1].description },
    { url: /\/api\/update-plans$/, answer: { success: true, updated: 0 } },
  ],
};

const COUNTS = { new: 2, answered: 1, spam: 0 };
const TURN = {
  id: 12,
  reference: 'T-12',
  message: 'Can you look after two dealerships?',
  response: 'Thank you for your message.',
  at: '2026-05-13T14:05:00.000Z',
};
const THREAD = { ...CONVERSATIONS[0], thread: [TURN, { ...TURN, id: 13, message: 'Or three?' }] };
/** Between them they make every call of staff that is answered with something to show. */
export const STAFF_SCREENS: readonly Screen[] = [
  {
    name: 'the inbox with an open message',
    path: '/admin?open=41',
    stays: ['Admin Dashboard', 'View Access Logs', 'All Submissions', 'Submission Details'],
    calls: [
      { url: /\/api\/admin\/contacts$/, answer: CONTACTS, rest: 'Hank Ortega' },
      {
        url: /\/api\/admin\/inbox\/counts/,
        answer: { contacts: COUNTS, conversations: COUNTS },
        rest: 'Turn j and k off',
      },
      { url: /\/api\/admin\/outbox$/, answer: OUTBOX, rest: 'C-40' },
    ],
  },
  {
    name: 'the inbox with an open conversation',
    path: '/admin?list=conversations&open=12',
    stays: ['Admin Dashboard', 'All Conversations', 'Close'],
    calls: [
      { url: /\/api\/admin\/conversations\?/, answer: CONVERSATIONS, rest: 'T-11' },
      { url: /\/api\/admin\/conversations\/12$/, answer: THREAD, rest: 'Conversation' },
    ],
  },
  {
    name: 'the orders with one open',
    path: '/admin/orders?open=1042',
    stays: ['Export CSV', 'Payments', 'Check the connection', 'All Orders', 'Order O-1042'],
    calls: [
      { url: /\/api\/admin\/orders\?/, answer: ORDERS, rest: 'Priya Raman' },
      {
        url: /\/api\/orders\/1042$/,
        answer: { ...ORDER, notes: [{ at: TURN.at, note: 'Called' }] },
      },
      {
        url: /\/api\/admin\/payments$/,
        answer: {
          provider: 'stripe',
          mode: 'live',
          lastEvent: { type: 'invoice.paid', at: TURN.at },
          waiting: 1,
        },
      },
    ],
  },
  {
    name: 'analytics',
    path: '/admin/logs',
    stays: ['User access logs for the last 24 hours', 'Back to Admin'],
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
    stays: ['User access logs for the last 24 hours', 'Back to Admin'],
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
    stays: ['Open sessions', 'What happened at the door'],
    calls: [
      { url: /\/api\/admin\/sessions$/, answer: SESSIONS, rest: 'Safari/605.1' },
      { url: /\/api\/admin\/audit/, answer: AUDIT, rest: 'Password changed' },
    ],
  },
];

/** Read again when the fragment changes. */
export const ORDER_PAGE: Screen = {
  name: 'the page of an order',
  path: '#token',
  stays: ['Your order'],
  calls: [{ url: /\/api\/order-page$/, answer: { ...ORDER, refunded: 5, endsAt: TURN.at } }],
};

/** Answers every call of staff as it should, for a browser that has signed in before. */
export async function enterAsStaff(page: Page): Promise<void> {
  for (const { url, answer } of STAFF_SCREENS.flatMap(({ calls }) => calls))
    await page.route(url, (route) => route.fulfill({ json: answer }));
  await page.route('**/api/admin/session', (route) =>
    route.fulfill({ json: { username: DEMO.username } }),
  );
  // A message in no row of the list.
  await page.route(/\/api\/admin\/contacts\/\d+$/, (route) =>
    route.fulfill({ status: 404, json: {} }),
  );
  await page.addInitScript(() => localStorage.setItem('admin_authenticated', 'true'));
}
