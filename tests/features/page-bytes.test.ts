/** A page travels in the fewest bytes that its reader takes, and not at all when the reader has it. */
import { get, type IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

const ask = (path: string, known: string) =>
  fetch(app.address + path, { headers: { 'If-None-Match': known } });

describe('a page', () => {
  test('that has not changed is not sent again', async () => {
    const { headers } = await fetch(app.address);
    const etag = headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]{22}"$/);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await ask('/', known);
      expect(again.status).toBe(304);
      expect(again.headers.get('content-security-policy')).toContain("default-src 'none'");
    }
    expect((await ask('/', '"other"')).status).toBe(200);
    expect((await ask('/nowhere', '*')).status).toBe(404);
  });

  test('carries what its own address says, and nothing of what others chose', async () => {
    const choiceIn = async (path: string) =>
      /"choice":(\{[^}]*\})/.exec(await (await fetch(app.address + path)).text())?.[1];
    const plain = await choiceIn('/checkout');
    const chosen = await choiceIn('/checkout?ms365_users=777&cloud_backup=true');
    expect(chosen).toContain('"ms365Users":777');
    expect(await choiceIn('/checkout')).toBe(plain);
  });

  test.each([
    ['br, gzip', 'br'],
    ['gzip, deflate, br;q=0.5', 'br'],
    ['gzip', 'gzip'],
    ['gzip;q=1.0, br;q=0', 'gzip'],
    ['br;q=0.0, gzip', 'gzip'],
    ['br;q=0, gzip;q=0', null],
    ['deflate', null],
    ['identity', null],
    ['', null],
  ])('is sent to a browser that takes %j as %s', async (accept, encoding) => {
    for (const path of ['/', await scriptOf('/')]) {
      const plain = await received(path, 'identity');
      const { bytes, headers } = await received(path, accept);
      expect(headers['content-encoding'] ?? null).toBe(encoding);
      expect(headers.vary).toBe('Accept-Encoding');
      expect(decoded(bytes, encoding).equals(plain.bytes)).toBe(true);
    }
  });
});

async function scriptOf(path: string): Promise<string> {
  const [, script = ''] =
    /<script[^>]* src="([^"]+)"/.exec(await (await fetch(app.address + path)).text()) ?? [];
  return script;
}

function decoded(bytes: Buffer, encoding: string | null): Buffer {
  if (encoding === 'br') return brotliDecompressSync(bytes);
  return encoding === 'gzip' ? gunzipSync(bytes) : bytes;
}

/** The bytes as they travel, which `fetch` would decode. */
function received(path: string, accept: string) {
  return new Promise<{ bytes: Buffer; headers: IncomingHttpHeaders }>((resolve, reject) => {
    get(app.address + path, { headers: { 'Accept-Encoding': accept } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ bytes: Buffer.concat(chunks), headers: response.headers }),
      );
    }).on('error', reject);
  });
}
