/** How request bodies are read as they arrive. */
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { readBody } from './request-body.server.ts';

const KIB = 1024;

/** A body in `count` chunks of `bytes`, which then ends or breaks off. */
function chunks(count: number, bytes: number, ending: 'whole' | 'broken off' = 'whole') {
  let left = count;
  return new ReadableStream({
    pull(controller) {
      if (left-- > 0) controller.enqueue(new Uint8Array(bytes).fill(0x20));
      else if (ending === 'whole') controller.close();
      else controller.error(new Error('reset'));
    },
  });
}

async function outcome(body: ReadableStream) {
  const read = await readBody({ headers: new Headers(), body: Readable.from(body) }, 'text');
  if (!('refusal' in read)) return read.body;
  const { message } = await read.refusal.json();
  return [read.refusal.status, message];
}

test('a body of exactly 64 KiB is accepted, and one byte more is refused', async () => {
  expect(await outcome(chunks(64, KIB))).toHaveLength(64 * KIB);
  const tooLarge = [413, 'The request is larger than 64 KiB'];
  expect(await outcome(chunks(1, 64 * KIB + 1))).toEqual(tooLarge);
});

test('a body that breaks off is refused', async () => {
  const cutOff = [400, 'The request was cut off'];
  expect(await outcome(chunks(2, 1, 'broken off'))).toEqual(cutOff);
});

test('the rest of a refused body is not read', async () => {
  let sentKib = 0;
  const endless = new ReadableStream({
    pull(controller) {
      sentKib += 1;
      controller.enqueue(new Uint8Array(KIB));
    },
  });
  expect(await outcome(endless)).toContain(413);
  // The stream fills its own buffer once. Who went on would read in each of these turns.
  for (let turn = 0; turn < 512; turn += 1) await setImmediate();
  expect(sentKib).toBeLessThan(256);
});
