import { describe, expect, test } from 'vitest';
import { readPlainRequest } from './plain-request.server.ts';

const read = (text: string) => readPlainRequest(Buffer.from(text, 'latin1'));
const head = (...lines: string[]) => `${lines.join('\r\n')}\r\n\r\n`;
const HOST = 'Host: example.com';

describe('a plain request', () => {
  test('is read with what its answer and the log depend on', () => {
    const lines = [
      'Accept-Encoding: gzip, br',
      'IF-NONE-MATCH:"a"',
      'User-Agent: Some Browser/1.0 ',
      'Referer: https://a.example/',
      'X-Forwarded-For: 192.0.2.1',
      'Connection: Keep-Alive',
      'Cookie: a=b',
    ];
    expect(read(head('GET /news?a=1 HTTP/1.1', HOST, ...lines))).toEqual({
      method: 'GET',
      url: '/news?a=1',
      headers: {
        acceptEncoding: 'gzip, br',
        ifNoneMatch: '"a"',
        userAgent: 'Some Browser/1.0',
        referrer: 'https://a.example/',
        forwardedFor: '192.0.2.1',
      },
    });
    const bare = { acceptEncoding: '', ifNoneMatch: '', userAgent: '', referrer: '' };
    expect(read(head('HEAD / HTTP/1.1', 'host: [::1]:3000'))).toEqual({
      method: 'HEAD',
      url: '/',
      headers: { ...bare, forwardedFor: '' },
    });
  });

  test('is read with its forward wherever that stands, and with none but by this very name', () => {
    const forward = 'x-forwarded-for:192.0.2.1 ';
    const others = ['A-X-Forwarded-For: 192.0.2.9', 'User-Agent: a', 'X-Forwarded-For-B: c'];
    for (let place = 0; place <= others.length; place += 1) {
      const lines = [...others.slice(0, place), forward, ...others.slice(place)];
      const { forwardedFor, userAgent } =
        read(head('GET / HTTP/1.1', ...lines, HOST))?.headers ?? {};
      expect([forwardedFor, userAgent]).toEqual(['192.0.2.1', 'a']);
    }
    expect(read(head('GET / HTTP/1.1', HOST, ...others))?.headers.forwardedFor).toBe('');
  });

  test.each([
    ['another method', head('POST / HTTP/1.1', HOST)],
    ['another version', head('GET / HTTP/1.0', HOST)],
    ['a whole address', head('GET http://example.com/ HTTP/1.1', HOST)],
    ['a letter that is none of ASCII', head('GET /\xe9 HTTP/1.1', HOST)],
    ['a value with a control character', head('GET / HTTP/1.1', HOST, 'X: a\x01')],
    ['a tab', head('GET / HTTP/1.1', HOST, 'X: a\tb')],
    ['no host', head('GET / HTTP/1.1', 'User-Agent: a')],
    ['an empty host', head('GET / HTTP/1.1', 'Host:')],
    ['a host that is none', head('GET / HTTP/1.1', 'Host: a b')],
    ['two hosts', head('GET / HTTP/1.1', HOST, HOST)],
    ['two forwards', head('GET / HTTP/1.1', HOST, 'X-Forwarded-For: a', 'X-Forwarded-For: a')],
    ['a folded forward', head('GET / HTTP/1.1', HOST, 'X-Forwarded-For: a', ' b')],
    ['a line feed in a forward', head('GET / HTTP/1.1', HOST, 'X-Forwarded-For: a\nb')],
    ['two of another header', head('GET / HTTP/1.1', HOST, 'X: a', 'x: a')],
    ['a body by length', head('GET / HTTP/1.1', HOST, 'Content-Length: 1')],
    ['a body in chunks', head('GET / HTTP/1.1', HOST, 'Transfer-Encoding: chunked')],
    ['an expectation', head('GET / HTTP/1.1', HOST, 'Expect: 100-continue')],
    ['an upgrade', head('GET / HTTP/1.1', HOST, 'Upgrade: websocket')],
    ['a connection that closes', head('GET / HTTP/1.1', HOST, 'Connection: close')],
    ['headers of the connection', head('GET / HTTP/1.1', HOST, 'Connection: keep-alive, x')],
    ['a space before the colon', head('GET / HTTP/1.1', HOST, 'X : a')],
    ['a folded line', head('GET / HTTP/1.1', HOST, 'X: a', ' b')],
    ['a line without a name', head('GET / HTTP/1.1', HOST, ': a')],
    ['a bare line feed', 'GET / HTTP/1.1\nHost: example.com\n\n'],
    ['a line feed inside', head('GET / HTTP/1.1', `${HOST}\nX: a`)],
    ['a part of a head', `GET / HTTP/1.1\r\n${HOST}\r\n`],
    ['bytes behind it', `${head('GET / HTTP/1.1', HOST)}G`],
    ['two requests', head('GET / HTTP/1.1', HOST).repeat(2)],
    ['more than 2 KB', head('GET / HTTP/1.1', HOST, `X: ${'a'.repeat(2048)}`)],
    ['nothing', ''],
  ])('is none with %s', (_what, text) => {
    expect(read(text)).toBeUndefined();
  });
});
