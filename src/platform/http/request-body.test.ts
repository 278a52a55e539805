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

test('a form that a browser posts by itself is read; of a field that comes twice, the last', async () => {
  const form = sent('name=Ann+Moore&name=Bo%20M&x', `${FORM_TYPE} ; charset=UTF-8`);
  expect(await readForm(asked(form))).toEqual({ body: { name: 'Bo M', x: '' } });
  const json = await readForm(asked(sent('name=Ann', JSON_TYPE)));
  expect('refusal' in json && json.refusal.status).toBe(415);
  const broken = pieces(1, 1, 'broken off');
  broken.headers.set('content-type', FORM_TYPE);
  const read = await readForm(asked(broken));
  expect('refusal' in read && read.refusal.status).toBe(400);
});
