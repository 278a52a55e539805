/** Invalid requests get a short, clear refusal, which costs little and stores nothing. */
import { beforeAll, describe, expect, test } from 'vitest';
import { MAX_ANSWER } from '../../../src/limits.ts';
import { chunk } from '../../../src/platform/database/queries.server.ts';
import { SAMPLE_MESSAGE, SAMPLE_ORDER, type Scene } from '../../support/call-row.ts';
import { everyCall, type KnownCall, makeScene, pathOf } from '../../support/every-call.ts';
import {
  OWN_PASSWORD,
  ownTestApp,
  sharedStaff,
  sharedTestApp,
  type TestApp,
} from '../../support/test-app.ts';
import type { Answered } from '../../support/visitor.ts';

/** Fewer than the site's database connections. */
const AT_ONCE = 8;

const app = sharedTestApp();
let scene: Scene;
const staff = sharedStaff(() => app);
beforeAll(async () => {
  scene = await makeScene(app);
});

describe('a state-changing call', () => {
  /** Calls that verify a signature are tested in features/payments. */
  const changing = () =>
    everyCall(app).filter(({ call }) => call.method === 'POST' && !call.signed);

  /** Sends a permitted caller's well-formed request, altered, from a new address. */
  function send(known: KnownCall, changed: Variant): Promise<Answered> {
    const { call, row } = known;
    const { cookies } = call.access === 'staff' ? staff : scene.owner;
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const fields = row.body?.(scene, 'owner');
    const { method = 'POST', body = fields && JSON.stringify(fields) } = changed;
    const headers: Variant['headers'] = {
      Origin: app.address,
      Cookie: cookie,
      'Content-Type': fields && 'application/json',
      ...changed.headers,
    };
    // As bytes: `fetch` would give a text a type.
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
    return app.visitor().send(pathOf(known, scene), {
      method,
      headers: JSON.parse(JSON.stringify(headers)),
      ...(bytes && method !== 'GET' ? { body: bytes } : {}),
    });
  }

  /** Whether the path also answers GET. */
  const isRead = (path: string) =>
    everyCall(app).some(({ call }) => call.method === 'GET' && call.path === path);

  /** Actual and expected statuses, as 'call, variant: status'. */
  async function cells(variantsOf: (known: KnownCall) => Variant[]) {
    const given: string[] = [];
    const expected: string[] = [];
    for (const known of changing()) {
      const variants = variantsOf(known);
      const answers: Awaited<ReturnType<typeof send>>[] = [];
      // With hundreds at once, some would rightly be told that the database is busy.
      for (const some of chunk(variants, AT_ONCE))
        answers.push(...(await Promise.all(some.map((variant) => send(known, variant)))));
      const cell = (index: number) => `${known.name}, ${variants[index]?.name}`;
      given.push(...answers.map((each, i) => `${cell(i)}: ${each.status}${flaw(each)}`));
      expected.push(...variants.map(({ status }, i) => `${cell(i)}: ${status}`));
    }
    return { given, expected };
  }

  test('refuses every hostile variant with the expected status, and stores nothing', async () => {
    const before = await stored(app);
    const { given, expected } = await cells(({ call, row }) => [
      ...foreign(app.address, call.access !== 'anyone'),
      ...WRONG_METHODS.filter(({ name }) => name !== 'GET' || !isRead(call.path)),
      ...(row.body ? badBodies(row.body(scene, 'owner'), row.invalidValues) : []),
    ]);
    expect(given).toEqual(expected);
    expect(given.length).toBeGreaterThanOrEqual(256);
    expect(await stored(app)).toEqual(before);
  });

  test('refuses a body of more than 64 KiB even if the call takes none', async () => {
    const body = 'x'.repeat(70_000);
    for (const path of ['/api/update-plans', '/api/admin/logout']) {
      const { status } = await app.visitor().send(path, { method: 'POST', body });
      expect([path, status]).toEqual([path, 413]);
    }
  });

  test('names the field of an order that is wrong, with the form’s message', async () => {
    const wrong: [Record<string, unknown>, string, string][] = [
      [{ email: 'a@b.example\r\nBcc: c@d.example' }, 'email', 'Please enter a valid email address'],
      [{ amount: undefined }, 'amount', 'Amount is required'],
      [{ planId: 999 }, 'planId', 'This plan is not offered'],
    ];
    for (const [change, path, message] of wrong) {
      const body = { ...SAMPLE_ORDER, ...change };
      const { status, json } = await app.visitor().post('/api/create-payment-intent', body);
      expect([status, json.errors]).toEqual([400, [{ path, message }]]);
    }
  });

  test('accepts an order number in plain digits only', async () => {
    const { orderId, owner } = scene;
    const odd = ['0', `0${orderId}`, `${orderId}.0`, '1e3', '2147483648', 'null'];
    const answers = new Set<string>();
    for (const id of odd) {
      const { status, text } = await owner.get(`/api/orders/${id}`);
      answers.add(`${status} ${text}`);
    }
    expect([...answers]).toEqual(['404 {"message":"This order does not exist"}']);
  });
});

