/** The staff area's screens, and the texts that they must show with any answer. */
import { ORDER, ORDERS } from '../support/order-answers.ts';
import { QUOTE_ROW, QUOTES } from '../support/quote-answers.ts';
import {
  ACCOUNTS,
  ANALYTICS,
  AUDIT,
  COUNTS,
  OPEN_CHAT,
  OUTBOX,
  PERSON,
  PRICES,
  RAW_LOGS,
  SECOND_FACTOR,
  SESSIONS,
  THREADS,
} from '../support/staff-answers.ts';
import { DEMO } from '../support/staff-steps.ts';
import type { Screen } from './feed.ts';

const NOTED = {
  ...ORDER,
  changes: [...ORDER.changes, { status: null, at: ORDER.createdAt, text: 'Called' }],
};
const LOGS = ['User access logs for the last 24 hours', 'Back to Admin'] as const;

/** Together they make every staff call whose answer is shown. */
export const STAFF_SCREENS: readonly Screen[] = [
  {
    name: 'the inbox with an open message',
    path: '/admin?open=41',
    always: ['Admin Dashboard', 'View Access Logs', 'All Submissions', 'Submission Details'],
    calls: [
      { call: 'admin/contacts*', answer: THREADS, shows: 'Hank Ortega' },
      { call: 'admin/inbox/counts*', answer: COUNTS },
      { call: 'admin/outbox', answer: OUTBOX, shows: 'C-40' },
    ],
  },
  {
    name: 'the inbox with an open conversation',
    path: '/admin?open=12',
    always: ['Admin Dashboard', 'All Submissions', 'Close'],
    calls: [{ call: 'admin/threads/12', answer: OPEN_CHAT, shows: 'Or three?', essential: /^id / }],
  },
  {
    name: 'the orders with one open',
    path: '/admin/orders?open=1042',
    always: ['Export CSV', 'All Orders', 'Order O-1042'],
    calls: [
      { call: 'admin/orders*', answer: ORDERS, shows: 'Priya Raman' },
      { call: 'orders/1042', answer: NOTED },
    ],
  },
  {
    name: 'the quotes',
    path: `/admin/quotes?open=${QUOTE_ROW.id}`,
    always: ['New quote', 'All Quotes'],
    calls: [
      { call: 'admin/quotes*', answer: QUOTES, shows: 'Lou Lane' },
      { call: 'admin/quotes/*', answer: QUOTE_ROW, essential: /^(id|planId|ms365Option|amount) / },
    ],
  },
  {
    name: 'the prices',
    path: '/admin/prices',
    always: ['Prices', 'Other price', 'All plans'],
    calls: [
      {
        call: 'admin/prices*',
        answer: PRICES,
        shows: 'Raman Dental of Marietta',
        // Without a day, an order’s number or a first charge, no new price may be announced.
        essential: /^(day|today|rows\.0\.(orderId|reference|firstChargeAt)) /,
      },
    ],
  },
  {
    name: 'analytics',
    path: '/admin/logs',
    always: LOGS,
    calls: [
      {
        call: 'admin/logs/analytics',
        answer: { success: true, analytics: ANALYTICS, message: '' },
      },
    ],
  },
  {
    name: 'the raw logs',
    path: '/admin/logs?tab=raw',
    always: LOGS,
    calls: [{ call: 'admin/logs', answer: { success: true, logs: RAW_LOGS, message: '' } }],
  },
  {
    name: 'the account',
    path: '/admin/account',
    always: ['Open sessions', 'Who has signed in', 'Sign-in activity'],
    calls: [
      // null means that no one is signed in, which leads to the sign-in page.
      { call: 'admin/session', answer: { username: DEMO.username }, skip: /^null$/ },
      { call: 'admin/sessions', answer: SESSIONS, shows: 'Safari on iPhone' },
      { call: 'admin/second-factor', answer: SECOND_FACTOR, shows: 'Make new recovery codes' },
      { call: 'admin/accounts', answer: ACCOUNTS, shows: 'Dana Whitfield' },
      { call: 'admin/audit*', answer: AUDIT, shows: 'from the environment' },
    ],
  },
  {
    name: 'a person',
    path: `/admin/people?find=${PERSON.email}`,
    always: ['Everything a person has sent or bought', 'Find'],
    calls: [{ call: 'admin/people?*', answer: PERSON, shows: 'O-1042', essential: /^email / }],
  },
];
