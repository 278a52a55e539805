/** Every call under /api with the status that each kind of caller gets. */
import { randomUUID } from 'node:crypto';
import {
  type CallRow,
  everyCaller,
  ownerAndStaff,
  SAMPLE_MESSAGE,
  SAMPLE_ORDER,
  staffOnly,
} from './call-row.ts';

let names = 0;
let people = 0;

/** A new email address each time, because an address gets five quotes a day. */
function quoteRequest() {
  people += 1;
  const { planId, name, ms365Option, ms365Users, includeCloudBackup } = SAMPLE_ORDER;
  const email = `quoted-${people}@dealer.example`;
  return { planId, name, email, ms365Option, ms365Users, includeCloudBackup };
}

const staffQuote = () => ({ ...quoteRequest(), discount: null, days: 30, send: false });
const QUOTE_TOKEN = { token: 'A'.repeat(22) };
const ORDER_TOKEN = { token: '1.guessed' };
const LICENSES = { users: 3, backup: true };

/** A call that needs a link's token: with a guessed one, no body gets anything but 404. */
function guessed(body: Record<string, unknown>, otherStatuses = [404]): CallRow {
  return {
    statuses: everyCaller(404),
    body: () => body,
    invalidValues: { token: 404 },
    otherStatuses,
  };
}
const linked = (body: Record<string, unknown> = {}) =>
  guessed({ ...ORDER_TOKEN, ...body }, [404, 409]);

/** A staff call about something that does not exist. */
function missing(row: Partial<CallRow> = {}): CallRow {
  return { statuses: { ...staffOnly, staff: 404 }, otherStatuses: [404, 409], ...row };
}

/** A staff call about something that exists. */
function found(path: string, row: Partial<CallRow> = {}): CallRow {
  return {
    statuses: staffOnly,
    path: () => `/api/admin/${path}`,
    otherStatuses: [404],
    ...row,
  };
}

/** A call about a test payment: its client secret grants access, and anyone but the owner has to guess it. */
function ownersPayment(
  more: Record<string, unknown> = {},
  optional: readonly string[] = [],
): CallRow {
  const guess = `test_payment_1_secret_${'x'.repeat(43)}`;
  return {
    statuses: { anonymous: 404, stranger: 404, owner: 200, staff: 404 },
    body: ({ clientSecret }, caller) => ({
      clientSecret: caller === 'owner' ? clientSecret : guess,
      ...more,
    }),
    optional,
    otherStatuses: [404],
  };
}

function demoRefused(body?: Record<string, unknown>): CallRow {
  return {
    statuses: { ...staffOnly, staff: 409 },
    ...(body && { body: () => body, invalidValues: { password: 409 } }),
    otherStatuses: [409],
  };
}
const PROOF = { password: 'a guess', code: '123456' };

const PUBLIC_CALLS = [
  'GET /api/openapi.json',
  'GET /api/services',
  'GET /api/solutions',
  'GET /api/plans',
  'GET /api/payment-config',
  'GET /api/chat/conversation',
  'POST /api/update-plans',
];
const STAFF_CALLS = [
  'GET /api/admin/quotes',
  'GET /api/admin/session',
  'GET /api/admin/second-factor',
  'GET /api/admin/accounts',
  'GET /api/admin/sessions',
  'POST /api/admin/sessions/end-others',
  'GET /api/admin/audit',
  'GET /api/admin/contacts',
  'GET /api/admin/inbox/counts',
  'GET /api/admin/answers',
  'GET /api/admin/events',
  'GET /api/admin/outbox',
  'GET /api/admin/orders',
  'GET /api/admin/orders/download',
  'GET /api/admin/prices',
  'GET /api/admin/logs',
  'GET /api/admin/logs/analytics',
  'GET /api/admin/logs/download',
  'GET /api/admin/sources',
  'GET /api/admin/payments/download',
  'GET /api/admin/quotes/download',
  'GET /api/admin/messages/download',
  'GET /api/admin/sources/download',
];

const rowsFor = (calls: readonly string[], row: CallRow) =>
  Object.fromEntries(calls.map((call) => [call, row]));

