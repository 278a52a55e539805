/** Every call under /api with the status that each kind of caller gets. */
import { randomUUID } from 'node:crypto';
import { type CallRow, SAMPLE_MESSAGE, SAMPLE_ORDER } from './call-row.ts';

let names = 0;

function quoteRequest() {
  const { planId, name, email, ms365Option, ms365Users, includeCloudBackup } = SAMPLE_ORDER;
  return { planId, name, email, ms365Option, ms365Users, includeCloudBackup };
}

const staffQuote = () => ({ ...quoteRequest(), discount: null, days: 30, send: false });
const QUOTE_TOKEN = { token: 'A'.repeat(22) };
const LICENSES = { users: 3, backup: true };
const DETAILS = {
  name: 'Jane Doe',
  company: 'Doe Motors',
  phone: '404-555-0100',
  billingAddress: '1 Main Street',
};
const OPTIONAL_DETAILS = { optional: ['company', 'phone', 'billingAddress'] };
const PROOF = { password: 'a guess', code: '123456' };

type Row = Omit<CallRow, 'statuses'>;

const anyone = (status = 200, row: Row = {}): CallRow => ({
  statuses: { anonymous: status, stranger: status, owner: status, staff: status },
  ...row,
});

const staff = (status = 200, row: Row = {}): CallRow => ({
  statuses: { anonymous: 401, stranger: 401, owner: 401, staff: status },
  ...row,
});

/** A staff call about something that does not exist. */
const missing = (row: Row = {}) => staff(404, row);

/** The same, where what exists may have changed in the meantime. */
const missingVersion = (row: Row = {}) => missing({ otherStatuses: [409], ...row });

/** A staff call about something that exists. */
const found = (path: string, row: Row = {}) =>
  staff(200, { path: () => `/api/admin/${path}`, otherStatuses: [404], ...row });

const ofOrder = (path: string, row: Row = {}): CallRow => ({
  statuses: { anonymous: 404, stranger: 404, owner: 200, staff: 200 },
  path: ({ orderId }) => `/api/orders/${orderId}${path}`,
  ...row,
});

/** A call that needs a link's token: with a guessed one, no body gets anything but 404. */
const guessed = (body: Record<string, unknown>, row: Row = {}) =>
  anyone(404, { body: () => body, invalidValues: { token: 404 }, ...row });

const linked = (body: Record<string, unknown> = {}, row: Row = {}) =>
  guessed({ token: '1.guessed', ...body }, { otherStatuses: [409], ...row });

/** A call about a test payment: its client secret admits, and others have to guess it. */
function ownersPayment(more: Record<string, unknown> = {}, row: Row = {}): CallRow {
  const guess = `test_payment_1_secret_${'x'.repeat(43)}`;
  return {
    statuses: { anonymous: 404, stranger: 404, owner: 200, staff: 404 },
    body: ({ clientSecret }, caller) => ({
      clientSecret: caller === 'owner' ? clientSecret : guess,
      ...more,
    }),
    ...row,
  };
}

/** Refused because everyone knows the demo's password. */
const demoRefused = (body: Record<string, unknown>) =>
  staff(409, { body: () => body, invalidValues: { password: 409 } });

