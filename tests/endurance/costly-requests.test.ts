/** Whatever is sent in 64 KB, it takes the server's one thread for ten milliseconds at most. */
import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { CALL_ROWS } from '../support/call-rows.ts';
import { type RunningProcess, startServer } from '../support/server-process.ts';
import { sized } from '../support/sized.ts';
import { type TestDatabase, testDatabase } from '../support/test-app.ts';
import { Visitor } from '../support/visitor.ts';

const REQUESTS = sized(300, 20_000);
/** To the letter in the long run, which has the machine for itself. */
const DEAR_MS = 10;
const MOST_MS = sized(4 * DEAR_MS, DEAR_MS);
const MOST_BYTES = 64 * 1024;
const MOST_IN_HEAD = 12_000;

/** What is repeated to make something long: marks, openings, what regular expressions and normalization stumble over. */
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

const PAGES = ['/', '/news', '/checkout/2', '/contact', '/nothing'];

interface Asked {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: Uint8Array<ArrayBuffer>;
}

/** The thread that answers is the same on either database. */
describe.runIf(inject('engine') === 'sqlite')('a generated request', () => {
  let ground: TestDatabase;
  let server: RunningProcess;
  beforeAll(async () => {
    ground = await testDatabase();
    server = await startServer(ground.variables);
  });
  afterAll(async () => {
    await server?.stop();
    await ground.drop();
  });

  /** What the server's main thread has spent of the processor. */
  function spent(): number {
    const { pid } = server.child;
    const [nanoseconds] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
    return Number(nanoseconds) / 1e6;
  }

  async function cost({ path, ...asked }: Asked): Promise<number> {
    const before = spent();
    const { status } = await new Visitor(server.address).send(path, asked);
    expect(status, path.slice(0, 100)).not.toBe(500);
    return spent() - before;
  }

  test('of 64 KB at most costs ten milliseconds at most', async () => {
    // Pages are made when they are first asked for.
    for (const path of PAGES) await new Visitor(server.address).get(path);
    // The start prepares them all: until that is over it is what the thread spends.
    await expect
      .poll(async () => {
        const before = spent();
        await setTimeout(1_000);
        return spent() - before;
      })
      .toBeLessThan(100);
    let dearest = { took: 0, what: '' };
    await fc.assert(
      fc.asyncProperty(requests(), async (asked) => {
        let took = await cost(asked);
        // Garbage is collected and the log is written at its own time: what is dear is dear each time.
        for (let i = 0; i < 4 && took >= DEAR_MS; i += 1) took = Math.min(took, await cost(asked));
        const body = Buffer.from(asked.body ?? []).toString();
        const what = `${asked.method} ${asked.path.slice(0, 80)} ${JSON.stringify(asked.headers).slice(0, 200)} ${body.slice(0, 80)}`;
        if (took > dearest.took) dearest = { took, what };
        expect(took, what).toBeLessThan(MOST_MS);
      }),
      { numRuns: REQUESTS, endOnFailure: true },
    );
    console.log(`dearest when repeated ${dearest.took.toFixed(2)} ms: ${dearest.what}`);
  });
});

function requests(): fc.Arbitrary<Asked> {
  const calls = Object.entries(CALL_ROWS).map(([name, row]) => {
    const [method = '', path = ''] = name.split(' ');
    const scene = { owner: new Visitor('http://a'), orderId: 1, clientSecret: 'x' };
    const body = row.body?.(scene, 'anonymous');
    const fields = [...Object.keys(body ?? {}), ...(row.optional ?? [])];
    return { method, path: path.replace(/:\w+/g, '1'), body, fields };
  });
  const documents = PAGES.map((path) => ({ method: 'GET', path, body: undefined, fields: [] }));
  return fc.constantFrom(...calls, ...documents).chain(({ method, path, body, fields }) =>
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
        ...(method === 'GET' ? {} : { body: cut(body) }),
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

/** Something long, made of one or two parts, with an end that does not fit. */
function long(most: number): fc.Arbitrary<string> {
  return fc
    .tuple(
      fc.constantFrom(...PARTS),
      fc.constantFrom(...PARTS),
      fc.constantFrom('', 'a', 'x!', '"}'),
    )
    .map(([one, other, end]) => {
      const part = one + (one.length + other.length < most / 2 ? other : '');
      return (
        one.repeat(Math.floor(most / 2 / one.length)) +
        part.repeat(Math.floor(most / 2 / part.length)) +
        end
      );
    });
}

function address(path: string): fc.Arbitrary<string> {
  const text = long(MOST_IN_HEAD / 3).map((each) =>
    encodeURI(each.toWellFormed()).slice(0, MOST_IN_HEAD / 2),
  );
  return fc.oneof(
    { weight: 4, arbitrary: fc.constant(path) },
    { weight: 1, arbitrary: text.map((each) => `${path}/${each}`) },
    { weight: 1, arbitrary: text.map((each) => `${path}?path=${each}&plan=${each.slice(0, 50)}`) },
    { weight: 1, arbitrary: text.map((each) => `${path}?find=${each}&ms365_users=${each.length}`) },
  );
}

/** As much of a header as HTTP can carry. */
function header(): fc.Arbitrary<string> {
  return long(MOST_IN_HEAD / 2).map((text) => text.replace(/[^\t\x20-\x7e]/g, 'x').trim());
}

function form(): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom('name', 'message', 'email', ''), long(MOST_BYTES / 3))
    .map(([field, text]) => `${field}=${text}`);
}

/** A good body with one of its fields long, the whole of it long, or a text alone. */
function json(good: Record<string, unknown> | undefined, fields: readonly string[]) {
  const field = fields.length > 0 ? fc.constantFrom(...fields) : fc.constant('a');
  return fc
    .tuple(field, long(MOST_BYTES / 3), fc.integer({ min: 0, max: 3 }))
    .map(([name, text, kind]) => {
      if (kind === 0) return text;
      if (kind === 1) return JSON.stringify({ ...good, [text]: 1 });
      if (kind === 2) return JSON.stringify({ ...good, [name]: text.slice(0, MOST_BYTES / 18) });
      return JSON.stringify({ ...good, [name]: text });
    });
}

function cut(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(text).subarray(0, MOST_BYTES));
}