/** What else is wrong with an answer besides its status. */
function flaw({ status, json, text }: Answered): string {
  if (status === 204) return text === '' ? '' : ' with a body';
  if (json === null) return ` as ${text.slice(0, 40)}`;
  if (status >= 400 && typeof json.message !== 'string') return ` as ${text.slice(0, 80)}`;
  return /\\n\s+at |node_modules|\.server\.ts/.test(text) ? ' with a stack' : '';
}

async function stored({ database: { db } }: TestApp) {
  const tables = ['orders', 'orderEvents', 'orderAccess', 'testPayments', 'accounts'] as const;
  return Promise.all([
    ...tables.map((table) => db.selectFrom(table).selectAll().execute()),
    // Without lastSeenAt, which is updated once a minute.
    db
      .selectFrom('sessions')
      .select(['tokenHash', 'accountId', 'createdAt', 'address', 'userAgent'])
      .execute(),
    db.selectFrom('threads').selectAll().execute(),
    db.selectFrom('entries').selectAll().execute(),
    db.selectFrom('outbox').selectAll().execute(),
  ]);
}

test('a message is checked for its origin and limit before its body is read', async () => {
  const own = await ownTestApp(OWN_PASSWORD);
  const visitor = own.visitor();
  // The wrong type, which is checked next.
  const wrongType = { method: 'POST', headers: { 'Content-Type': 'text/plain' } };
  const foreign = { ...wrongType.headers, Origin: 'https://evil.example' };
  const statusOf = async (init = wrongType) => (await visitor.send('/api/contact', init)).status;
  expect(await statusOf({ ...wrongType, headers: foreign })).toBe(403);
  expect(await statusOf()).toBe(415);
  for (let sent = 1; sent < 5; sent += 1)
    expect((await visitor.post('/api/contact', SAMPLE_MESSAGE)).status).toBe(200);
  expect(await statusOf()).toBe(429);
});

/** How a well-formed request is altered. */
interface Variant {
  name: string;
  /** The status that the call must answer with. */
  status: number;
  method?: string;
  /** Undefined leaves a header out. */
  headers?: Record<string, string | undefined>;
  body?: string | Uint8Array<ArrayBuffer>;
}

const SESSION = `session=${'s'.repeat(43)}`;

const byHeaders = (status: number, all: Record<string, Variant['headers'] & object>): Variant[] =>
  Object.entries(all).map(([name, headers]) => ({ name, status, headers }));

const byType = (status: number, types: readonly (string | undefined)[]): Variant[] =>
  types.map((type) => ({
    name: `Content-Type ${type ?? 'missing'}`,
    status,
    headers: { 'Content-Type': type },
  }));

