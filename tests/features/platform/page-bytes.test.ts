/** Caching and compression of pages. */
import { get, type IncomingHttpHeaders } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { sharedTestApp } from '../../support/test-app.ts';

const app = sharedTestApp();

const ask = (path: string, known: string) =>
  fetch(app.address + path, { headers: { 'If-None-Match': known } });

describe('a page', () => {
  test('that has not changed is answered with 304', async () => {
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

  test('of the checkout shows the plan in its URL, and is the same for whatever else stands there', async () => {
    const pageOf = async (query: string) => {
      const { headers, text } = await app.visitor().get(`/checkout${query}`);
      return { etag: headers.get('etag'), text };
    };
    const withoutPlan = await pageOf('');
    expect(withoutPlan.text).toContain('No plan selected.');
    const professional = await pageOf('?plan=2');
    expect(professional.text).toMatch(/<input[^>]*name="plan"[^>]*checked=""[^>]*value="2"/);
    for (const query of ['/2', '/1?plan=2', '?plan=2&microsoft365=e3&ms365_users=37&x=y'])
      expect(await pageOf(query)).toEqual(professional);
    for (const query of ['?plan=02', '?plan=%D9%A2', '/nothing', '?cloud_backup=true'])
      expect(await pageOf(query)).toEqual(withoutPlan);
  });

  test('of the company’s home names its first picture before its styles, as the carousel does', async () => {
    const html = await (await fetch(app.address)).text();
    const [link = '', ...early] =
      /<link rel="preload" as="image".*?Set="(.*?)".*?Sizes="(.*?)"/.exec(html) ?? [];
    const [, ...shown] = /<source type="image\/avif" srcSet="(.*?)" sizes="(.*?)"/.exec(html) ?? [];
    expect(early).toEqual(shown);
    expect(html.indexOf(link)).toBeLessThan(html.indexOf('rel="stylesheet"'));
  });

  test.each([
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['gzip;q=1.0, br;q=0', 'gzip'],
    ['deflate', null],
  ])('is sent to a browser that accepts %j in the encoding %s', async (accept, encoding) => {
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

/** The bytes as sent, which `fetch` would decode. */
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
