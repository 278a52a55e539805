/** What each call under /api owes to whom. */
import {
  type CallRow,
  everybody,
  ownerAndStaff,
  ownerOnly,
  SAMPLE_MESSAGE,
  SAMPLE_ORDER,
  secret,
  staffOnly,
} from './call-row.ts';
import { ORDER_PAGE_ROWS } from './order-page-rows.ts';
import { QUOTE_ROWS } from './quote-rows.ts';

let names = 0;

export const CALL_ROWS: Record<string, CallRow> = {
  ...QUOTE_ROWS,
  'GET /api/openapi.json': { gives: everybody(200) },
  'GET /api/services': { gives: everybody(200) },
  'GET /api/solutions': { gives: everybody(200) },
  'GET /api/plans': { gives: everybody(200) },
  'POST /api/update-plans': { gives: everybody(200) },
  'POST /api/contact': {
    gives: everybody(200),
    body: () => ({ ...SAMPLE_MESSAGE, phone: '404-555-0100', service: 'voip' }),
  },
  // Without mail.
  'POST /api/safeguards-report': {
    gives: everybody(409),
    body: () => ({ email: 'jane@dealer.example', answers: { consumers: 'yes', mfa: 'no' } }),
    optional: ['website'],
    also: [409],
  },
  'POST /api/page-failures': {
    gives: everybody(204),
    body: () => ({ kind: 'part', page: '/checkout', error: 'TypeError', place: 'shop-3fA.js:1:2' }),
  },
  'POST /api/teams-chat': {
    gives: everybody(200),
    body: () => SAMPLE_MESSAGE,
  },
  'POST /api/create-payment-intent': {
    gives: everybody(200),
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
  'GET /api/payment-config': { gives: everybody(200) },
  'POST /api/admin/login': {
    gives: everybody(401),
    body: () => {
      // A name of its own each time, for failures are counted by name too.
      names += 1;
      return { username: `nobody-${names}`, password: 'a guess' };
    },
    judges: { password: 401 },
    also: [401],
  },
  'POST /api/admin/logout': { gives: everybody(204) },
  'GET /api/admin/session': { gives: staffOnly },
  'GET /api/admin/sessions': { gives: staffOnly },
  'POST /api/admin/sessions/end-others': { gives: staffOnly },
  'POST /api/admin/sessions/:key/end': {
    gives: { ...staffOnly, staff: 404 },
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
    gives: { ...staffOnly, staff: 404 },
    body: () => ({ email: 'nobody@nowhere.example' }),
    also: [404, 409],
  },
  'GET /api/admin/outbox': { gives: staffOnly },
  'POST /api/admin/outbox/:id/resend': {
    gives: { ...staffOnly, staff: 404 },
    path: () => '/api/admin/outbox/1/resend',
    also: [404, 409],
  },
  'POST /api/admin/outbox/:id/dismiss': {
    gives: { ...staffOnly, staff: 404 },
    path: () => '/api/admin/outbox/1/dismiss',
    also: [404, 409],
  },
  'GET /api/admin/orders': { gives: staffOnly },
  'GET /api/admin/orders/download': { gives: staffOnly },
  'POST /api/admin/orders/:id/refund': {
    gives: { ...staffOnly, staff: 404 },
    path: () => '/api/admin/orders/999999/refund',
    body: () => ({ amount: null }),
    optional: ['key'],
    also: [404, 409],
  },
  'POST /api/admin/orders/:id/cancel': {
    gives: { ...staffOnly, staff: 404 },
    path: () => '/api/admin/orders/999999/cancel',
    body: () => ({ when: 'now' }),
    also: [404, 409],
  },
  'POST /api/admin/orders/:id/link': {
    gives: { ...staffOnly, staff: 404 },
    path: () => '/api/admin/orders/999999/link',
    also: [404],
  },
  'POST /api/admin/orders/:id/revoke-links': {
    gives: { ...staffOnly, staff: 404 },
    path: () => '/api/admin/orders/999999/revoke-links',
    also: [404],
  },
  'GET /api/admin/test-clock': { gives: staffOnly },
  'POST /api/admin/test-clock/ahead': {
    gives: { ...staffOnly, staff: 409 },
    // From a time that has passed, so that nobody is billed.
    body: () => ({ now: '2026-01-01T00:00:00.000Z' }),
    also: [409],
  },
  ...ORDER_PAGE_ROWS,
  // Without Stripe's keys.
  'POST /api/stripe/webhook': {
    gives: everybody(503),
    also: [400, 413, 503],
  },
  'GET /api/admin/logs': { gives: staffOnly },
  'GET /api/admin/logs/analytics': { gives: staffOnly },
  'GET /api/admin/logs/download': { gives: staffOnly },
};
