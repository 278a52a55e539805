/** Sample answers for the staff area, one of each kind, with fixed times. */
import type { Page, Route } from 'playwright-core';
import type * as z from 'zod/mini';
import type { Analytics } from '../../src/access-log/access-log-api.ts';
import type { Thread } from '../../src/inbox/inbox-api.ts';
import type { LIST_PRICES } from '../../src/price-changes/price-change-api.ts';
import type { Erased, Person } from '../../src/privacy/person-api.ts';
import type { FIND_PEOPLE } from '../../src/quotes/quote-api.ts';
import { ACCOUNT, ORDER, ORDERS, sold } from './order-answers.ts';
import { QUOTE_ROW, QUOTES } from './quote-answers.ts';
import { DEMO } from './staff-steps.ts';

const WRITERS = [
  { name: 'Dana Whitfield', service: 'network', status: 'new' },
  { name: 'Hank Ortega', service: 'voip', status: 'new' },
  { name: 'Priya Raman', service: null, status: 'answered' },
  { name: 'Bartholomew Featherstonehaugh-Cholmondeley', service: 'hardware', status: 'new' },
  { name: 'Lucia Marin', service: 'cybersecurity', status: 'answered' },
] as const;

const CONTACTS: Thread[] = WRITERS.map(({ name, service, status }, place) => {
  const at = `2026-05-1${3 - Math.min(place, 3)}T1${place}:20:00.000Z`;
  return {
    id: 41 - place,
    kind: 'contact',
    reference: `C-${41 - place}`,
    name,
    email: `${name.split(' ')[0]?.toLowerCase()}@example.com`,
    phone: place === 2 ? null : `(770) 555-013${place}`,
    service,
    message:
      'Our service-lane tablets lose Wi-Fi every afternoon, and the DMS signs everybody out.\n\nCould somebody have a look this week?',
    createdAt: at,
    status,
    lastAt: at,
    waitsSince: status === 'new' ? at : null,
    messages: 1,
    assignee: null,
    mine: false,
    undelivered: null,
    stillTried: false,
  };
});

const CHATS: Thread[] = ['Olga Reyes', ''].map((name, place) => ({
  id: 12 - place,
  kind: 'chat',
  reference: `T-${12 - place}`,
  name,
  email: name && 'olga@example.com',
  phone: null,
  service: null,
  message: 'Can you look after two dealerships?',
  createdAt: '2026-05-13T13:55:00.000Z',
  status: place === 0 ? 'waiting' : 'new',
  lastAt: '2026-05-13T14:05:00.000Z',
  waitsSince: '2026-05-13T13:55:00.000Z',
  messages: 3 - place,
  assignee: place === 0 ? 'Priya' : null,
  mine: false,
  undelivered: null,
  stillTried: false,
}));

const COUNTS = { new: 4, waiting: 1, answered: 2, spam: 0 };

const THREADS = [...CHATS, ...CONTACTS];

const RELATED = [
  {
    reference: 'O-1042',
    path: '/admin/orders?open=1042',
    about: 'Professional, active',
    at: '2026-04-02T14:05:00.000Z',
  },
];

/** An open contact message that nobody has answered. */
const OPEN_CONTACT = {
  ...CONTACTS[0],
  entries: [
    {
      id: 1,
      kind: 'visitor',
      text: CONTACTS[0]?.message,
      author: null,
      at: CONTACTS[0]?.createdAt,
      reference: '',
      delivery: null,
    },
  ],
  ended: false,
  byMail: true,
  inPanel: false,
  person: RELATED,
};

const TALK = [
  ['visitor', 'Can you look after two dealerships?', null],
  ['reply', 'Thank you for your message.', null],
  ['event', 'Priya took over', 'Priya'],
  ['note', 'They have the Marietta store, too.', 'Dana'],
  ['staff', 'Yes, we look after six groups. May I call you?', 'Priya', 'seen'],
  ['staff', 'Here is how we start.', 'Priya', 'failed'],
  ['visitor', 'Or three?', null],
] as const;

/** An open chat with an entry of each kind. */
const OPEN_CHAT = {
  ...CHATS[0],
  entries: TALK.map(([kind, text, author, state], place) => {
    const at = `2026-05-13T14:0${place}:00.000Z`;
    return {
      id: 10 + place,
      kind,
      text,
      author,
      at,
      reference: kind === 'visitor' ? `T-${10 + place}` : '',
      delivery: state
        ? { state, at, answer: state === 'failed' ? '550 mailbox unavailable' : '', delivery: 3 }
        : null,
    };
  }),
  ended: false,
  byMail: true,
  inPanel: true,
  person: RELATED,
};

