import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseCsv } from '../../tests/support/parse-csv.ts';
import { startTestApp, type TestApp } from '../../tests/support/test-app.ts';
import type { Visitor } from '../../tests/support/visitor.ts';
import { analyticsAnswer, logsAnswer } from './analytics.ts';

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/136.0.0.0 Safari/537.36';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.4 Mobile/15E148 Safari/604.1';

describe('the access log', () => {
  let app: TestApp;
  let staff: Visitor;
  beforeEach(async () => {
    app = await startTestApp({ METRICS_TOKEN: 'a-token-for-scrapers' });
    staff = await app.staff();
  });
  afterEach(() => app.stop());

  async function analytics() {
    const { json } = await staff.get('/api/admin/logs/analytics');
    const answer = analyticsAnswer.parse(json);
    if (!answer.analytics) throw new Error('no analytics');
    return answer.analytics;
  }

  async function rawLines(): Promise<string[]> {
    const { json } = await staff.get('/api/admin/logs');
    return logsAnswer.parse(json).logs?.split('\n') ?? [];
  }

  async function csv(): Promise<string[][]> {
    const { text } = await staff.get('/api/admin/logs/download');
    return parseCsv(text);
  }

  test('has one line for each request, newest first, and none for health checks', async () => {
    const visitor = app.visitor();
    visitor.address = '192.0.2.7';
    await visitor.get('/', { 'User-Agent': CHROME, Referer: 'https://news.example/it' });
    await visitor.get('/healthz');
    await visitor.get('/readyz');
    await visitor.get('/nowhere', { 'User-Agent': CHROME });
    const [newest = '', next = '', login = '', ...more] = await rawLines();
    expect(newest).toMatch(
      /^192\.0\.2\.7 - - \[\d\d\/\w{3}\/\d{4}:\d\d:\d\d:\d\d \+0000\] "GET \/nowhere HTTP\/1\.1" 404 \d+ "-" "Mozilla[^"]+" \d+$/,
    );
    expect(next).toContain('"GET / HTTP/1.1" 200 ');
    expect(next).toContain('"https://news.example/it"');
    expect(login).toContain('"POST /api/admin/login HTTP/1.1" 200');
    expect(more).toEqual([]);
  });

  test('tells the bytes of the body as sent', async () => {
    const { headers } = await app.visitor().get('/', { 'Accept-Encoding': 'br' });
    await app.visitor().get('/api/plans');
    const [plans = '', home = ''] = await rawLines();
    expect(home).toContain(` 200 ${headers.get('content-length')} `);
    expect(Number(/ 200 (\d+) /.exec(plans)?.[1])).toBeGreaterThan(500);
  });

  test('counts requests, statuses, visitors, pages, referrers and devices', async () => {
    const desk = app.visitor();
    const phone = app.visitor();
    for (let i = 0; i < 3; i += 1) await desk.get('/?utm=x', { 'User-Agent': CHROME });
    await desk.get('/api/page?path=%2F', { 'User-Agent': CHROME, Referer: `${app.address}/` });
    await phone.get('/', { 'User-Agent': IPHONE, Referer: 'https://search.example/?q=it' });
    await phone.get('/checkout', { 'User-Agent': IPHONE, Referer: `${app.address}/` });
    await phone.get('/api/plans', { 'User-Agent': IPHONE });
    await phone.get('/nowhere', { 'User-Agent': IPHONE });
    await phone.get('/api/page?path=%2Fnowhere', { 'User-Agent': IPHONE });
    const figures = await analytics();
    expect(figures.totalRequests).toBe(10);
    // Staff signed in, too.
    expect(figures.uniqueVisitors).toBe(3);
    expect(figures.httpStatusCodes).toEqual({ 200: 8, 404: 2 });
    expect(figures.mostVisitedPages).toEqual([
      { url: '/', count: 5 },
      { url: '/checkout', count: 1 },
    ]);
    expect(figures.referrers).toEqual([
      { referrer: '-', count: 3 },
      { referrer: 'search.example', count: 1 },
    ]);
    expect(figures.devices).toEqual([
      { device: 'phone', count: 5 },
      { device: 'desktop', count: 4 },
      { device: 'bot', count: 1 },
    ]);
    expect(figures.hourly.reduce((sum, { requests }) => sum + requests, 0)).toBe(10);
    expect(figures.responseTimeAvg).toBeGreaterThan(0);
    expect(figures.percentiles.p99).toBeGreaterThanOrEqual(figures.percentiles.p50);
  });

  test('a page that the browser still had was visited all the same', async () => {
    const visitor = app.visitor();
    const { headers } = await visitor.get('/');
    await visitor.get('/', { 'If-None-Match': headers.get('etag') ?? '' });
    const figures = await analytics();
    expect(figures.httpStatusCodes).toMatchObject({ 304: 1 });
    expect(figures.mostVisitedPages).toEqual([{ url: '/', count: 2 }]);
  });

  test.each([
    [
      '/checkout?plan=2&payment_intent_client_secret=pi_1_secret_abc',
      '/checkout?plan=2&payment_intent_client_secret=REMOVED',
    ],
    ['/?access%5Ftok%65n=abc&q=1', '/?access%5Ftok%65n=REMOVED&q=1'],
    ['/?apiKey=abc&empty', '/?apiKey=REMOVED&empty'],
    ['/?note=pi_1_secret_abc', '/?note=REMOVED'],
    ['/admin?find=dana%40example.com&page=2', '/admin?find=REMOVED&page=2'],
    ['/?next=%2Fcheckout%3Fa%3D1%26client_secret%3Dabc', '/?next=REMOVED'],
  ])('writes no secret of %s', async (asked, written) => {
    await app.visitor().get(asked, { Referer: `${app.address}${asked}` });
    const [line = ''] = await rawLines();
    expect(line).toContain(`"GET ${written} HTTP/1.1"`);
    expect(line).toContain(`"${app.address}${written}"`);
    expect(JSON.stringify(await csv())).not.toContain('abc');
  });

  test('an address that is none is not believed', async () => {
    const visitor = app.visitor();
    visitor.address = '1.2.3.4 "GET /forged';
    await visitor.get('/');
    const [line = ''] = await rawLines();
    expect(line).toMatch(/^127\.0\.0\.1 - - \[/);
    expect(line).not.toContain('forged');
  });

  test('the CSV holds every request, harmless in a spreadsheet', async () => {
    const agents = ['=1+1', '+1', '-1', '@SUM(A1)', 'a "quoted", agent', CHROME];
    for (const agent of agents) await app.visitor().get('/?a=1,2', { 'User-Agent': agent });
    const { headers } = await staff.get('/api/admin/logs/download');
    expect(headers.get('content-type')).toContain('text/csv');
    expect(headers.get('content-disposition')).toMatch(
      /^attachment; filename="access-log-\d{4}-\d\d-\d\d\.csv"$/,
    );
    expect(headers.get('content-security-policy')).toContain('sandbox');
    expect(headers.get('cache-control')).toBe('no-store');
    const [names, download, ...rows] = await csv();
    expect(names).toEqual(
      'timestamp,ip,method,url,status,responseTimeMs,bytes,referrer,userAgent'.split(','),
    );
    expect(download?.slice(2, 5)).toEqual(['GET', '/api/admin/logs/download', '200']);
    expect(
      rows
        .map((row) => row[8])
        .reverse()
        .slice(1),
    ).toEqual(["'=1+1", "'+1", "'-1", "'@SUM(A1)", 'a "quoted", agent', CHROME]);
    const [timestamp = '', ip, method, url, status, time, bytes, referrer] = rows[0] ?? [];
    expect(new Date(timestamp).toISOString()).toBe(timestamp);
    expect(Math.abs(Date.now() - Date.parse(timestamp))).toBeLessThan(20_000);
    expect([ip?.slice(0, 3), method, url, status, referrer]).toEqual([
      '10.',
      'GET',
      '/?a=1,2',
      '200',
      '',
    ]);
    expect(time).toMatch(/^\d+\.\d{3}$/);
    expect(Number(bytes)).toBeGreaterThan(1000);
  });

  test('nobody but staff reads it; metrics also open with their token', async () => {
    const paths = [
      '/api/admin/logs',
      '/api/admin/logs/analytics',
      '/api/admin/logs/download',
      '/api/admin/metrics',
    ];
    for (const path of paths) {
      const { status, json } = await app.visitor().get(path, { Authorization: 'Bearer wrong' });
      expect([path, status, json]).toEqual([path, 401, { message: 'Please sign in' }]);
      expect((await staff.get(path)).status).toBe(200);
    }
    const scraper = await app
      .visitor()
      .get('/api/admin/metrics', { Authorization: 'Bearer a-token-for-scrapers' });
    expect(scraper.status).toBe(200);
    expect(scraper.headers.get('content-type')).toContain('text/plain; version=0.0.4');
    expect(scraper.text).toContain('http_requests_total{status="401"} 4\n');
    expect(scraper.text).toMatch(/^http_request_duration_seconds_count 9$/m);
    // Each bucket holds those below it, too.
    expect(scraper.text).toMatch(/^http_request_duration_seconds_bucket\{le="\+Inf"\} 9$/m);
  });

  test('its figures are those that a scraper reads: each with its help, its type and numbers', async () => {
    const { text } = await staff.get('/api/admin/metrics');
    const metrics = text.split(/^(?=# HELP )/m);
    const types = metrics.map((metric) => {
      const [, name, type] =
        /^# HELP (\w+) \w.*\n# TYPE \1 (\w+)\n(?:\1[\w{}="+.]* [\d.e+-]+\n)+$/.exec(metric) ?? [];
      return `${name} ${type}`;
    });
    expect(types).toEqual([
      'http_requests_total counter',
      'http_request_duration_seconds histogram',
      'http_response_body_bytes_total counter',
      'access_log_stored_total counter',
      'access_log_dropped_total counter',
      'access_log_waiting gauge',
      'process_cpu_seconds_total counter',
      'process_resident_memory_bytes gauge',
      'nodejs_heap_used_bytes gauge',
      'process_start_time_seconds gauge',
    ]);
  });

  test('lists what was seen equally often by its name', async () => {
    for (const [path, host] of [
      ['/news', 'c.example'],
      ['/', 'a.example'],
      ['/checkout', 'b.example'],
    ] as const)
      await app.visitor().get(path, { Referer: `https://${host}/` });
    const { mostVisitedPages, referrers } = await analytics();
    expect(mostVisitedPages.map(({ url }) => url)).toEqual(['/', '/checkout', '/news']);
    const hosts = referrers.map(({ referrer }) => referrer);
    expect(hosts).toEqual(['a.example', 'b.example', 'c.example']);
  });
});
