/**
 * What each call under /api owes to whom: a call that is added without a row here fails the walk, the hostile
 * variants and the generated requests, which all read this table.
 */
import * as z from 'zod/mini';
import type { AnyCall } from '../../src/platform/call.server.ts';
import type { TestApp } from './test-app.ts';
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
  /** The path with its parts filled in. */
  path?: (scene: Scene) => string;
  /** What an answer below 400 looks like; null for one without a body. */
  answer: z.ZodMiniType;
  /** The status for a wrong value of the right type, by field, where the call and not the schema is the judge. */
  judges?: Record<string, number>;
  /** Statuses besides those that any call of its kind may give. */
  also?: readonly number[];
}

export const refusal = z.strictObject({
  message: z.string().check(z.minLength(1)),
  errors: z.optional(
    z.array(z.strictObject({ path: z.string(), message: z.string().check(z.minLength(1)) })),
  ),
});

const everybody = (status: number) => ({
  anonymous: status,
  stranger: status,
  owner: status,
  staff: status,
});
const staffOnly = { anonymous: 401, stranger: 401, owner: 401, staff: 200 };
const ownerAndStaff = { anonymous: 404, stranger: 404, owner: 200, staff: 200 };

const dollars = z.number().check(z.minimum(0));
const id = z.int().check(z.minimum(1));
const order = z.strictObject({
  id,
  name: z.string(),
  email: z.string(),
  phone: z.nullable(z.string()),
  planId: id,
  paymentMethod: z.literal('credit_card'),
  ms365Option: z.enum(['none', 'business_standard', 'business_premium', 'e3']),
  ms365Users: z.int(),
  includeCloudBackup: z.boolean(),
  status: z.enum(['pending', 'processing', 'paid', 'failed', 'canceled', 'past_due', 'refunded']),
  amount: dollars,
  paymentId: z.nullable(z.string()),
  createdAt: z.iso.datetime(),
  history: z.optional(
    z.array(z.strictObject({ status: z.string(), at: z.iso.datetime(), cause: z.string() })),
  ),
});
const testPayment = z.strictObject({
  status: z.enum(['requires_payment_method', 'requires_action', 'succeeded']),
  message: z.optional(z.string()),
});
const features = z.array(z.string());

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

const ROWS: Record<string, CallRow> = {
  'GET /api/page': {
    gives: everybody(200),
    path: () => '/api/page?path=/',
    answer: z.looseObject({ name: z.string(), path: z.string(), title: z.string() }),
    also: [404],
  },
  'GET /api/services': {
    gives: everybody(200),
    answer: z.array(
      z.strictObject({
        id,
        name: z.string(),
        description: z.string(),
        shortDescription: z.string(),
        price: dollars,
        priceType: z.string(),
        image: z.string(),
        features,
      }),
    ),
  },
  'GET /api/solutions': {
    gives: everybody(200),
    answer: z.array(
      z.strictObject({
        id,
        name: z.string(),
        description: z.string(),
        industry: z.string(),
        image: z.string(),
        features,
      }),
    ),
  },
  'GET /api/plans': {
    gives: everybody(200),
    answer: z.array(
      z.strictObject({
        id,
        name: z.string(),
        description: z.string(),
        price: dollars,
        popular: z.boolean(),
        features,
      }),
    ),
  },
  'POST /api/update-plans': {
    gives: everybody(200),
    answer: z.strictObject({ success: z.literal(true), updated: z.int() }),
  },
  'POST /api/create-payment-intent': {
    gives: everybody(200),
    body: () => SAMPLE_ORDER,
    answer: z.strictObject({ clientSecret: z.string(), orderId: id, amount: dollars }),
    judges: { amount: 409 },
    also: [409],
  },
  'GET /api/orders/:id': {
    gives: ownerAndStaff,
    path: ({ orderId }) => `/api/orders/${orderId}`,
    answer: order,
    also: [404],
  },
  'POST /api/orders/:id/update-status': {
    gives: ownerAndStaff,
    path: ({ orderId }) => `/api/orders/${orderId}/update-status`,
    body: () => ({ status: 'pending', paymentId: null }),
    answer: order,
    also: [404, 409],
  },
  'POST /api/test-payments/retrieve': {
    gives: ownerOnly,
    body: (scene, caller) => ({ clientSecret: secret(scene, caller) }),
    answer: testPayment,
    also: [404],
  },
  'POST /api/test-payments/confirm': {
    gives: ownerOnly,
    body: (scene, caller) => ({ clientSecret: secret(scene, caller), token: 'asks' }),
    answer: testPayment,
    also: [404],
  },
  'POST /api/test-payments/answer': {
    gives: ownerOnly,
    body: (scene, caller) => ({ clientSecret: secret(scene, caller), approve: true }),
    answer: testPayment,
    also: [404],
  },
  'GET /api/payment-config': {
    gives: everybody(200),
    answer: z.strictObject({ provider: z.literal('test') }),
  },
  'POST /api/admin/login': {
    gives: everybody(401),
    body: () => {
      // A name of its own each time, for failures are counted by name too.
      names += 1;
      return { username: `nobody-${names}`, password: 'a guess' };
    },
    answer: z.strictObject({ username: z.string() }),
    judges: { password: 401 },
    also: [401],
  },
  'POST /api/admin/logout': { gives: everybody(204), answer: z.null() },
  'GET /api/admin/session': {
    gives: staffOnly,
    answer: z.strictObject({ username: z.string() }),
  },
};

export interface KnownCall {
  name: string;
  call: AnyCall;
  row: CallRow;
}

/** Every call that the site has registered, with its row; throws for one that has none. */
export function everyCall(app: TestApp): KnownCall[] {
  return app.site.calls.map((call) => {
    const name = `${call.method} ${call.path}`;
    const row = ROWS[name];
    if (!row) throw new Error(`${name} has no row in tests/support/every-call.ts`);
    return { name, call, row };
  });
}

/** The names of rows whose call is gone. */
export function rowsWithoutCall(app: TestApp): string[] {
  const known = new Set(everyCall(app).map(({ name }) => name));
  return Object.keys(ROWS).filter((name) => !known.has(name));
}

export async function makeScene(app: TestApp): Promise<Scene> {
  const owner = app.visitor();
  const { status, json } = await owner.post('/api/create-payment-intent', SAMPLE_ORDER);
  if (status !== 200) throw new Error(`no order could be made: ${status}`);
  return { owner, orderId: json.orderId, clientSecret: json.clientSecret };
}

/** Sends the well-formed request of a row. */
export function ask(caller: Visitor, { call, row }: KnownCall, scene: Scene, as: Caller) {
  const path = row.path?.(scene) ?? call.path;
  if (call.method === 'GET') return caller.get(path);
  return caller.post(path, row.body?.(scene, as));
}