const READY_ANSWERS = [
  { title: 'We call you', text: 'Hello Olga,\n\nwe will call you today.' },
  { title: 'Our hours', text: 'We are open Monday to Friday, 8 AM to 6 PM.' },
];

const ANALYTICS: Analytics = {
  totalRequests: 4218,
  uniqueVisitors: 312,
  responseTimeAvg: 4.27,
  httpStatusCodes: { 200: 3904, 304: 211, 404: 87, 201: 9, 500: 7 },
  mostVisitedPages: [
    { url: '/', count: 804 },
    { url: '/checkout', count: 231 },
    { url: '/news/ftc-safeguards-rule', count: 118 },
    { url: '/news', count: 64 },
    { url: '/resources/', count: 12 },
  ],
  pathsNotFound: [
    { url: '/services.html', count: 31 },
    { url: '/wp-login.php', count: 12 },
  ],
  webVitals: [
    { page: '/', views: 81, lcp: 1200, inp: 48, cls: 0.002 },
    { page: '/news/ftc-safeguards-rule', views: 12, lcp: 840, inp: null, cls: 0 },
  ],
  hourly: [...Array(24).keys()].map((hour) => ({
    hour: new Date(Date.UTC(2026, 4, 12, 15 + hour)).toISOString(),
    requests: Math.round(170 + 150 * Math.sin((hour - 12) / 3.8)),
    errors: hour === 17 ? 7 : 0,
  })),
};

const RAW_LOGS = ['/checkout', '/', '/news/ftc-safeguards-rule', '/api/plans']
  .map(
    (path, place) =>
      `203.0.113.${place} - - [13/May/2026:14:0${place}:11 +0000] "GET ${path} HTTP/1.1" 200 139958 "-" "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36" 861`,
  )
  .join('\n');

const EMAIL = 'bartholomew.featherstonehaugh-cholmondeley@dealership-group.example.com';

