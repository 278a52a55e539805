/** Our figures against those of GoAccess, which reads the raw log of the same traffic. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { AccessLog } from '../../../src/access-log/access-log.server.ts';
import {
  type Analytics,
  READ_ANALYTICS,
  READ_LOG,
} from '../../../src/access-log/access-log-api.ts';
import { generatedTraffic } from '../../support/generated-traffic.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

/** Late in a day, for GoAccess counts visitors by day. */
const NOW = Date.parse('2026-05-13T23:58:00Z');
const MIDNIGHT = Date.parse('2026-05-13T00:00:00Z');
const COMBINED_WITH_MICROSECONDS = '%h %^[%d:%t %^] "%r" %s %b "%R" "%u" %D';

const installed = spawnSync('goaccess', ['--version']).status === 0;
if (!installed)
  console.warn('GoAccess is not installed (apt-get install goaccess): not compared with it');

interface Panel {
  data: { data: string; hits: { count: number }; items?: Panel['data'] }[];
}

interface Report {
  general: {
    total_requests: number;
    valid_requests: number;
    failed_requests: number;
    unique_visitors: number;
  };
  status_codes: Panel;
  requests: Panel;
}

describe.skipIf(!installed)('the figures of the access log', () => {
  const folder = mkdtempSync(join(tmpdir(), 'goaccess-'));
  let app: TestApp;
  let ours: Analytics;
  let lines: string[];

  beforeAll(async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: NOW });
    app = await startTestApp();
    const log = new AccessLog(app.database, 1024);
    for (const record of generatedTraffic(4500, 400, NOW))
      if (record.at >= MIDNIGHT) log.take(record);
    await log.close();
    const staff = await app.staff();
    for (const path of ['/', '/checkout', '/nowhere']) {
      await app.visitor().get(path, { 'User-Agent': 'a "quoted" \\ agent' });
    }
    const { analytics } = READ_ANALYTICS.answer.parse(
      (await staff.get('/api/admin/logs/analytics')).json,
    );
    if (!analytics) throw new Error('no analytics');
    ours = analytics;
    // The request for the analytics did not count itself.
    const { logs } = READ_LOG.answer.parse((await staff.get('/api/admin/logs')).json);
    lines = logs?.split('\n').filter((line) => !line.includes('/api/admin/logs/')) ?? [];
  });
  afterAll(async () => {
    await app.stop();
    vi.useRealTimers();
    rmSync(folder, { recursive: true });
  });

  function goaccess(log: readonly string[]): Report {
    const [input, output] = [join(folder, 'access.log'), join(folder, 'report.json')];
    writeFileSync(input, `${log.join('\n')}\n`);
    const { status, stderr } = spawnSync(
      'goaccess',
      [
        input,
        '--no-global-config',
        `--log-format=${COMBINED_WITH_MICROSECONDS}`,
        '--date-format=%d/%b/%Y',
        '--time-format=%T',
        '--no-query-string',
        // Else one who asked for nothing but what is not there would be no visitor.
        '--4xx-to-unique-count',
        '--no-progress',
        '-o',
        output,
      ],
      { encoding: 'utf8' },
    );
    if (status !== 0) throw new Error(stderr);
    return JSON.parse(readFileSync(output, 'utf8'));
  }

  test('requests, statuses and visitors are those that GoAccess counts', () => {
    const { general, status_codes } = goaccess(lines);
    expect(general.failed_requests).toBe(0);
    expect(general.valid_requests).toBe(ours.totalRequests);
    expect(general.unique_visitors).toBe(ours.uniqueVisitors);
    const statuses = status_codes.data
      .flatMap(({ items }) => items ?? [])
      .map(({ data, hits }) => [data.slice(0, 3), hits.count]);
    expect(Object.fromEntries(statuses)).toEqual(ours.httpStatusCodes);
  });

  test('pages are those that GoAccess counts among the requests that show a page', () => {
    const { requests } = goaccess(lines.filter((line) => /" (200|304) \d/.test(line)));
    const hits = ({ data }: Panel) =>
      Object.fromEntries(data.map((each) => [each.data, each.hits.count]));
    expect(hits(requests)).toMatchObject(
      Object.fromEntries(ours.mostVisitedPages.map(({ url, count }) => [url, count])),
    );
    expect(ours.mostVisitedPages.length).toBeGreaterThanOrEqual(5);
  });
});
