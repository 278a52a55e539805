/** What each call under /api owes to whom. */
import { READ_ANALYTICS, READ_LOG } from '../../src/access-log/access-log-api.ts';
import * as shapes from './answer-shapes.ts';
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
import * as orders from './order-answer-shapes.ts';
import { ORDER_PAGE_ROWS } from './order-page-rows.ts';
import * as people from './person-answer-shapes.ts';
import { QUOTE_ROWS } from './quote-rows.ts';

let names = 0;

export const CALL_ROWS: Record<string, CallRow> = {
  ...QUOTE_ROWS,
  'GET /api/openapi.json': { gives: everybody(200), answer: shapes.openApi },
  'GET /api/services': { gives: everybody(200), answer: shapes.services },
  'GET /api/solutions': { gives: everybody(200), answer: shapes.solutions },
  'GET /api/plans': { gives: everybody(200), answer: shapes.plans },
  'POST /api/update-plans': { gives: everybody(200), answer: shapes.updatedPlans },
  'POST /api/contact': {
    gives: everybody(200),
    body: () => ({ ...SAMPLE_MESSAGE, phone: '404-555-0100', service: 'voip' }),
    answer: shapes.contactReceived,
  },
  // Without mail.
  'POST /api/safeguards-report': {
    gives: everybody(409),
    body: () => ({ email: 'jane@dealer.example', answers: { consumers: 'yes', mfa: 'no' } }),
    optional: ['website'],
    answer: shapes.anything,
    also: [409],
  },
  'POST /api/page-failures': {
    gives: everybody(204),
    body: () => ({ kind: 'part', page: '/checkout', error: 'TypeError', place: 'shop-3fA.js:1:2' }),
    answer: shapes.otherThanJson,
  },
  'POST /api/teams-chat': {
    gives: everybody(200),
    body: () => SAMPLE_MESSAGE,
    answer: shapes.chatAnswer,
  },
  'POST /api/create-payment-intent': {
    gives: everybody(200),
    body: () => SAMPLE_ORDER,
    optional: ['postalCode', 'company'],
    answer: orders.startedPayment,
    judges: { amount: 409 },
    also: [409],
  },
  'GET /api/orders/:id': {
    gives: ownerAndStaff,
    path: ({ orderId }) => `/api/orders/${orderId}`,
    answer: orders.order,
    also: [404],
  },
  'POST /api/orders/:id/update-status': {
    gives: ownerAndStaff,
    path: ({ orderId }) => `/api/orders/${orderId}/update-status`,
    body: () => ({ status: 'pending', paymentId: null }),
    optional: ['paymentId'],
    answer: orders.order,
    also: [404, 409],
  },
  'POST /api/test-payments/retrieve': {
    gives: ownerOnly,
    body: (scene, caller) => ({ clientSecret: secret(scene, caller) }),
    answer: orders.testPayment,
    also: [404],
  },
  'POST /api/test-payments/confirm': {
    gives: ownerOnly,
    body: (scene, caller) => ({ clientSecret: secret(scene, caller), token: 'asks' }),
    optional: ['last4'],
    answer: orders.testPayment,
    also: [404],
  },
  'POST /api/test-payments/answer': {
    gives: ownerOnly,
    body: (scene, caller) => ({ clientSecret: secret(scene, caller), approve: true }),
    answer: orders.testPayment,
    also: [404],
  },
  'GET /api/payment-config': { gives: everybody(200), answer: orders.paymentConfig },
  'POST /api/admin/login': {
    gives: everybody(401),
    body: () => {
      // A name of its own each time, for failures are counted by name too.
      names += 1;
      return { username: `nobody-${names}`, password: 'a guess' };
    },
    answer: shapes.who,
    judges: { password: 401 },
    also: [401],
  },
  'POST /api/admin/logout': { gives: everybody(204), answer: shapes.otherThanJson },
  'GET /api/admin/session': { gives: staffOnly, answer: shapes.who },
  'GET /api/admin/sessions': { gives: staffOnly, answer: shapes.sessions },
  'POST /api/admin/sessions/end-others': { gives: staffOnly, answer: shapes.endedSessions },
  'POST /api/admin/sessions/:key/end': {
    gives: { ...staffOnly, staff: 404 },
    path: () => '/api/admin/sessions/0123456789abcdef/end',
    answer: shapes.endedSessions,
    also: [404],
  },
  'GET /api/admin/audit': { gives: staffOnly, answer: shapes.audit },
  'GET /api/admin/contacts': { gives: staffOnly, answer: shapes.submissions },
  'GET /api/admin/contacts/:id': {
    gives: staffOnly,
    path: () => '/api/admin/contacts/1',
    answer: shapes.submission,
    also: [404],
  },
  'POST /api/admin/contacts/:id/mark': {
    gives: staffOnly,
    path: () => '/api/admin/contacts/1/mark',
    body: () => ({ mark: 'new' }),
    answer: shapes.submission,
    also: [404],
  },
  'GET /api/admin/conversations': { gives: staffOnly, answer: shapes.conversations },
  'GET /api/admin/conversations/:id': {
    gives: staffOnly,
    path: () => '/api/admin/conversations/1',
    answer: shapes.conversation,
    also: [404],
  },
  'POST /api/admin/conversations/:id/mark': {
    gives: staffOnly,
    path: () => '/api/admin/conversations/1/mark',
    body: () => ({ mark: 'new' }),
    answer: shapes.conversation,
    also: [404],
  },
  'GET /api/admin/inbox/counts': { gives: staffOnly, answer: shapes.inboxCounts },
  'GET /api/admin/people': {
    gives: staffOnly,
    path: () => '/api/admin/people?find=jane@dealer.example',
    answer: people.person,
    also: [400],
  },
  'GET /api/admin/people/download': {
    gives: staffOnly,
    path: () => '/api/admin/people/download?find=jane@dealer.example',
    answer: people.storedOfPerson,
    also: [400, 404],
  },
  'POST /api/admin/people/erase': {
    gives: { ...staffOnly, staff: 404 },
    body: () => ({ email: 'nobody@nowhere.example' }),
    answer: people.erased,
    also: [404, 409],
  },
  'GET /api/admin/outbox': { gives: staffOnly, answer: shapes.outbox },
  'POST /api/admin/outbox/:id/resend': {
    gives: { ...staffOnly, staff: 404 },
    path: () => '/api/admin/outbox/1/resend',
    answer: shapes.anything,
    also: [404, 409],
  },
  'POST /api/admin/outbox/:id/dismiss': {
    gives: { ...staffOnly, staff: 404 },
    path: () => '/api/admin/outbox/1/dismiss',
    answer: shapes.anything,
    also: [404, 409],
  },
  'GET /api/admin/orders': { gives: staffOnly, answer: orders.orders },
  'GET /api/admin/orders/download': { gives: staffOnly, answer: shapes.otherThanJson },
  'POST /api/admin/orders/:id/refund': {
    gives: { ...staffOnly, staff: 404 },
    path: () => '/api/admin/orders/999999/refund',
    body: () => ({ amount: null }),
    optional: ['key'],
    answer: orders.order,
    also: [404, 409],
  },
  'POST /api/admin/orders/:id/cancel': {
    gives: { ...staffOnly, staff: 404 },
    path: () => '/api/admin/orders/999999/cancel',
    body: () => ({ when: 'now' }),
    answer: orders.order,
    also: [404, 409],
  },
  'POST /api/admin/orders/:id/link': {
    gives: { ...staffOnly, staff: 404 },
    path: () => '/api/admin/orders/999999/link',
    answer: shapes.anything,
    also: [404],
  },
  'POST /api/admin/orders/:id/revoke-links': {
    gives: { ...staffOnly, staff: 404 },
    path: () => '/api/admin/orders/999999/revoke-links',
    answer: orders.order,
    also: [404],
  },
  'GET /api/admin/test-clock': { gives: staffOnly, answer: orders.testClock },
  'POST /api/admin/test-clock/ahead': {
    gives: { ...staffOnly, staff: 409 },
    // From a time that has passed, so that nobody is billed.
    body: () => ({ now: '2026-01-01T00:00:00.000Z' }),
    answer: orders.movedClock,
    also: [409],
  },
  ...ORDER_PAGE_ROWS,
  // Without Stripe's keys.
  'POST /api/stripe/webhook': {
    gives: everybody(503),
    answer: shapes.anything,
    also: [400, 413, 503],
  },
  'GET /api/admin/logs': { gives: staffOnly, answer: READ_LOG.answer },
  'GET /api/admin/logs/analytics': { gives: staffOnly, answer: READ_ANALYTICS.answer },
  'GET /api/admin/logs/download': { gives: staffOnly, answer: shapes.otherThanJson },
};
