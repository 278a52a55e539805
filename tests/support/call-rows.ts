/** What each call under /api owes to whom. */
import type * as z from 'zod/mini';
import { analyticsAnswer, logsAnswer } from '../../src/access-log/analytics.ts';
import * as shapes from './answer-shapes.ts';
import type { Visitor } from './visitor.ts';

/** What the calls are about: an order, and who has to do with it. */
export interface Scene {
  owner: Visitor;
  orderId: number;
  clientSecret: string;
}

export const CALLERS = ['anonymous', 'stranger', 'owner', 'staff'] as const;
export type Caller = (typeof CALLERS)[number];

export interface CallRow {
  /** The status that a well-formed request of each caller gets. */
  gives: Record<Caller, number>;
  /** A well-formed body; absent where the call takes none. */
  body?: (scene: Scene, caller: Caller) => Record<string, unknown>;
  /** Texts that a body may hold besides those of `body`. */
  optional?: readonly string[];
  /** The path with its parts filled in. */
  path?: (scene: Scene) => string;
  /** What the JSON of an answer below 400 looks like. */
  answer: z.ZodMiniType;
  /** The status for a wrong value of the right type, by field, where the call and not the schema is the judge. */
  judges?: Record<string, number>;
  /** Statuses besides those that any call of its kind may give. */
  also?: readonly number[];
}

const everybody = (status: number) => ({
  anonymous: status,
  stranger: status,
  owner: status,
  staff: status,
});
const staffOnly = { anonymous: 401, stranger: 401, owner: 401, staff: 200 };
const ownerAndStaff = { anonymous: 404, stranger: 404, owner: 200, staff: 200 };

/** The secret is what admits to a test payment: whoever is not the owner has to guess it. */
const secret = ({ clientSecret }: Scene, caller: Caller) =>
  caller === 'owner' ? clientSecret : `test_payment_1_secret_${'x'.repeat(43)}`;
const ownerOnly = { anonymous: 404, stranger: 404, owner: 200, staff: 404 };

let names = 0;

/** A plain order for the Essential plan, whose price is 450 dollars. */
export const SAMPLE_ORDER = {
  planId: 1,
  name: 'Jane Doe',
  email: 'jane@dealer.example',
  phone: '404-555-0100',
  ms365Option: 'none',
  ms365Users: 0,
  includeCloudBackup: false,
  amount: 450,
  paymentMethod: 'credit_card',
};

export const SAMPLE_MESSAGE = {
  name: 'Jane Doe',
  email: 'jane@dealer.example',
  message: 'Our phones have been down since nine.',
};

