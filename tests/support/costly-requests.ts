/** Generated requests that could cost much: long, repetitive, hard to match or normalize. */
import fc from 'fast-check';
import { CALL_ROWS } from './call-rows.ts';
import { Visitor } from './visitor.ts';

const MAX_BYTES = 64 * 1024;
const MAX_HEAD_BYTES = 12_000;

/** Repeated: separators, openings, and what is slow in patterns or Unicode normalization. */
const PARTS = [
  'a',
  ' ',
  '/',
  '%ff',
  '%CC%81',
  '&',
  ';',
  '"',
  '\\',
  '<',
  'a.',
  'a@',
  '..',
  '\r\n',
  ' a',
  'br;q=0 ',
  'application/json ; ',
  '[',
  '{"a":',
  '\\ud800',
  '😀',
  '\u0301\u0316',
  `a${'\u0301'.repeat(30)}`,
  'ﷺ',
];

export const PAGES = ['/', '/news', '/checkout/2', '/contact', '/nothing'];

export interface GeneratedRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: Uint8Array<ArrayBuffer>;
}

export const inspect = ({ method, path, headers, body }: GeneratedRequest) =>
  `${method} ${path.slice(0, 80)} ${JSON.stringify(headers).slice(0, 200)} ${Buffer.from(body ?? [])
    .toString()
    .slice(0, 80)}`;

const CALLS = Object.entries(CALL_ROWS).map(([name, row]) => {
  const [method = '', path = ''] = name.split(' ');
  const scene = { owner: new Visitor('http://a'), orderId: 1, clientSecret: 'x' };
  const body = row.body?.(scene, 'anonymous');
  const fields = [...Object.keys(body ?? {}), ...(row.optional ?? [])];
  return { method, path: path.replace(/:\w+/g, '1'), body, fields };
});

/** Longer than a password, which is normalized as it is. */
const MARKS = '\u0301\u0316'.repeat(600);

/** A pile of marks in each field of each call. */
export const MARKED: GeneratedRequest[] = CALLS.flatMap(({ fields, body, ...call }) =>
  fields.map((name) => ({
    ...call,
    headers: { 'Content-Type': 'application/json' },
    body: new Uint8Array(Buffer.from(JSON.stringify({ ...body, [name]: MARKS }))),
  })),
);

export function requests(): fc.Arbitrary<GeneratedRequest> {
  const documents = PAGES.map((path) => ({ method: 'GET', path, body: undefined, fields: [] }));
  return fc.constantFrom(...CALLS, ...documents).chain(({ method, path, body, fields }) =>
    fc
      .record({
        address: address(path),
        headers: fc.dictionary(fc.constantFrom(...HEADERS), header(), { maxKeys: 1 }),
        body: fc.oneof(form(), json(body, fields)),
      })
      .map(({ address, headers, body }) => ({
        method,
        path: address,
        headers: { 'Content-Type': 'application/json', ...headers },
        ...(method === 'GET' ? {} : { body: truncate(body) }),
      })),
  );
}

const HEADERS = [
  'Accept-Encoding',
  'Content-Type',
  'Cookie',
  'Idempotency-Key',
  'If-None-Match',
  'Origin',
  'Referer',
  'Stripe-Signature',
  'User-Agent',
  'X-Forwarded-For',
];

/** A long text of one or two repeated parts, with an end that prevents a match. */
function long(maxLength: number): fc.Arbitrary<string> {
  return fc
    .tuple(
      fc.constantFrom(...PARTS),
      fc.constantFrom(...PARTS),
      fc.constantFrom('', 'a', 'x!', '"}'),
    )
    .map(([one, other, end]) => {
      const part = one + (one.length + other.length < maxLength / 2 ? other : '');
      return (
        one.repeat(Math.floor(maxLength / 2 / one.length)) +
        part.repeat(Math.floor(maxLength / 2 / part.length)) +
        end
      );
    });
}

function address(path: string): fc.Arbitrary<string> {
  const text = long(MAX_HEAD_BYTES / 3).map((each) =>
    encodeURI(each.toWellFormed()).slice(0, MAX_HEAD_BYTES / 2),
  );
  return fc.oneof(
    { weight: 4, arbitrary: fc.constant(path) },
    { weight: 1, arbitrary: text.map((each) => `${path}/${each}`) },
    { weight: 1, arbitrary: text.map((each) => `${path}?path=${each}&plan=${each.slice(0, 50)}`) },
    { weight: 1, arbitrary: text.map((each) => `${path}?find=${each}&ms365_users=${each.length}`) },
  );
}

/** A long header value of characters that HTTP allows. */
function header(): fc.Arbitrary<string> {
  return long(MAX_HEAD_BYTES / 2).map((text) => text.replace(/[^\t\x20-\x7e]/g, 'x').trim());
}

function form(): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom('name', 'message', 'email', ''), long(MAX_BYTES / 3))
    .map(([field, text]) => `${field}=${text}`);
}

/** A valid body with one long field or one long extra key, or a long text that is no JSON. */
function json(validBody: Record<string, unknown> | undefined, fields: readonly string[]) {
  const field = fields.length > 0 ? fc.constantFrom(...fields) : fc.constant('a');
  return fc
    .tuple(field, long(MAX_BYTES / 3), fc.integer({ min: 0, max: 3 }))
    .map(([name, text, kind]) => {
      if (kind === 0) return text;
      if (kind === 1) return JSON.stringify({ ...validBody, [text]: 1 });
      if (kind === 2)
        return JSON.stringify({ ...validBody, [name]: text.slice(0, MAX_BYTES / 18) });
      return JSON.stringify({ ...validBody, [name]: text });
    });
}

function truncate(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(text).subarray(0, MAX_BYTES));
}
