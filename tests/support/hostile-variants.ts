/** Variants of a well-formed request that a state-changing call must refuse. */
import { MAX_ANSWER } from '../../src/limits.ts';
import type { Call } from '../../src/platform/http/call.server.ts';

export interface Variant {
  name: string;
  /** The status that the call must answer with. */
  status: number;
  method?: string;
  /** Undefined leaves a header out. */
  headers?: Record<string, string | undefined>;
  /** Behind the caller's own. */
  cookies?: string;
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

/** Requests from another origin; `knowsStaff`: the call's answer may depend on a session. */
export function foreign(origin: string, knowsStaff: boolean): Variant[] {
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

export const WRONG_METHODS: Variant[] = ['GET', 'PUT', 'OPTIONS'].map((method) => ({
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
export function badBodies(
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

/** Values of another type or with control characters; `expected` for the right type. */
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

/** Odd but valid requests, which a call must answer like the plain one. */
export function harmless(
  status: number,
  fields: Record<string, unknown> | undefined,
  access: Call['access'],
): Variant[] {
  const noOrigin = { Origin: undefined };
  // For a duplicate field the last value counts, as JSON.parse has it.
  const twice = JSON.stringify(fields)?.replace(/^\{("\w+"):/, '{$1:null,$1:');
  return [
    ...(twice ? [{ name: 'a field twice', status, body: twice }] : []),
    { name: 'broken cookies', status, cookies: '; session=%%%; =; __proto__=1; x' },
    ...byHeaders(status, {
      ...(access === 'staff' ? {} : { 'no origin and no session': noOrigin }),
      ...(access === 'anyone'
        ? { 'no origin, and a session': { ...noOrigin, Cookie: SESSION } }
        : {}),
      'Sec-Fetch-Site: same-origin': { ...noOrigin, 'Sec-Fetch-Site': 'same-origin' },
      'Sec-Fetch-Site: none': { 'Sec-Fetch-Site': 'none' },
      'a foreign X-Forwarded-Host': { 'X-Forwarded-Host': 'evil.example' },
    }),
    ...byType(
      status,
      fields
        ? ['application/json; charset=utf-8', 'APPLICATION/JSON;charset="UTF-8"']
        : [undefined, 'nonsense'],
    ),
  ];
}