export const CALL_ROWS: Record<string, CallRow> = {
  'GET /api/page': {
    gives: everybody(200),
    path: () => '/api/page?path=/',
    answer: shapes.page,
    also: [404],
  },
  'GET /api/page/ahead': {
    gives: everybody(200),
    path: () => '/api/page/ahead?path=/news',
    answer: shapes.page,
    also: [404],
  },
  'GET /api/openapi.json': { gives: everybody(200), answer: shapes.openApi },
  'GET /api/services': { gives: everybody(200), answer: shapes.services },
  'GET /api/solutions': { gives: everybody(200), answer: shapes.solutions },
  'GET /api/plans': { gives: everybody(200), answer: shapes.plans },
  'POST /api/update-plans': { gives: everybody(200), answer: shapes.updatedPlans },
  'POST /api/contact': {
    gives: everybody(200),
    body: () => ({ ...SAMPLE_MESSAGE, phone: '404-555-0100', service: 'voip' }),
    optional: ['website'],
    answer: shapes.contactReceived,
  },
  'POST /api/teams-chat': {
    gives: everybody(200),
    body: () => ({ ...SAMPLE_MESSAGE, conversation: '6f1c7a52-5d0b-4d7e-9a39-0b8f3a1d2c44' }),
    optional: ['website'],
    answer: shapes.chatAnswer,
  },
  'POST /api/create-payment-intent': {
    gives: everybody(200),
    body: () => SAMPLE_ORDER,
    optional: ['postalCode'],
    answer: shapes.startedPayment,
    judges: { amount: 409 },
    also: [409],
  },
  'GET /api/orders/:id': {
    gives: ownerAndStaff,
    path: ({ orderId }) => `/api/orders/${orderId}`,
    answer: shapes.order,
    also: [404],
  },
  'POST /api/orders/:id/update-status': {
    gives: ownerAndStaff,
    path: ({ orderId }) => `/api/orders/${orderId}/update-status`,
    body: () => ({ status: 'pending', paymentId: null }),
    optional: ['paymentId'],
    answer: shapes.order,
    also: [404, 409],
  },
  'POST /api/test-payments/retrieve': {
    gives: ownerOnly,
    body: (scene, caller) => ({ clientSecret: secret(scene, caller) }),
    answer: shapes.testPayment,
    also: [404],
  },
  'POST /api/test-payments/confirm': {
    gives: ownerOnly,
    body: (scene, caller) => ({ clientSecret: secret(scene, caller), token: 'asks' }),
    answer: shapes.testPayment,
    also: [404],
  },
  'POST /api/test-payments/answer': {
    gives: ownerOnly,
    body: (scene, caller) => ({ clientSecret: secret(scene, caller), approve: true }),
    answer: shapes.testPayment,
    also: [404],
  },
  'GET /api/payment-config': { gives: everybody(200), answer: shapes.paymentConfig },
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
    answer: shapes.person,
    also: [400],
  },
  'GET /api/admin/people/download': {
    gives: staffOnly,
    path: () => '/api/admin/people/download?find=jane@dealer.example',
    answer: shapes.storedOfPerson,
    also: [400, 404],
  },
  'POST /api/admin/people/erase': {
    gives: { ...staffOnly, staff: 404 },
    body: () => ({ email: 'nobody@nowhere.example', messages: 0, chatMessages: 0, orders: 0 }),
    answer: shapes.erased,
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
  'GET /api/admin/orders': { gives: staffOnly, answer: shapes.orders },
  'GET /api/admin/orders/download': { gives: staffOnly, answer: shapes.otherThanJson },
  'POST /api/admin/orders/:id/refund': {
    gives: { ...staffOnly, staff: 404 },
    path: () => '/api/admin/orders/999999/refund',
    body: () => ({ amount: null }),
    optional: ['key'],
    answer: shapes.order,
    also: [404, 409],
  },
  'POST /api/admin/orders/:id/cancel': {
    gives: { ...staffOnly, staff: 404 },
    path: () => '/api/admin/orders/999999/cancel',
    body: () => ({ when: 'now' }),
    answer: shapes.order,
    also: [404, 409],
  },
  'GET /api/admin/payments': { gives: staffOnly, answer: shapes.paymentHealth },
  'POST /api/admin/payments/check': { gives: staffOnly, answer: shapes.healthChecks },
  'POST /api/order-page': {
    gives: everybody(404),
    body: () => ({ token: '1.guessed' }),
    answer: shapes.order,
    judges: { token: 404 },
    also: [404],
  },
  'POST /api/order-page/billing': {
    gives: everybody(404),
    body: () => ({ token: '1.guessed' }),
    answer: shapes.anything,
    judges: { token: 404 },
    also: [404],
  },
  // Without Stripe's keys.
  'POST /api/stripe/webhook': {
    gives: everybody(503),
    answer: shapes.anything,
    also: [400, 413, 503],
  },
  'GET /api/admin/logs': { gives: staffOnly, answer: logsAnswer },
  'GET /api/admin/logs/analytics': { gives: staffOnly, answer: analyticsAnswer },
  'GET /api/admin/logs/download': { gives: staffOnly, answer: shapes.otherThanJson },
  'GET /api/admin/metrics': { gives: staffOnly, answer: shapes.otherThanJson, also: [401] },
};
