/** Behind deploy/nginx.conf: https, HTTP/2, streams of events, the visitor's address. */
import { type ClientHttp2Session, connect, type OutgoingHttpHeaders } from 'node:http2';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { type RunningProcess, startServer } from '../support/server-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { OWN_PASSWORD } from '../support/test-app.ts';
import { hasNginx, startNginx } from './nginx.ts';

describe.runIf(hasNginx())('behind nginx', () => {
  let site: RunningProcess;
  let nginx: Awaited<ReturnType<typeof startNginx>>;
  let browser: ClientHttp2Session;
  beforeAll(async () => {
    const port = await freePort();
    nginx = await startNginx([port]);
    site = await startServer({
      ...OWN_PASSWORD,
      ...nginx.variables,
      DATA_DIR: temporaryFolder(),
      PORT: `${port}`,
    });
    browser = connect(nginx.origin, { ca: nginx.certificate.cert });
  });
  afterAll(async () => {
    browser?.destroy();
    nginx?.stop();
    await site?.stop();
  });

  /** One request in the one HTTP/2 connection of this browser. */
  async function ask(path: string, headers: OutgoingHttpHeaders = {}, body?: object) {
    const stream = browser.request(
      {
        ':path': path,
        ...(body && {
          ':method': 'POST',
          origin: nginx.origin,
          'content-type': 'application/json',
        }),
        ...headers,
      },
      { endStream: body === undefined },
    );
    const answered = new Promise<Record<string, string>>((resolve, reject) => {
      stream.once('response', (all) => resolve(JSON.parse(JSON.stringify(all))));
      stream.once('error', reject);
    });
    if (body) stream.end(JSON.stringify(body));
    return { stream, headers: await answered };
  }

  /** Returns the cookie of a new session. */
  async function signIn(): Promise<string> {
    const account = { username: 'admin', password: OWN_PASSWORD.ADMIN_PASSWORD };
    const { headers } = await ask('/api/admin/login', {}, account);
    return String(headers['set-cookie']).split(';', 1).join();
  }

  test('a visitor is led to https, and gets pages compressed, with every header as the site sends it', async () => {
    const plain = await fetch(`http://127.0.0.1:${nginx.plainPort}/news?a=1`, {
      redirect: 'manual',
    });
    expect([plain.status, plain.headers.get('location')]).toEqual([
      301,
      'https://127.0.0.1/news?a=1',
    ]);
    const { headers } = await ask('/news', { 'accept-encoding': 'gzip' });
    const direct = await fetch(`${site.address}/news`, { headers: { 'Accept-Encoding': 'gzip' } });
    expect(headers).toMatchObject({ ':status': 200, 'content-encoding': 'gzip' });
    for (const name of [
      'content-security-policy',
      'strict-transport-security',
      'etag',
      'cache-control',
    ])
      expect(headers[name], name).toBe(direct.headers.get(name));
  });

  test('staff hear of a message at once, while other requests share their connection', async () => {
    const events = await ask('/api/admin/events', { cookie: await signIn() });
    expect(events.headers).toMatchObject({ ':status': 200, 'content-type': 'text/event-stream' });
    let heard = '';
    events.stream.setEncoding('utf8').on('data', (part: string) => {
      heard += part;
    });
    await eventually(() => expect(heard).not.toBe(''));
    const before = heard.length;
    const sent = await ask('/api/teams-chat', {}, { message: 'Is anybody there?' });
    expect(sent.headers).toMatchObject({ ':status': 200 });
    await eventually(() => expect(heard.slice(before)).toMatch(/^data: /m));
    events.stream.close();
  });

  test('a visitor cannot choose the address that the site sees', async () => {
    const claims = { 'x-forwarded-for': '198.51.100.77', 'user-agent': 'chooser' };
    await text((await ask('/news', claims)).stream);
    const cookie = await signIn();
    await eventually(async () => {
      const log = await text((await ask('/api/admin/logs', { cookie })).stream);
      expect(log).toMatch(/127\.0\.0\.1 - - [^\n]{1,120}chooser/);
      expect(log).not.toContain('198.51.100.77');
    });
  });
});