export const CALL_ROWS: Record<string, CallRow> = {
  ...rowsFor(PUBLIC_CALLS, { statuses: everyCaller(200) }),
  ...rowsFor(STAFF_CALLS, { statuses: staffOnly }),
  'POST /api/quotes': {
    statuses: everyCaller(201),
    body: quoteRequest,
    optional: ['company', 'note'],
  },
  'POST /api/quote': guessed(QUOTE_TOKEN),
  'POST /api/quote/accept': {
    ...guessed({
      ...QUOTE_TOKEN,
      name: 'Jane Doe',
      title: 'Owner',
      terms: 'f'.repeat(64),
      changedAt: 1,
    }),
    optional: ['poNumber', 'postalCode'],
  },
  'GET /api/terms/:hash': { statuses: everyCaller(404), otherStatuses: [404] },
  'POST /api/quote/reminders': guessed({ ...QUOTE_TOKEN, wanted: true }),
  'POST /api/admin/quotes': {
    statuses: staffOnly,
    body: staffQuote,
    optional: ['company', 'note'],
  },
  'GET /api/admin/quotes/:id': missing({ otherStatuses: [404] }),
  'POST /api/admin/quotes/:id': missing({ body: staffQuote, optional: ['company', 'note'] }),
  'POST /api/admin/quotes/:id/withdraw': missing(),
  'POST /api/admin/quotes/:id/link': missing({ otherStatuses: [404] }),
  // Refused because the site has no mail server.
  'POST /api/admin/prices/notice': {
    statuses: { ...staffOnly, staff: 409 },
    body: () => ({ kind: 'terms', day: '2020-01-01', orders: [{ id: 999_999, after: 1 }] }),
    otherStatuses: [409],
  },
  'POST /api/admin/prices/preview': {
    statuses: { ...staffOnly, staff: 409 },
    body: () => ({ kind: 'terms', day: '2020-01-01', order: 999_999 }),
    otherStatuses: [409],
  },
  'POST /api/contact': {
    statuses: everyCaller(200),
    body: () => ({ ...SAMPLE_MESSAGE, phone: '404-555-0100', service: 'voip' }),
  },
  // Refused because the site has no mail server.
  'POST /api/safeguards-report': {
    statuses: everyCaller(409),
    body: () => ({ email: 'jane@dealer.example', answers: { consumers: 'yes', mfa: 'no' } }),
    otherStatuses: [409],
  },
  'POST /api/page-failures': {
    statuses: everyCaller(204),
    body: () => ({ kind: 'part', page: '/checkout', error: 'TypeError', place: 'shop-3fA.js:1:2' }),
  },
  'GET /api/chat/events': {
    statuses: { anonymous: 404, stranger: 200, owner: 200, staff: 404 },
    otherStatuses: [404],
  },
  'POST /api/chat/seen': { statuses: everyCaller(204), body: () => ({ entry: 1 }) },
  'POST /api/chat/end': { statuses: everyCaller(204) },
  'POST /api/teams-chat': {
    statuses: everyCaller(200),
    body: () => SAMPLE_MESSAGE,
  },
  'POST /api/create-payment-intent': {
    statuses: everyCaller(200),
    body: () => SAMPLE_ORDER,
    optional: ['postalCode', 'company'],
    invalidValues: { amount: 409 },
    otherStatuses: [409],
  },
  'GET /api/orders/:id': {
    statuses: ownerAndStaff,
    path: ({ orderId }) => `/api/orders/${orderId}`,
    otherStatuses: [404],
  },
  'POST /api/orders/:id/update-status': {
    statuses: ownerAndStaff,
    path: ({ orderId }) => `/api/orders/${orderId}/update-status`,
    body: () => ({ status: 'pending', paymentId: null }),
    optional: ['paymentId'],
    otherStatuses: [404, 409],
  },
  'POST /api/test-payments/retrieve': ownersPayment(),
  'POST /api/test-payments/confirm': ownersPayment({ token: 'asks' }, ['last4']),
  'POST /api/test-payments/answer': ownersPayment({ approve: true }),
  'POST /api/admin/login': {
    statuses: everyCaller(401),
    body: () => {
      // A new name each time, because failures are also counted by name.
      names += 1;
      return { username: `nobody-${names}`, password: 'a guess' };
    },
    optional: ['code'],
    invalidValues: { password: 401 },
    otherStatuses: [401],
  },
  'POST /api/admin/logout': { statuses: everyCaller(204) },
  // Refused because everyone knows the demo's password.
  'POST /api/admin/second-factor/secret': demoRefused(),
  'POST /api/admin/second-factor': demoRefused({ secret: 'A'.repeat(32), ...PROOF }),
  'POST /api/admin/second-factor/recovery-codes': demoRefused(PROOF),
  'POST /api/admin/second-factor/remove': demoRefused(PROOF),
  'POST /api/admin/sessions/:key/end': missing({ otherStatuses: [404] }),
  'POST /api/admin/account/name': {
    statuses: { ...staffOnly, staff: 204 },
    body: () => ({ name: 'Jane Desk' }),
  },
  'POST /api/admin/accounts/:id/end-sessions': missing({ otherStatuses: [404] }),
  'POST /api/admin/accounts/:id/block': missing({
    body: () => ({ blocked: true }),
    otherStatuses: [404],
  }),
  'GET /api/admin/threads/:id': found('threads/1'),
  'POST /api/admin/threads/:id/status': found('threads/1/status', {
    body: () => ({ status: 'new' }),
  }),
  'POST /api/admin/threads/:id/assignee': found('threads/1/assignee', {
    body: () => ({ mine: true }),
  }),
  'POST /api/admin/threads/:id/entries': found('threads/1/entries', {
    body: () => ({ kind: 'note', text: 'Called.', after: 1, key: randomUUID() }),
  }),
  'POST /api/admin/threads/:id/entries/:entry/undo': missing({ otherStatuses: [404] }),
  'POST /api/admin/threads/:id/answered-by-mail': found('threads/1/answered-by-mail'),
  'GET /api/admin/people': found('people?find=jane@dealer.example', { otherStatuses: [400] }),
  'GET /api/admin/people/download': found('people/download?find=jane@dealer.example', {
    otherStatuses: [400, 404],
  }),
  'POST /api/admin/people/erase': missing({ body: () => ({ email: 'nobody@nowhere.example' }) }),
  'POST /api/admin/outbox/:id/resend': missing(),
  'POST /api/admin/outbox/:id/dismiss': missing(),
  'POST /api/admin/orders/:id/refund': missing({
    body: () => ({ amount: null }),
    optional: ['key'],
  }),
  'POST /api/admin/orders/:id/cancel': missing({ body: () => ({ when: 'now' }) }),
  'POST /api/admin/orders/:id/mark-paid': missing({
    body: () => ({ reference: 'Check 1042', version: 0 }),
  }),
  'POST /api/admin/orders/:id/po-number': missing({
    body: () => ({ poNumber: 'PO-4711', version: 0 }),
  }),
  'POST /api/admin/orders/:id/test': missing({ body: () => ({ happens: 'renewed' }) }),
  'POST /api/admin/orders/:id/link': missing({ otherStatuses: [404] }),
  'POST /api/admin/orders/:id/revoke-links': missing({ otherStatuses: [404] }),
  'POST /api/order-page': linked(),
  'POST /api/order-page/open': linked({ access: 'guessed' }),
  'POST /api/order-page/preview': linked({ ...LICENSES, from: LICENSES }),
  'POST /api/order-page/change': linked({
    ...LICENSES,
    from: LICENSES,
    at: '2026-11-21T10:00:00.000Z',
    next: 575,
  }),
  'POST /api/order-page/cancel': linked(),
  'POST /api/order-page/keep': linked(),
  'POST /api/order-page/card': linked(),
  'POST /api/order-page/card/use': linked({ clientSecret: 'guessed' }),
  // Refused because the site has no mail server.
  'POST /api/order-page/links': {
    statuses: everyCaller(409),
    body: () => ({ email: 'jane@dealer.example' }),
    otherStatuses: [409],
  },
  'POST /api/order-page/link': {
    statuses: everyCaller(409),
    body: () => ({ ...ORDER_TOKEN, place: 'card' }),
    invalidValues: { token: 409 },
    otherStatuses: [409],
  },
  'POST /api/order-page/address': linked({ address: '1 Main Street' }),
  // Unavailable without Stripe's keys.
  'POST /api/stripe/webhook': {
    statuses: everyCaller(503),
    otherStatuses: [400, 413, 503],
  },
};
