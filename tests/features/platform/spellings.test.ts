/** A page and a call have one spelling. Another leads to the page, or to nothing. */
import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { SAMPLE_MESSAGE } from '../../support/call-row.ts';
import { sendRaw } from '../../support/raw-request.ts';
import { sharedStaff, sharedTestApp } from '../../support/test-app.ts';

/** In front of the path, in place of its second slash, and behind it. */
const STARTS = `// /// /./ /%2e/ /%2E/ /../ /%2e%2e/ /.%2e/ /x/../ /x//../ /\\ /%5c /%2f /x/..%2f /x/..\\ /;/ /x;y/../ /%zz/`;
const MIDDLES = '// /./ /x/../ /%2e/ %2f %2F \\ %5C ;x/ /;x/ %20/';
const ENDS = '// /. /./ /%2e /x/.. ; ;x=y %3b %2f %00 %0a %7f \\ # #x %';

/** Other spellings of a path, each of which some server reads as the path itself. */
function otherSpellings(path: string): string[] {
  const [, first = '', rest = ''] = /^\/([^/]*)(.*)$/.exec(path) ?? [];
  const code = (text: string) => `%${text.charCodeAt(0).toString(16)}${text.slice(1)}`;
  return [
    `/${code(first)}${rest}`,
    `/${code(code(first))}${rest}`,
    `/${first}${rest.replace(/\w+$/, code)}`,
    ...STARTS.split(' ').map((start) => start + first + rest),
    ...MIDDLES.split(' ').map((middle) => `/${first}${rest.replace('/', middle)}`),
    ...ENDS.split(' ').map((end) => path + end),
  ].filter((spelling) => spelling !== path);
}

const app = sharedTestApp();
const staff = sharedStaff(() => app);

const [asset] = readdirSync('dist/client/assets').filter((name) => name.endsWith('.js'));

/** Requests the path as it is written, with a session: `fetch` would normalize it. */
function request(method: string, path: string, body = '') {
  const head = [
    `${method} ${path} HTTP/1.1`,
    'Host: a',
    'Connection: close',
    `Origin: ${app.address}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    `Cookie: session=${staff.cookies.get('session')}`,
  ];
  return sendRaw(app.address, `${head.join('\r\n')}\r\n\r\n${body}`);
}

describe('another spelling of', () => {
  test.each(['/news', '/news/data-fencing', '/resources/', '/checkout/2', '/admin/logs'])(
    'the page %s leads to it, or to nothing',
    async (page) => {
      const redirected: string[] = [];
      for (const path of otherSpellings(page)) {
        const { status, headers } = await request('GET', path);
        const location = headers.get('location');
        expect([301, 404], path).toContain(status);
        expect(location, path).toBe(status === 301 ? page : null);
        if (location) redirected.push(path);
      }
      expect(redirected.length).toBeGreaterThan(10);
    },
  );

  test.each([
    '/api/plans',
    '/api/admin/contacts',
    '/api/openapi.json',
    `/assets/${asset}`,
    '/pictures/logo.svg',
    '/favicon.ico',
    '/news/rss.xml',
    '/sitemap.xml',
    '/healthz',
    `/quote/${'t'.repeat(43)}`,
  ])('%s is answered 404, also for staff', async (known) => {
    expect((await request('GET', known)).status).toBe(200);
    for (const path of otherSpellings(known)) {
      const { status, headers, body } = await request('GET', path);
      expect([path, status, headers.get('location')]).toEqual([path, 404, null]);
      if (path.startsWith('/api/')) expect(JSON.parse(body).message, path).toBeTypeOf('string');
    }
  });

  test('a call that changes something changes nothing', async () => {
    const body = JSON.stringify(SAMPLE_MESSAGE);
    for (const call of ['/api/contact', '/contact'])
      for (const path of otherSpellings(call))
        expect([404, 405], path).toContain((await request('POST', path, body)).status);
    expect((await staff.get('/api/admin/contacts')).json).toEqual([]);
  });
});

test.each([
  '//evil.example',
  '//evil.example/news',
  '/\\evil.example/news',
  '/%2fevil.example',
  '/%5cevil.example/%6eews',
  '/.//evil.example/..',
  '///evil.example/../news/.',
  '/news/..//evil.example',
])('%s leads to no other site', async (path) => {
  const location = (await request('GET', path)).headers.get('location');
  expect(location ?? '/').toMatch(/^\/(?![/\\])/);
});

test.each(['/contact/', '/Contact'])('%s leads to the form, like /contact', async (path) => {
  const { status, headers } = await request('GET', path);
  expect([status, headers.get('location')]).toEqual([301, '/contact']);
});

test('a query stays as it is when a page is spelled canonically', async () => {
  const { headers } = await request('GET', '/%63heckout?plan=2&utm_source=%6e//x');
  expect(headers.get('location')).toBe('/checkout?plan=2&utm_source=%6e//x');
});

test('a request in absolute form, as for a proxy, is the same request', async () => {
  expect((await request('GET', 'http://a/news')).status).toBe(200);
  const { status, headers } = await request('GET', 'http://a//%6eews');
  expect([status, headers.get('location')]).toEqual([301, '/news']);
  expect((await request('GET', 'http://a/%61pi/admin/contacts')).status).toBe(404);
});
