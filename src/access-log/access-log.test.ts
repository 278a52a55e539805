import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CHROME, LOADED_AHEAD, pageOf, request } from '../../tests/support/access-records.ts';
import { tablesWith } from '../../tests/support/every-row.ts';
import { HOSTILE_CELLS, HOSTILE_LINES, HOSTILE_TEXTS } from '../../tests/support/hostile-texts.ts';
import { ownContent } from '../../tests/support/own-content.ts';
import { parseCsv } from '../../tests/support/parse-csv.ts';
import { connectTo, sendRaw } from '../../tests/support/raw-request.ts';
import { startTestApp, type TestApp } from '../../tests/support/test-app.ts';
import type { Visitor } from '../../tests/support/visitor.ts';
import { localDate } from '../company/days.ts';
import { DAY_MS } from '../platform/time.ts';
import { AccessLog } from './access-log.server.ts';
import { READ_ANALYTICS, READ_LOG } from './access-log-api.ts';
import { storeBatch } from './access-log-store.server.ts';

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.4 Mobile/15E148 Safari/604.1';

describe('the access log', () => {
  let app: TestApp;
  let staff: Visitor;
  beforeEach(async () => {
    app = await startTestApp();
    staff = await app.staff();
  });
  afterEach(() => app.stop());

  async function analytics() {
    const { json } = await staff.get('/api/admin/logs/analytics');
    return READ_ANALYTICS.answer.parse(json).analytics;
  }

  async function rawLines(): Promise<string[]> {
    const { json } = await staff.get('/api/admin/logs');
    return READ_LOG.answer.parse(json).logs?.split('\n') ?? [];
  }

  const csv = async () => parseCsv((await staff.get('/api/admin/logs/download')).text);

  test('has one line per request, newest first, and none for health checks', async () => {
    const visitor = app.visitor();
    visitor.address = '192.0.2.7';
    await visitor.get('/', { 'User-Agent': CHROME, Referer: 'https://news.example/it' });
    await visitor.get('/healthz');
    await visitor.get('/readyz');
    await visitor.get('/metrics');
    await visitor.get('/readyz/nowhere', { 'User-Agent': CHROME });
    const [newest = '', metrics = '', next = '', login = '', ...more] = await rawLines();
    expect(newest).toMatch(
      /^192\.0\.2\.7 - - \[\d\d\/\w{3}\/\d{4}:\d\d:\d\d:\d\d \+0000\] "GET \/readyz\/nowhere HTTP\/1\.1" 404 \d+ "-" "Mozilla[^"]+" \d+$/,
    );
    expect(metrics).toContain('"GET /metrics HTTP/1.1" 404 ');
    expect(next).toContain('"GET / HTTP/1.1" 200 ');
    expect(next).toContain('"https://news.example/it"');
    expect(login).toContain('"POST /api/admin/login HTTP/1.1" 200');
    expect(more).toEqual([]);
  });

  test('counts the bytes of bodies as sent, as log tools expect', async () => {
    const home = await app.visitor().get('/', { 'Accept-Encoding': 'br' });
    const plans = await app.visitor().get('/api/plans', { 'Accept-Encoding': 'identity' });
    await app.visitor().send('/', { method: 'HEAD' });
    await app.visitor().get('/', { 'If-None-Match': home.headers.get('etag') ?? '' });
    const malformed = await sendRaw(app.address, 'GET / HTTP/9\r\n\r\n');
    const bytes = (await rawLines()).map((line) => Number(/" \d+ (\d+) "/.exec(line)?.[1]));
    expect(bytes.slice(0, 5)).toEqual([
      malformed.body.length,
      0,
      0,
      Buffer.byteLength(plans.text),
      Number(home.headers.get('content-length')),
    ]);
  });

  test('counts requests, statuses, visitors and the pages that they visited, but not pages loaded ahead', async () => {
    const desk = app.visitor();
    const phone = app.visitor();
    for (let i = 0; i < 3; i += 1) await desk.get('/?utm=x', { 'User-Agent': CHROME });
    await phone.get('/', { 'User-Agent': IPHONE });
    await phone.get('/checkout', { 'User-Agent': IPHONE });
    await phone.get('/api/plans', { 'User-Agent': IPHONE });
    await phone.get('/nowhere', { 'User-Agent': IPHONE });
    for (const header of LOADED_AHEAD) await phone.get('/', { 'User-Agent': IPHONE, ...header });
    const figures = await analytics();
    // Including staff, who signed in.
    expect(figures).toMatchObject({ totalRequests: 14, uniqueVisitors: 3 });
    expect(figures?.httpStatusCodes).toEqual({ 200: 13, 404: 1 });
    expect(figures?.mostVisitedPages).toEqual([
      { url: '/', count: 4 },
      { url: '/checkout', count: 1 },
    ]);
    expect(figures?.hourly?.reduce((sum, { requests }) => sum + requests, 0)).toBe(14);
    expect(figures?.responseTimeAvg).toBeGreaterThan(0);
  });

  test('counts the paths that were not found, without who asked or what strangers added', async () => {
    const visitor = app.visitor();
    for (let times = 0; times < 3; times += 1) await visitor.get('/services.html?token=hush');
    await visitor.get('/blog/ann@lakeside.example');
    await visitor.get('/news');
    expect((await analytics())?.pathsNotFound).toEqual([
      { url: '/services.html', count: 3 },
      { url: '/blog/REMOVED', count: 1 },
    ]);
  });

  test('counts visits to public pages, however many paths strangers make up, and none by staff', async () => {
    const own = ['/', '/checkout/order', '/news', '/privacy-policy'];
    const madeUp = (n: number) => [
      ...[`/checkout/${n}`, `/quote/${n}`, `/news/${n}`, `/${n}/../news`, '/%6eews', '//news'],
      ...[`/?${n}`, '/robots.txt', '/api/plans', `/checkout/order/${n}`],
    ];
    for (const path of [...own, '/admin', '/admin/logs', ...[1, 2, 3].flatMap(madeUp)])
      await sendRaw(app.address, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    const counted = (await analytics())?.mostVisitedPages;
    expect(counted?.map(({ url }) => url).toSorted()).toEqual(
      [...own, '/checkout', '/quote'].toSorted(),
    );
  });

  test('has status 499 for a request whose client left before the answer', async () => {
    const socket = connectTo(app.address);
    // A request without its body stays in progress.
    socket.write(
      'POST /api/admin/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n' +
        'Content-Length: 100\r\nExpect: 100-continue\r\n\r\n',
    );
    await once(socket, 'data');
    socket.destroy();
    const left = expect.stringContaining('"POST /api/admin/login HTTP/1.1" 499 ');
    await expect.poll(rawLines).toContainEqual(left);
  });

  test('counts a visit to a page that the browser had cached', async () => {
    const visitor = app.visitor();
    const { headers } = await visitor.get('/');
    await visitor.get('/', { 'If-None-Match': headers.get('etag') ?? '' });
    const mostVisitedPages = [{ url: '/', count: 2 }];
    expect(await analytics()).toMatchObject({ httpStatusCodes: { 304: 1 }, mostVisitedPages });
  });

  test.each([
    ['/checkout?plan=2&payment_intent_client_secret=pi_1_secret_abc', '/checkout?plan=2'],
    ['/admin?find=dana%40example.com&page=2', '/admin?page=2'],
    ['/%71uote/abc?plan=1', '/quote/REMOVED?plan=1'],
    ['/checkout?quote=abc', '/checkout'],
  ])('records no secret of %s', async (requested, recorded) => {
    await app.visitor().get(requested, { Referer: `${app.address}${requested}` });
    const [line = ''] = await rawLines();
    expect(line).toContain(`"GET ${recorded} HTTP/1.1"`);
    expect(line).toContain(`"${app.address}${recorded}"`);
    expect(JSON.stringify(await csv())).not.toContain('abc');
  });

  test('shows and exports the lines of one day with all words of a search, or visits to pages alone', async () => {
    const now = Date.now();
    const [today, yesterday] = [0, 1].map((days) =>
      localDate(ownContent().company, now - days * DAY_MS),
    );
    const earlier = request(now - DAY_MS, { url: '/news?from=yesterday' });
    await storeBatch(app.database.db, [earlier], pageOf);
    for (const path of ['/news', '/api/plans', '/nothing-here']) await app.visitor().get(path);
    const shown = async (query: string) => {
      const { logs } = (await staff.get(`/api/admin/logs?${query}`)).json;
      const { text } = await staff.get(`/api/admin/logs/download?${query}`);
      const urls = (logs ? logs.split('\n') : []).map(
        (line: string) => /"[A-Z]+ (\S+)/.exec(line)?.[1],
      );
      const [, ...rows] = parseCsv(text);
      // The file has the calls that have come since.
      const exported = rows.map((row) => row[3]).filter((url) => !url?.startsWith('/api/admin'));
      expect(exported).toEqual(urls.filter((url: string) => !url.startsWith('/api/admin')));
      return exported;
    };
    expect(await shown(`from=${yesterday}&to=${yesterday}`)).toEqual(['/news?from=yesterday']);
    expect(await shown(`from=${today}&show=pages`)).toEqual(['/news']);
    expect(await shown(`from=${today}&find=404+NOTHING`)).toEqual(['/nothing-here']);
    expect(await shown('find=nobody-asked')).toEqual([]);
  });

  test('has a CSV with every request, safe to open in a spreadsheet', async () => {
    const began = Date.now();
    const agents = ['=1+1', '+1', '-1', '@SUM(A1)', 'a "quoted", agent', CHROME];
    for (const agent of agents) await app.visitor().get('/?plan=1&b=,', { 'User-Agent': agent });
    await staff.get('/api/admin/logs/download');
    const [names, download, ...rows] = await csv();
    expect(names).toEqual(
      'timestamp,ip,method,url,status,responseTimeMs,bytes,referrer,userAgent'.split(','),
    );
    expect(download?.slice(2, 5)).toEqual(['GET', '/api/admin/logs/download', '200']);
    const written = ["'=1+1", "'+1", "'-1", "'@SUM(A1)", 'a "quoted", agent', CHROME];
    expect(rows.slice(0, -1).map((row) => row[8])).toEqual(written.reverse());
    const [timestamp = ''] = rows[0] ?? [];
    expect(new Date(timestamp).toISOString()).toBe(timestamp);
    expect(Date.parse(timestamp)).toBeGreaterThanOrEqual(began);
    expect(Date.parse(timestamp)).toBeLessThanOrEqual(Date.now());
    expect(rows[0]?.slice(1)).toEqual([
      ...[expect.stringMatching(/^10\./), 'GET', '/?plan=1', '200'],
      expect.stringMatching(/^\d+\.\d{3}$/),
      expect.stringMatching(/^\d{4,}$/),
      ...['', CHROME],
    ]);
  });

  test('has a CSV with each of 5,100 requests of one millisecond, once, and shows the newest 5,000', async () => {
    const log = new AccessLog(app.database.db, 1024, pageOf);
    const at = Date.now();
    const urls = Array.from({ length: 5_100 }, (_, n) => `/${n}`);
    for (const url of urls) log.add(request(at, { url }));
    await log.close();
    const listed = (await csv()).map(([, , , url = '']) => url);
    expect(listed.filter((url) => /^\/\d/.test(url))).toEqual(urls.toReversed());
    expect(await rawLines()).toHaveLength(5_000);
  });

  test('shows as many long lines of a flood as a screen can take', async () => {
    const log = new AccessLog(app.database.db, 1024, pageOf);
    const texts = { url: `/${'x'.repeat(999)}`, referrer: 'y'.repeat(500) };
    for (let n = 0; n < 2_000; n += 1) log.add(request(Date.now(), texts));
    await log.close();
    const characters = (await rawLines()).join('\n').length;
    expect(characters).toBeGreaterThan(1_900_000);
    expect(characters).toBeLessThan(2_100_000);
  });

  test('is stored within a second, so that a killed process loses no more than that', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const log = new AccessLog(app.database.db, 1024, pageOf);
    log.add(request(Date.now(), { url: '/soon' }));
    vi.advanceTimersByTime(1_000);
    vi.useRealTimers();
    const stored = () => tablesWith(app.database, '/soon');
    await expect.poll(stored).toEqual(['accessLog']);
    await log.close();
  });

  test('keeps hostile text inside its line, field and cell, and never makes it a formula', async () => {
    const agents = ['quo"te', 'back\\', 'tab\there', '" 200 1 "-" "x', 'umlaut ü'];
    const texts = [...agents, ...HOSTILE_TEXTS, ...HOSTILE_CELLS, ...HOSTILE_LINES];
    const log = new AccessLog(app.database.db, 1024, pageOf);
    const now = Date.now();
    for (const [index, text] of texts.entries()) {
      const hostile = { ip: text, url: `/:${text}`, referrer: text, userAgent: text };
      log.add(request(now - index, { ...hostile, bytes: index }));
    }
    await log.close();

    const lines = (await rawLines()).filter((line) => line.includes('"GET /:'));
    expect(lines).toHaveLength(texts.length);
    for (const line of lines) {
      expect(line).toMatch(/^- - - \[[^\]]+\] "[^"]*" 200 \d+ "[^"]*" "[^"]*" \d+$/);
      expect(line).toMatch(/^[\x20-\x7e]+$/);
    }
    const written = lines.slice(0, agents.length).map((line) => /"([^"]*)" \d+$/.exec(line)?.[1]);
    expect(written).toEqual([
      'quo\\x22te',
      'back\\x5C',
      'tab\\x09here',
      '\\x22 200 1 \\x22-\\x22 \\x22x',
      'umlaut \\xFC',
    ]);
    const rows = (await csv()).filter(([, ip]) => ip === '');
    expect(rows.map((row) => [row.length, row[6]])).toEqual(
      texts.map((_, index) => [9, String(index)]),
    );
    for (const row of rows) {
      for (const cell of row) expect(cell).not.toMatch(/^[=+\-@\t\r]/);
      // As read by a spreadsheet that separates cells by ';'.
      for (const cell of row.join(',').split(';').slice(1))
        expect(cell).not.toMatch(/^"*[=+\-@\t\r]/);
    }
  });
});