const SESSIONS = [
  { key: 'a1', current: true, userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Chrome/150.0.0.0' },
  { key: 'b2', current: false, userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0) Safari/605.1' },
].map((session) => ({
  ...session,
  signedInAt: '2026-05-13T08:31:00.000Z',
  lastSeenAt: '2026-05-13T14:05:00.000Z',
  address: '203.0.113.x',
}));

const SECOND_FACTOR = { state: 'on', recoveryCodes: 2 };

const ACCOUNTS = [
  { id: 1, name: 'admin', email: null, work: false, current: true },
  { id: 2, name: 'Dana Whitfield', email: EMAIL, work: true, current: false },
].map((account) => ({ ...account, signedInAt: '2026-05-13T08:31:00.000Z', blocked: false }));

const AUDIT = {
  total: 3,
  entries: ['signed-in', 'sign-in-failed', 'password-changed'].map((kind, place) => ({
    id: 3 - place,
    at: `2026-05-13T08:3${place}:00.000Z`,
    kind,
    name: 'admin',
    address: '203.0.113.x',
    detail: kind === 'password-changed' ? 'from the environment' : '',
  })),
};

/** Notifications that no receiver has accepted. */
const OUTBOX = {
  deliveries: [
    {
      ...{ id: 8, channel: 'teams', label: 'Message', reference: 'C-41', state: 'failed' },
      ...{ tries: 12, nextTryAt: null, lastAnswer: '410 Gone' },
      createdAt: '2026-05-13T10:20:00.000Z',
    },
    {
      ...{ id: 9, channel: 'mail-staff', label: 'Message', reference: 'C-40', state: 'waiting' },
      ...{ tries: 2, nextTryAt: '2026-05-13T14:20:00.000Z', lastAnswer: 'connection refused' },
      createdAt: '2026-05-12T11:20:00.000Z',
    },
  ],
  waiting: 1,
  failed: 1,
};

const BUYER = 'Bartholomew Featherstonehaugh-Cholmondeley';
const STORED = [
  ['notice', 'O-1042', null, 'To the customer by email', 'Accepted'],
  ['order', 'O-1042', BUYER, 'Professional', 'Canceled'],
  ['chat', 'T-12', null, 'Can you look after two dealerships?', 'Answered'],
  ['message', 'C-41', 'Bart', CONTACTS[0]?.message ?? '', 'New'],
] as const;

const planLine = (price: number) => sold('plan', 'Professional', price);
const seats = (price: number) => sold('microsoft365', 'Microsoft 365 Business Standard', price, 20);
const NOTICE = {
  state: 'announced' as const,
  reason: null,
  at: '2026-03-10T15:00:00.000Z',
  by: 'admin',
  effectiveAt: '2027-01-09T15:00:00.000Z',
  before: [],
  after: [],
  mail: 'accepted' as const,
};

/** One customer to be given notice, and one who has been. */
const PRICES: z.input<typeof LIST_PRICES.answer> = {
  day: '2027-01-01',
  today: '2026-03-18',
  days: ['2027-01-01'],
  rows: [
    {
      orderId: 1042,
      reference: 'O-1042',
      name: 'Priya Raman',
      company: 'Raman Dental of Marietta',
      planName: 'Professional',
      before: [planLine(850), seats(12.5)],
      after: [planLine(900), seats(14)],
      firstChargeAt: '2027-01-16T15:00:00.000Z',
      price: null,
      terms: NOTICE,
    },
    {
      orderId: 987,
      reference: 'O-987',
      name: 'Hank Ortega',
      company: null,
      planName: 'Professional',
      before: [planLine(850), seats(12.5)],
      after: [planLine(850), seats(12)],
      firstChargeAt: '2027-01-20T15:00:00.000Z',
      price: {
        ...NOTICE,
        state: 'withdrawn',
        reason: 'undelivered',
        before: [planLine(850), seats(12.5)],
        after: [planLine(850), seats(12)],
        mail: 'failed',
      },
      terms: null,
    },
  ],
};

export const PERSON: Person = {
  email: EMAIL,
  items: STORED.map(([kind, reference, name, what, state], place) => ({
    ...{ kind, reference, name, what, state },
    id: 40 - place,
    at: `2026-05-1${3 - place}T10:20:00.000Z`,
  })),
  running: [],
  externalCopies: {
    channels: ['teams', 'mail-staff'],
    providerCustomers: [{ id: 'cus_SampleOfACustomer', provider: 'Stripe', url: null }],
  },
};

const PEOPLE: z.input<typeof FIND_PEOPLE.answer> = {
  people: [
    {
      name: 'Dana Whitfield',
      email: 'dana@example.com',
      company: 'Lantern Row Motors',
      at: '2026-05-13T14:05:00.000Z',
    },
    { name: '', email: EMAIL, company: null, at: '2026-05-12T10:20:00.000Z' },
  ],
};

export const ERASED: Erased = {
  erased: ['C-41', 'T-12'],
  kept: ['O-1042'],
  externalCopies: PERSON.externalCopies,
};

/** The answers to the staff calls, by glob after /api/. */
const ANSWERS = {
  'admin/contacts*': THREADS,
  // The next one that waits is fetched while one is read.
  'admin/threads/*': OPEN_CONTACT,
  'admin/threads/41': OPEN_CONTACT,
  'admin/threads/12': OPEN_CHAT,
  'admin/answers*': READY_ANSWERS,
  'admin/inbox/counts*': COUNTS,
  'admin/logs': { success: true, logs: RAW_LOGS, message: '' },
  'admin/logs/analytics': { success: true, analytics: ANALYTICS, message: '' },
  'admin/orders*': ORDERS,
  'admin/sales/news*': { orders: 0, quotes: 0, newest: 1 },
  'admin/orders/*/account': ACCOUNT,
  'orders/*': ORDER,
  'admin/quotes*': QUOTES,
  'admin/prices*': PRICES,
  'admin/quotes/*': QUOTE_ROW,
  'admin/people?*': PERSON,
  'admin/customers*': PEOPLE,
  'admin/faults': { faults: [] },
  'admin/outbox': OUTBOX,
  'admin/sessions': SESSIONS,
  'admin/second-factor': SECOND_FACTOR,
  'admin/accounts': ACCOUNTS,
  'admin/audit*': AUDIT,
};

export type Fulfilled = Parameters<Route['fulfill']>[0];

export function answer(page: Page, call: string, json: unknown, status = 200): Promise<unknown> {
  return page.route(`**/api/${call}`, (route) => route.fulfill({ status, json }));
}

/** For a browser that counts as signed in; `send` makes other answers than the samples. */
export async function enterAsStaff(page: Page, send?: (json: unknown) => Fulfilled): Promise<void> {
  await answer(page, 'admin/session', { username: DEMO.username });
  for (const [call, json] of Object.entries(ANSWERS))
    await page.route(`**/api/${call}`, (route) => route.fulfill(send?.(json) ?? { json }));
  const quiet = { contentType: 'text/event-stream', body: 'retry: 600000\n\n' };
  await page.route('**/api/admin/events', (route) => route.fulfill(quiet));
  await page.addInitScript(() => localStorage.setItem('admin_authenticated', 'true'));
}
