/** Requests that are answered without Node's parser get what Node would give them, in whatever pieces they come. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { sequence } from '../../support/generated-traffic.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

let app: TestApp;
let etag: string;
let script: string;
beforeAll(async () => {
  app = await startTestApp();
  const home = await fetch(app.address);
  etag = home.headers.get('etag') ?? '';
  [, script = ''] = /src="(\/assets\/[^"]+)"/.exec(await home.text()) ?? [];
});
afterAll(() => app.stop());

const HOST = 'Host: example.com\r\n';
/** What could be taken for a request where there is none. */
const INNER = `GET /news HTTP/1.1\r\n${HOST}\r\n`;

/** Heads with their bodies. Some are plain, some look so, and some are refused; none closes its connection. */
function requests(): string[] {
  const post = (body: string) =>
    `POST /api/contact HTTP/1.1\r\n${HOST}Content-Type: text/plain\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  return [
    `GET / HTTP/1.1\r\n${HOST}\r\n`,
    `GET / HTTP/1.1\r\n${HOST}Accept-Encoding: gzip, br\r\nUser-Agent: a\r\nConnection: keep-alive\r\n\r\n`,
    `HEAD /news HTTP/1.1\r\n${HOST}Accept-Encoding: br\r\n\r\n`,
    `GET /?utm_source=a HTTP/1.1\r\nhost:example.com\r\nReferer: https://a.example/\r\n\r\n`,
    `GET / HTTP/1.1\r\n${HOST}If-None-Match: ${etag}\r\n\r\n`,
    `GET ${script} HTTP/1.1\r\n${HOST}Accept-Encoding: zstd, gzip\r\n\r\n`,
    `GET /robots.txt HTTP/1.1\r\n${HOST}Accept-Encoding: zstd\r\n\r\n`,
    `GET /nowhere HTTP/1.1\r\n${HOST}\r\n`,
    `GET /News HTTP/1.1\r\n${HOST}\r\n`,
    `GET /healthz HTTP/1.1\r\n${HOST}\r\n`,
    `GET /news HTTP/1.1\r\n${HOST}X-Inner: ${INNER.slice(0, 18)}\r\nX-Other: a\r\n\r\n`,
    `GET /news HTTP/1.1\r\n${HOST}Content-Length: ${INNER.length}\r\n\r\n${INNER}`,
    `GET / HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n${INNER.length.toString(16)}\r\n${INNER}\r\n0\r\n\r\n`,
    post(INNER),
    post(`${INNER}${INNER}`),
    post(''),
    `DELETE / HTTP/1.1\r\n${HOST}\r\n`,
  ];
}

interface Answer {
  head: string;
  /** Its hash. */
  body: string;
}

/** Sends the pieces one after the other, and reads as many answers as there are methods. */
async function exchange(
  pieces: readonly string[],
  methods: readonly string[],
  gap: () => Promise<unknown>,
): Promise<Answer[]> {
  const socket = await open();
  const read = reader(socket);
  const answers = Promise.all(methods.map((method) => read(method)));
  for (const piece of pieces) {
    socket.write(piece, 'latin1');
    await gap();
  }
  const found = await answers;
  socket.destroy();
  return found;
}

async function open(): Promise<Socket> {
  const socket = connect(Number(new URL(app.address).port), '127.0.0.1').setNoDelay();
  socket.setEncoding('latin1');
  await once(socket, 'connect');
  return socket;
}

const LAST_CHUNK = '\r\n0\r\n\r\n';

/** Reads answer after answer. */
function reader(socket: Socket) {
  let text = '';
  let turn: Promise<unknown> = Promise.resolve();
  socket.on('data', (more: string) => {
    text += more;
    socket.emit('more');
  });
  const until = async <Thing>(look: () => Thing | undefined): Promise<Thing> => {
    for (;;) {
      const found = look();
      if (found !== undefined) return found;
      await once(socket, 'more');
    }
  };
  const one = async (method: string): Promise<Answer> => {
    const end = await until(() => {
      const at = text.indexOf('\r\n\r\n');
      return at < 0 ? undefined : at + 4;
    });
    const head = text.slice(0, end);
    const length = await until(() => {
      if (method === 'HEAD') return 0;
      if (!/^transfer-encoding: chunked/im.test(head))
        return Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? '0');
      const last = text.indexOf(LAST_CHUNK, end - 2);
      return last < 0 ? undefined : last + LAST_CHUNK.length - end;
    });
    await until(() => (text.length >= end + length ? true : undefined));
    const body = text.slice(end, end + length);
    text = text.slice(end + length);
    return { head: timeless(head), body: createHash('md5').update(body, 'latin1').digest('hex') };
  };
  return (method: string): Promise<Answer> => {
    const answer = turn.then(() => one(method));
    turn = answer;
    return answer;
  };
}

