/** Every call under /api with the status that each kind of caller gets. */
import {
  type CallRow,
  everyCaller,
  ownerAndStaff,
  ownerOnly,
  SAMPLE_MESSAGE,
  SAMPLE_ORDER,
  secret,
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
const forged = { token: 'A'.repeat(22) };
/** For a call about something that does not exist. */
const NOT_FOUND = { ...staffOnly, staff: 404 };

const TOKEN = { token: '1.guessed' };
const LICENSES = { users: 3, backup: true };

/** A call that needs a link token: no body makes a guessed token valid. */
function linked(body: Record<string, unknown>): CallRow {
  return {
    gives: everyCaller(404),
    body: () => ({ ...TOKEN, ...body }),
    judges: { token: 404 },
    also: [404, 409],
  };
}

export const CALL_ROWS: Record<string, CallRow> = {
  'POST /api/quotes': {
    gives: everyCaller(201),
    body: quoteRequest,
    optional: ['company', 'note'],
  },
  'POST /api/quote': {
    gives: everyCaller(404),
    body: () => forged,
    judges: { token: 404 },
    also: [404],
  },
  'POST /api/quote/reminders': {
    gives: everyCaller(404),
    body: () => ({ ...forged, wanted: true }),
    judges: { token: 404 },
    also: [404],
  },
  'GET /api/admin/quotes': {
    gives: staffOnly,
  },
  'POST /api/admin/quotes': {
    gives: staffOnly,
    body: staffQuote,
    optional: ['company', 'note'],
  },
  'GET /api/admin/quotes/:id': {
    gives: NOT_FOUND,
    path: () => '/api/admin/quotes/999999',
    also: [404],
  },
  'POST /api/admin/quotes/:id': {
    gives: NOT_FOUND,
    path: () => '/api/admin/quotes/999999',
    body: staffQuote,
    optional: ['company', 'note'],
    also: [404, 409],
  },
  'POST /api/admin/quotes/:id/withdraw': {
    gives: NOT_FOUND,
    path: () => '/api/admin/quotes/999999/withdraw',
    also: [404, 409],
  },
  'POST /api/admin/quotes/:id/link': {
    gives: NOT_FOUND,
    path: () => '/api/admin/quotes/999999/link',
    also: [404],
  },
  'GET /api/openapi.json': { gives: everyCaller(200) },
  'GET /api/services': { gives: everyCaller(200) },
  'GET /api/solutions': { gives: everyCaller(200) },
  'GET /api/plans': { gives: everyCaller(200) },
  'POST /api/update-plans': { gives: everyCaller(200) },
  'POST /api/contact': {
    gives: everyCaller(200),
    body: () => ({ ...SAMPLE_MESSAGE, phone: '404-555-0100', service: 'voip' }),
  },
  // Refused because the site has no mail server.
  'POST /api/safeguards-report': {
    gives: everyCaller(409),
    body: () => ({ email: 'jane@dealer.example', answers: { consumers: 'yes', mfa: 'no' } }),
    optional: ['website'],
    also: [409],
  },
  'POST /api/page-failures': {
    gives: everyCaller(204),
    body: () => ({ kind: 'part', page: '/checkout', error: 'TypeError', place: 'shop-3fA.js:1:2' }),
  },
  'POST /api/teams-chat': {
    gives: everyCaller(200),
    body: () => SAMPLE_MESSAGE,
  },
  'POST /api/create-payment-intent': {
    gives: everyCaller(200),
    body: () => SAMPLE_ORDER,
    optional: ['postalCode', 'company'],
    judges: { amount: 409 },
    also: [409],
  },
  'GET /api/orders/:id': {
    gives: ownerAndStaff,
    path: ({ orderId }) => `/api/orders/${orderId}`,
    also: [404],
  },
  'POST /api/orders/:id/update-status': {
    gives: ownerAndStaff,
    path: ({ orderId }) => `/api/orders/${orderId}/update-status`,
    body: () => ({ status: 'pending', paymentId: null }),
    optional: ['paymentId'],
    also: [404, 409],
  },
  'POST /api/test-payments/retrieve': {
    gives: ownerOnly,
    body: (scene, caller) => ({ clientSecret: secret(scene, caller) }),
    also: [404],
  },
  'POST /api/test-payments/confirm': {
    gives: ownerOnly,
    body: (scene, caller) => ({ clientSecret: secret(scene, caller), token: 'asks' }),
    optional: ['last4'],
    also: [404],
  },
  'POST /api/test-payments/answer': {
    gives: ownerOnly,
    body: (scene, caller) => ({ clientSecret: secret(scene, caller), approve: true }),
    also: [404],
  },
  'GET /api/payment-config': { gives: everyCaller(200) },
  'POST /api/admin/login': {
    gives: everyCaller(401),
    body: () => {
      // A new name each time, because failures are also counted by name.
      names += 1;
      return { username: `nobody-${names}`, password: 'a guess' };
    },
    judges: { password: 401 },
    also: [401],
  },
  'POST /api/admin/logout': { gives: everyCaller(204) },
  'GET /api/admin/session': { gives: staffOnly },
  'GET /api/admin/sessions': { gives: staffOnly },
  'POST /api/admin/sessions/end-others': { gives: staffOnly },
  'POST /api/admin/sessions/:key/end': {
    gives: NOT_FOUND,
    path: () => '/api/admin/sessions/0123456789abcdef/end',
    also: [404],
  },
  'GET /api/admin/audit': { gives: staffOnly },
  'GET /api/admin/contacts': { gives: staffOnly },
  'GET /api/admin/contacts/:id': {
    gives: staffOnly,
    path: () => '/api/admin/contacts/1',
    also: [404],
  },
  'POST /api/admin/contacts/:id/mark': {
    gives: staffOnly,
    path: () => '/api/admin/contacts/1/mark',
    body: () => ({ mark: 'new' }),
    also: [404],
  },
  'GET /api/admin/conversations': { gives: staffOnly },
  'GET /api/admin/conversations/:id': {
    gives: staffOnly,
    path: () => '/api/admin/conversations/1',
    also: [404],
  },
  'POST /api/admin/conversations/:id/mark': {
    gives: staffOnly,
    path: () => '/api/admin/conversations/1/mark',
    body: () => ({ mark: 'new' }),
    also: [404],
  },
  'GET /api/admin/inbox/counts': { gives: staffOnly },
  'GET /api/admin/people': {
    gives: staffOnly,
    path: () => '/api/admin/people?find=jane@dealer.example',
    also: [400],
  },
  'GET /api/admin/people/download': {
    gives: staffOnly,
    path: () => '/api/admin/people/download?find=jane@dealer.example',
    also: [400, 404],
  },
  'POST /api/admin/people/erase': {
    gives: NOT_FOUND,
    body: () => ({ email: 'nobody@nowhere.example' }),
    also: [404, 409],
  },
  'GET /api/admin/outbox': { gives: staffOnly },
  'POST /api/admin/outbox/:id/resend': {
    gives: NOT_FOUND,
    path: () => '/api/admin/outbox/1/resend',
    also: [404, 409],
  },
  'POST /api/admin/outbox/:id/dismiss': {
    gives: NOT_FOUND,
    path: () => '/api/admin/outbox/1/dismiss',
    also: [404, 409],
  },
  'GET /api/admin/orders': { gives: staffOnly },
  'GET /api/admin/orders/download': { gives: staffOnly },
  'POST /api/admin/orders/:id/refund': {
    gives: NOT_FOUND,
    path: () => '/api/admin/orders/999999/refund',
    body: () => ({ amount: null }),
    optional: ['key'],
    also: [404, 409],
  },
  'POST /api/admin/orders/:id/cancel': {
    gives: NOT_FOUND,
    path: () => '/api/admin/orders/999999/cancel',
    body: () => ({ when: 'now' }),
    also: [404, 409],
  },
  'POST /api/admin/orders/:id/link': {
    gives: NOT_FOUND,
    path: () => '/api/admin/orders/999999/link',
    also: [404],
  },
  'POST /api/admin/orders/:id/revoke-links': {
    gives: NOT_FOUND,
    path: () => '/api/admin/orders/999999/revoke-links',
    also: [404],
  },
  'GET /api/admin/test-clock': { gives: staffOnly },
  'POST /api/admin/test-clock/ahead': {
    gives: { ...staffOnly, staff: 409 },
    // A stale time, which is refused, so that no one is billed.
    body: () => ({ now: '2026-01-01T00:00:00.000Z' }),
    also: [409],
  },
  'POST /api/order-page': linked({}),
  'POST /api/order-page/open': linked({ access: 'guessed' }),
  'POST /api/order-page/preview': linked({ ...LICENSES, from: LICENSES }),
  'POST /api/order-page/change': linked({
    ...LICENSES,
    from: LICENSES,
    at: '2026-11-21T10:00:00.000Z',
    next: 575,
  }),
  'POST /api/order-page/cancel': linked({}),
  'POST /api/order-page/keep': linked({}),
  'POST /api/order-page/card': linked({}),
  'POST /api/order-page/card/use': linked({ clientSecret: 'guessed' }),
  // Refused because the site has no mail server.
  'POST /api/order-page/links': {
    gives: everyCaller(409),
    body: () => ({ email: 'jane@dealer.example' }),
    also: [409],
  },
  'POST /api/order-page/address': linked({ address: '1 Main Street' }),
  // Unavailable without Stripe's keys.
  'POST /api/stripe/webhook': {
    gives: everyCaller(503),
    also: [400, 413, 503],
  },
  'GET /api/admin/logs': { gives: staffOnly },
  'GET /api/admin/logs/analytics': { gives: staffOnly },
  'GET /api/admin/logs/download': { gives: staffOnly },
};
