/** Without PUBLIC_URL, the site can be tried from another machine. */
import { hostname } from 'node:os';
import { describe, expect, test } from 'vitest';
import { SAMPLE_MESSAGE } from '../../support/call-row.ts';
import { sendRaw } from '../../support/raw-request.ts';
import { ownTestApp, sharedTestApp, type TestApp } from '../../support/test-app.ts';

/** This machine's. */
const name = hostname().toLowerCase();
const BODY = JSON.stringify(SAMPLE_MESSAGE);

/** Posts a message with this Host and Origin; returns the status. */
async function write(...request: Parameters<typeof send>) {
  return (await send(...request)).status;
}

function send({ address }: TestApp, host: string, origin: string, more = '') {
  return sendRaw(
    address,
    `POST /api/contact HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${origin}\r\nConnection: close\r\n${more}`,
    `Content-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`,
  );
}

describe('without PUBLIC_URL', () => {
  const app = sharedTestApp();

  test('calls from the origin named by their Host are accepted, others refused', async () => {
    const { host } = new URL(app.address);
    const cases: [status: number, host: string, origin: string, more?: string][] = [
      [200, host, app.address],
      [200, 'localhost:3000', 'http://localhost:3000'],
      [200, `${name}:3000`, `http://${name}:3000`],
      [200, 'office-pc:3000', 'http://office-pc:3000'],
      [200, 'showroom.local', 'http://showroom.local'],
      [200, 'showroom.lan:3000', 'http://showroom.lan:3000'],
      [200, '192.168.7.20:3000', 'http://192.168.7.20:3000'],
      [200, '[fd00::1]:3000', 'http://[fd00::1]:3000'],
      [403, `${name}:3000`, `https://${name}:3000`],
      [403, `${name}:3000`, 'http://evil.example'],
      [403, host, `http://${name}`, `X-Forwarded-Host: ${name}\r\n`],
      [403, name, `http://${name}`, 'Sec-Fetch-Site: cross-site\r\n'],
    ];
    const given = [];
    for (const [, ...request] of cases) given.push([await write(app, ...request), ...request]);
    expect(given).toEqual(cases);
  });

  test.each([
    'evil.example:3000',
    '127.0.0.1.evil.example',
    `${name}.evil.example`,
    'showroom.local.evil.example',
    '203.0.113.7:3000',
    '[2001:db8::1]:3000',
  ])(
    'a page that a stranger serves under %s, which leads to this machine, cannot send anything',
    async (host) => {
      const sameOrigin = 'Sec-Fetch-Site: same-origin\r\n';
      const { status, body } = await send(app, host, `http://${host}`);
      expect([status, body]).toEqual([403, expect.stringContaining('set PUBLIC_URL')]);
      expect(await write(app, host, `http://${host}`, sameOrigin)).toBe(403);
      expect(await write(app, host, app.address, sameOrigin)).toBe(403);
    },
  );

  test('no page, file or redirect repeats the Host, since others are served the same bytes', async () => {
    const host = 'Host: evil.example\r\nX-Forwarded-Host: evil.example\r\nConnection: close\r\n';
    for (const path of ['/', '/checkout', '/sitemap.xml', '/news/']) {
      const { body, headers } = await sendRaw(app.address, `GET ${path} HTTP/1.1\r\n${host}\r\n`);
      const { text } = await app.visitor().get(path);
      expect(`${[...headers]}${body}${text}`, path).not.toContain('evil.example');
    }
  });
});

test('with PUBLIC_URL, only calls from its origin are accepted', async () => {
  const app = await ownTestApp({ PUBLIC_URL: 'https://www.example.com', PAYMENTS: 'test' });
  expect(await write(app, 'www.example.com', 'https://www.example.com')).toBe(200);
  expect(await write(app, 'office-pc', 'http://office-pc')).toBe(403);
  expect(await write(app, 'www.example.com', 'http://www.example.com')).toBe(403);
});