export const CALL_ROWS: Record<string, CallRow> = {
  'GET /api/openapi.json': anyone(),
  'GET /api/services': anyone(),
  'GET /api/solutions': anyone(),
  'GET /api/plans': anyone(),
  'GET /api/payment-config': anyone(),
  'GET /api/chat/conversation': anyone(),
  'GET /api/terms/:hash': anyone(404),
  'POST /api/update-plans': anyone(),
  'POST /api/contact': anyone(200, {
    body: () => ({ ...SAMPLE_MESSAGE, phone: '404-555-0100', service: 'voip' }),
  }),
  // Refused because the site has no mail server.
  'POST /api/safeguards-report': anyone(409, {
    body: () => ({ email: 'jane@dealer.example', answers: { consumers: 'yes', mfa: 'no' } }),
  }),
  'POST /api/page-failures': anyone(204, {
    body: () => ({ kind: 'part', page: '/checkout', error: 'TypeError', place: 'shop-3fA.js:1:2' }),
  }),
  'POST /api/web-vitals': anyone(204, {
    body: () => ({ page: '/news', lcp: 1234, inp: null, cls: 12 }),
  }),
  'GET /api/chat/events': {
    statuses: { anonymous: 404, stranger: 200, owner: 200, staff: 404 },
  },
  'POST /api/chat/seen': anyone(204, { body: () => ({ entry: 1 }) }),
  'POST /api/chat/end': anyone(204),
  'POST /api/teams-chat': anyone(200, { body: () => SAMPLE_MESSAGE }),

  'POST /api/quotes': anyone(201, { body: quoteRequest, optional: ['company', 'note'] }),
  'POST /api/quote': guessed(QUOTE_TOKEN),
  'POST /api/quote/accept': guessed(
    { ...QUOTE_TOKEN, name: 'Jane Doe', title: 'Owner', terms: 'f'.repeat(64), changedAt: 1 },
    { optional: ['poNumber', 'postalCode'] },
  ),
  'POST /api/quote/reminders': guessed({ ...QUOTE_TOKEN, wanted: true }),
  'GET /api/admin/customers': staff(),
  'GET /api/admin/quotes': staff(),
  'GET /api/admin/quotes/download': staff(),
  'POST /api/admin/quotes': staff(200, { body: staffQuote, optional: ['company', 'note'] }),
  'GET /api/admin/quotes/:id': missing(),
  'POST /api/admin/quotes/:id': missingVersion({
    body: staffQuote,
    optional: ['company', 'note'],
  }),
  'POST /api/admin/quotes/:id/withdraw': missingVersion(),
  'POST /api/admin/quotes/:id/link': missing(),

  'GET /api/admin/prices': staff(),
  // Refused because the site has no mail server.
  'POST /api/admin/prices/notice': staff(409, {
    body: () => ({ kind: 'terms', day: '2020-01-01', orders: [{ id: 999_999, after: 1 }] }),
  }),
  'POST /api/admin/prices/preview': staff(409, {
    body: () => ({ kind: 'terms', day: '2020-01-01', order: 999_999 }),
  }),

  'POST /api/create-payment-intent': anyone(200, {
    body: () => SAMPLE_ORDER,
    optional: ['postalCode', 'company'],
    invalidValues: { amount: 409 },
    otherStatuses: [409],
  }),
  'GET /api/orders/:id': ofOrder(''),
  'POST /api/orders/:id/update-status': ofOrder('/update-status', {
    body: () => ({ status: 'pending', paymentId: null }),
    optional: ['paymentId'],
    otherStatuses: [409],
  }),
  'POST /api/test-payments/retrieve': ownersPayment(),
  'POST /api/test-payments/confirm': ownersPayment({ token: 'asks' }, { optional: ['last4'] }),
  'POST /api/test-payments/answer': ownersPayment({ approve: true }),
  // Unavailable without Stripe's keys.
  'POST /api/stripe/webhook': anyone(503, { otherStatuses: [400, 413] }),
  'GET /api/admin/orders': staff(),
  'GET /api/admin/sales/news': staff(),
  'GET /api/admin/orders/download': staff(),
  'GET /api/admin/payments/download': staff(),
  'POST /api/admin/orders/:id/refund': missingVersion({ body: () => ({ amount: null }) }),
  'POST /api/admin/orders/:id/cancel': missingVersion({ body: () => ({ when: 'now' }) }),
  'POST /api/admin/orders/:id/keep': missingVersion({ body: () => ({ version: 0 }) }),
  'POST /api/admin/orders/:id/mark-paid': missingVersion({
    body: () => ({ reference: 'Check 1042', version: 0 }),
  }),
  'POST /api/admin/orders/:id/po-number': missingVersion({
    body: () => ({ poNumber: 'PO-4711', version: 0 }),
  }),
  'POST /api/admin/orders/:id/test': missingVersion({ body: () => ({ happens: 'renewed' }) }),
  'GET /api/admin/orders/:id/account': missing(),
  'POST /api/admin/orders/:id/details': missingVersion({
    body: () => ({ ...DETAILS, billsTo: null, email: 'jane@dealer.example' }),
    ...OPTIONAL_DETAILS,
  }),
  'POST /api/admin/orders/:id/preview': missing({ body: () => ({ ...LICENSES, from: LICENSES }) }),
  'POST /api/admin/orders/:id/change': missingVersion({
    body: () => ({
      ...LICENSES,
      ...{ from: LICENSES, at: '2026-11-21T10:00:00.000Z', next: 575 },
    }),
  }),
  'POST /api/admin/orders/:id/link': missing(),
  'POST /api/admin/orders/:id/revoke-links': missing(),

  'POST /api/order-page': linked(),
  'POST /api/order-page/open': linked({ access: 'guessed' }),
  'POST /api/order-page/preview': linked({ ...LICENSES, from: LICENSES }),
  'POST /api/order-page/change': linked({
    ...LICENSES,
    ...{ from: LICENSES, at: '2026-11-21T10:00:00.000Z', next: 575 },
  }),
  'POST /api/order-page/cancel': linked(),
  'POST /api/order-page/keep': linked(),
  'POST /api/order-page/card': linked(),
  'POST /api/order-page/card/use': linked({ clientSecret: 'guessed' }),
  'POST /api/order-page/details': linked({ ...DETAILS, billsTo: null }, OPTIONAL_DETAILS),
  'POST /api/order-page/email': linked({ email: 'jane@dealer.example' }),
  'POST /api/order-page/email/confirm': linked({ key: 'guessed' }),
  'POST /api/order-page/addendum': linked({
    name: 'Jane Doe',
    title: 'Owner',
    hash: 'f'.repeat(64),
  }),
  // Refused because the site has no mail server.
  'POST /api/order-page/links': anyone(409, { body: () => ({ email: 'jane@dealer.example' }) }),
  'POST /api/order-page/link': guessed({ token: '1.guessed', place: 'card' }),

  'POST /api/admin/login': anyone(401, {
    body: () => {
      // A new name each time, because failures are also counted by name.
      names += 1;
      return { username: `nobody-${names}`, password: 'a guess' };
    },
    optional: ['code'],
    invalidValues: { password: 401 },
  }),
  'POST /api/admin/logout': anyone(204),
  'GET /api/admin/session': staff(),
  'GET /api/admin/sessions': staff(),
  'POST /api/admin/sessions/end-others': staff(),
  'GET /api/admin/second-factor': staff(),
  'POST /api/admin/second-factor/secret': staff(409),
  // Its code, which is looked at first, belongs to another secret.
  'POST /api/admin/second-factor': staff(400, {
    body: () => ({ secret: 'A'.repeat(32), ...PROOF }),
    invalidValues: { password: 400 },
  }),
  'POST /api/admin/second-factor/recovery-codes': demoRefused(PROOF),
  'POST /api/admin/second-factor/remove': demoRefused(PROOF),
  'POST /api/admin/account/name': staff(204, { body: () => ({ name: 'Jane Desk' }) }),
  'GET /api/admin/accounts': staff(),
  'POST /api/admin/accounts/:id/block': missing({ body: () => ({ blocked: true }) }),
  'GET /api/admin/audit': staff(),

  'GET /api/admin/contacts': staff(),
  'GET /api/admin/messages/download': staff(),
  'GET /api/admin/inbox/counts': staff(),
  'GET /api/admin/answers': staff(),
  'GET /api/admin/events': staff(),
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
  'POST /api/admin/threads/:id/entries/:entry/undo': missing(),
  'POST /api/admin/threads/:id/entries/:entry/readdress': missing({
    body: () => ({ email: 'jane@dealer.example' }),
  }),
  'POST /api/admin/threads/:id/answered-by-mail': found('threads/1/answered-by-mail'),

  'GET /api/admin/people': found('people?find=jane@dealer.example', { otherStatuses: [400] }),
  'GET /api/admin/people/download': found('people/download?find=jane@dealer.example', {
    otherStatuses: [400, 404],
  }),
  'POST /api/admin/people/erase': missingVersion({
    body: () => ({ email: 'nobody@nowhere.example' }),
  }),
  'GET /api/admin/faults': staff(),
  'GET /api/admin/outbox': staff(),
  'POST /api/admin/outbox/:id/resend': missingVersion(),
  'POST /api/admin/outbox/:id/dismiss': missingVersion(),
  'GET /api/admin/logs': staff(),
  'GET /api/admin/logs/analytics': staff(),
  'GET /api/admin/logs/download': staff(),
  'GET /api/admin/first-answers': staff(),
  'GET /api/admin/sources': staff(),
  'GET /api/admin/sources/download': staff(),
};