/** Its lines without the time, in any order and any case of their names. */
function timeless(head: string): string {
  const [first, ...lines] = head.trim().split('\r\n');
  const kept = lines
    .filter((line) => !/^(date|retry-after):/i.test(line))
    .map((line) => line.replace(/^[^:]+/, (name) => name.toLowerCase()));
  return [first, ...kept.sort()].join('\n');
}

const method = (request: string) => request.slice(0, request.indexOf(' '));

describe('requests of one connection', () => {
  test('are answered as on connections of their own, however they are cut', async () => {
    const all = requests();
    const alone: Answer[] = [];
    // The first request of a connection is always read by Node.
    for (const each of all)
      alone.push(...(await exchange([each], [method(each)], async () => undefined)));
    expect(alone.map(({ head }) => Number(head.slice(9, 12)))).toEqual([
      200, 200, 200, 200, 304, 200, 200, 404, 301, 200, 200, 200, 200, 415, 415, 415, 405,
    ]);
    const random = sequence(20261121);
    for (let round = 0; round < 40; round += 1) {
      const order = Array.from({ length: 12 }, () => Math.floor(random() * all.length));
      const stream = order.map((index) => all[index] ?? '').join('');
      // Either each by itself, or cut anywhere, which may be right before an inner request.
      const pieces = round % 4 === 0 ? order.map((index) => all[index] ?? '') : cut(stream, random);
      const answers = await exchange(
        pieces,
        order.map((index) => method(all[index] ?? '')),
        () => pause(round % 2),
      );
      expect(answers, `round ${round}: ${order}`).toEqual(order.map((index) => alone[index]));
    }
  });

  test('are not begun by what looks like a request inside of a head', async () => {
    // Cut exactly before the inner request: the piece behind it is a plain request by itself.
    const first = `GET / HTTP/1.1\r\n${HOST}\r\n`;
    const opening = `GET /nowhere HTTP/1.1\r\nX-Inner: `;
    const pieces = [first, opening, INNER, first];
    const answers = await exchange(pieces, ['GET', 'GET', 'GET'], () => pause(20));
    expect(answers.map(({ head }) => head.slice(9, 12))).toEqual(['200', '404', '200']);
  });
});

function cut(stream: string, random: () => number): string[] {
  const places = new Set([0, stream.length]);
  for (let at = stream.indexOf(INNER); at >= 0; at = stream.indexOf(INNER, at + 1))
    places.add(at).add(at + INNER.length);
  for (let more = 0; more < 6; more += 1) places.add(Math.floor(random() * stream.length));
  const sorted = [...places].sort((a, b) => a - b);
  return sorted.slice(1).map((end, index) => stream.slice(sorted[index], end));
}

test('stand in the access log as those that Node reads', async () => {
  const staff = await app.staff();
  const agent = 'plain-or-not';
  const request = `GET /news?a=1 HTTP/1.1\r\n${HOST}User-Agent: ${agent}\r\nReferer: https://a.example/b\r\n\r\n`;
  await exchange([request, request, request], ['GET', 'GET', 'GET'], () => pause(20));
  const { json } = await staff.get('/api/admin/logs');
  const lines = json.logs.split('\n').filter((line: string) => line.includes(agent));
  expect(lines).toHaveLength(3);
  // Time and duration are their own.
  const same = lines.map((line: string) => line.replace(/\[.*?\]/, '').replace(/ [\d.]+$/, ''));
  expect([...new Set(same)]).toHaveLength(1);
  expect(lines[0]).toMatch(
    /^127\.0\.0\.1 .*"GET \/news\?a=1 HTTP\/1\.1" 200 \d{4,} "https:\/\/a\.example\/b"/,
  );
});

test('carry the date of their second', async () => {
  const socket = await open();
  let text = '';
  socket.on('data', (more: string) => {
    text += more;
  });
  const request = `HEAD / HTTP/1.1\r\n${HOST}\r\n`;
  socket.write(request);
  await pause(50);
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  for (const day of [6, 7]) {
    vi.setSystemTime(new Date(`2031-05-0${day}T10:11:12.345Z`));
    text = '';
    socket.write(request);
    await eventually(() => expect(text).toContain(`Date: ${new Date().toUTCString()}\r\n`));
  }
  socket.destroy();
});
