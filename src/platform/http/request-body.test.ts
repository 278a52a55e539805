/** Bodies as they arrive: the whole are read to the byte, and the others are refused for what they are. */
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type Incoming, readBody, readForm } from './request-body.server.ts';

const KIB = 1024;
const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

function sent(body: BodyInit | null, type = JSON_TYPE): Request {
  const headers = { 'Content-Type': type };
  // A stream needs it, which the types do not know.
  const streamed = { duplex: 'half' };
  return new Request('http://site.example/', { method: 'POST', headers, body, ...streamed });
}

/** The body in so many pieces of as many bytes; then it ends, or breaks off. */
function pieces(count: number, bytes: number, ending: 'whole' | 'broken off' = 'whole'): Request {
  let left = count;
  return sent(
    new ReadableStream({
      pull(controller) {
        if (left-- > 0) controller.enqueue(new Uint8Array(bytes).fill(0x20));
        else if (ending === 'whole') controller.close();
        else controller.error(new Error('reset'));
      },
    }),
  );
}

/** As Node has it. */
const asked = (request: Request): Incoming => ({
  headers: request.headers,
  body: Readable.from(request.body ?? []),
});

async function outcome(request: Request, kind: 'json' | 'text' | 'none') {
  const read = await readBody(asked(request), kind);
  if (!('refusal' in read)) return read.body;
  const { message } = await read.refusal.json();
  return [read.refusal.status, message, read.refusal.headers.get('connection')];
}

test.each([
  'application/json',
  'application/json; charset=utf-8',
  'Application/JSON;charset="UTF-8"',
  'application/json ',
])('JSON is taken as %j', async (type) => {
  expect(await outcome(sent('{"name":"Łukasz"}', type), 'json')).toEqual({ name: 'Łukasz' });
});

test.each([
  'text/plain',
  'text/application/json',
  'application/jsonp',
  'application/json; charset=utf-16',
  '',
])('JSON is not taken as %j', async (type) => {
  const refusal = [415, 'Please send JSON (Content-Type: application/json)', null];
  expect(await outcome(sent('{}', type), 'json')).toEqual(refusal);
});

test('what no reader of JSON understands is refused, and a text is handed over as it came', async () => {
  const refusal = [400, 'The request is not valid JSON', null];
  for (const body of ['', '{"name":', "{'a':1}", new Uint8Array([0x22, 0xff, 0x22])])
    expect(await outcome(sent(body), 'json')).toEqual(refusal);
  expect(await outcome(sent('{"name":', 'text/plain'), 'text')).toBe('{"name":');
  expect(await outcome(sent(null), 'text')).toBe('');
});

test('64 KiB are read, and not a byte more, whether the size is told before or not', async () => {
  const tooLarge = [413, 'The request is larger than 64 KiB', null];
  expect(await outcome(pieces(64, KIB), 'text')).toHaveLength(64 * KIB);
  expect(await outcome(pieces(1, 64 * KIB + 1), 'text')).toEqual(tooLarge);
  for (const kind of ['text', 'none'] as const) {
    const told = pieces(1, 1);
    told.headers.set('content-length', String(64 * KIB));
    expect(await outcome(told, kind)).toBe(kind === 'text' ? ' ' : null);
    const more = pieces(1, 1);
    more.headers.set('content-length', String(64 * KIB + 1));
    expect(await outcome(more, kind)).toEqual(tooLarge);
  }
});

test('a body comes in up to 300 pieces; one in crumbs is given up with its connection', async () => {
  expect(await outcome(pieces(300, 1), 'text')).toHaveLength(300);
  const refusal = [400, 'The request arrived in too many pieces', 'close'];
  expect(await outcome(pieces(301, 1), 'text')).toEqual(refusal);
});

test('a body that breaks off is not taken for a whole one', async () => {
  expect(await outcome(pieces(2, 1, 'broken off'), 'text')).toEqual([
    400,
    'The request was cut off',
    null,
  ]);
});

test('of what is refused the rest is not read', async () => {
  let sentKib = 0;
  const endless = new ReadableStream({
    pull(controller) {
      sentKib += 1;
      controller.enqueue(new Uint8Array(KIB));
    },
  });
  expect(await outcome(sent(endless), 'text')).toContain(413);
  // What is on its way fills the stream’s own room, once.
  await setTimeout(50);
  expect(sentKib).toBeLessThan(256);
});

test('of the bodies that are not whole 16 MiB are kept, then the oldest is given up', async () => {
  const MOST = (16 * KIB * KIB) / (64 * KIB);
  const open: ReadableStreamDefaultController[] = [];
  const begin = () => {
    const body = new ReadableStream({
      start(controller) {
        open.push(controller);
        controller.enqueue(new Uint8Array(64 * KIB).fill(0x20));
      },
    });
    return outcome(sent(body), 'text');
  };
  const all = Array.from({ length: MOST + 1 }, begin);
  expect(await all[0]).toEqual([408, 'The request took too long to arrive', 'close']);
  for (const controller of open.slice(1)) controller.close();
  const rest = await Promise.all(all.slice(1));
  expect(rest.every((body) => body === ' '.repeat(64 * KIB))).toBe(true);
  // All that was held has been let go.
  open.length = 0;
  const next = Array.from({ length: MOST }, begin);
  await new Promise((settled) => setImmediate(settled));
  for (const controller of open) controller.close();
  expect((await Promise.all(next)).every((body) => typeof body === 'string')).toBe(true);
});

test('a form that a browser posts by itself is read; of a field that comes twice, the last', async () => {
  for (const type of [FORM_TYPE, `${FORM_TYPE.toUpperCase()} ; charset=UTF-8`])
    expect(await readForm(asked(sent('name=Ann+Moore&name=Bo%20M&x', type)))).toEqual({
      body: { name: 'Bo M', x: '' },
    });
  for (const type of [JSON_TYPE, `${FORM_TYPE}ed`, `text/${FORM_TYPE}`]) {
    const read = await readForm(asked(sent('name=Ann', type)));
    expect('refusal' in read && read.refusal.status).toBe(415);
  }
  const broken = pieces(1, 1, 'broken off');
  broken.headers.set('content-type', FORM_TYPE);
  const read = await readForm(asked(broken));
  expect('refusal' in read && read.refusal.status).toBe(400);
});