/** Requests from another origin; `knowsStaff`: the answer may depend on a session. */
function foreign(origin: string, knowsStaff: boolean): Variant[] {
  const { host } = new URL(origin);
  return byHeaders(403, {
    'Sec-Fetch-Site: cross-site': { 'Sec-Fetch-Site': 'cross-site' },
    'an unknown Sec-Fetch-Site': { 'Sec-Fetch-Site': 'friendly' },
    'another Origin': { Origin: 'https://evil.example' },
    'the Origin null': { Origin: 'null' },
    'another scheme': { Origin: `https://${host}` },
    'a name that begins alike': { Origin: `${origin}.evil.example` },
    'the origin of a forwarded host': {
      'X-Forwarded-Host': 'office-pc',
      Forwarded: 'host=office-pc',
      Origin: 'http://office-pc',
    },
    ...(knowsStaff ? { 'a session and no origin': { Origin: undefined, Cookie: SESSION } } : {}),
  });
}

const WRONG_METHODS: Variant[] = ['GET', 'PUT', 'OPTIONS'].map((method) => ({
  name: method,
  status: 405,
  method,
}));

const NOT_JSON_TYPES = [
  undefined,
  'text/plain',
  'application/jsonp',
  'application/x-www-form-urlencoded',
  'application/json; charset=utf-16',
  'application/json, text/plain',
];

const NOT_AN_OBJECT: Record<string, string | Uint8Array<ArrayBuffer>> = {
  nothing: '',
  'half an object': '{"a":',
  'a form': 'a=1&b=2',
  'bytes that are not UTF-8': new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]),
  'ten thousand brackets': '['.repeat(10_000),
  'a list nested 30,000 levels deep': '['.repeat(30_000) + ']'.repeat(30_000),
  null: 'null',
  'a string': '"text"',
  'a list': '[{}]',
  'no fields': '{}',
};

const TOO_LARGE = JSON.stringify({ message: 'x'.repeat(64 * 1024) });

/**
 * Bodies that are wrong for any call. `fields` is a valid body, `invalidValues` comes from the
 * call's row.
 */
function badBodies(
  fields: Record<string, unknown>,
  invalidValues: Record<string, number> = {},
): Variant[] {
  const good = JSON.stringify(fields);
  const extended = (extra: string) => `${good.slice(0, -1)},${extra}}`;
  return [
    ...byType(415, NOT_JSON_TYPES),
    { name: 'Content-Encoding', status: 415, headers: { 'Content-Encoding': 'gzip' } },
    ...Object.entries({
      ...NOT_AN_OBJECT,
      'an unknown field': extended('"isAdmin":true'),
      'a field __proto__': extended('"__proto__":{"x":1}'),
    }).map(([name, body]) => ({ name, status: 400, body })),
    { name: 'more than 64 KiB', status: 413, body: TOO_LARGE },
    ...Object.entries(fields).flatMap(([name, value]) =>
      badValues(value, invalidValues[name] ?? 400).map(({ status, other }) => ({
        name: `${name} = ${JSON.stringify(other).slice(0, 40)}`,
        status,
        body: JSON.stringify({ ...fields, [name]: other }),
      })),
    ),
  ];
}

/** Longer than any field may be. */
const TOO_LONG = MAX_ANSWER + 1;

/** Wrong values; `expected` is the status for those of the right type. */
function badValues(value: unknown, expected: number) {
  const others: unknown[] = [{}, [value], Number.MAX_VALUE];
  if (typeof value === 'number') others.push(String(value), value + 0.001, -1e15);
  if (typeof value === 'boolean') others.push(String(value), 1);
  if (typeof value === 'string') others.push(5, `${value}\u0000`);
  if (typeof value === 'string') others.push('x'.repeat(TOO_LONG));
  const tooLong = (other: unknown) => typeof other === 'string' && other.length >= TOO_LONG;
  return others.map((other) => ({
    other,
    status: typeof other === typeof value && !tooLong(other) ? expected : 400,
  }));
}
