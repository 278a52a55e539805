/** Our figures against those of GoAccess, which reads the raw log of the same traffic. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { READ_ANALYTICS, READ_LOG } from '../../../src/access-log/access-log-api.ts';
import { startTestApp } from '../../support/test-app.ts';

const COMBINED_WITH_MICROSECONDS = '%h %^[%d:%t %^] "%r" %s %b "%R" "%u" %D';

const installed = spawnSync('goaccess', ['--version']).status === 0;
if (!installed)
  console.warn('GoAccess is not installed (apt-get install goaccess): not compared with it');

interface Panel {
  data: { data: string; hits: { count: number }; items?: Panel['data'] }[];
}

interface Report {
  general: Record<'valid_requests' | 'failed_requests' | 'unique_visitors', number>;
  status_codes: Panel;
  requests: Panel;
}

test.skipIf(!installed)(
  'GoAccess counts the same requests, visitors, statuses and pages',
  async () => {
    const app = await startTestApp();
    for (const agent of ['Firefox', 'a "quoted" \\ agent']) {
      const visitor = app.visitor();
      for (const path of ['/', '/', '/news', '/checkout', '/api/plans', '/nowhere'])
        await visitor.get(path, { 'User-Agent': agent, Referer: 'https://news.example/?q=it' });
    }
    const staff = await app.staff();
    const answer = await staff.get('/api/admin/logs/analytics');
    const { analytics: ours } = READ_ANALYTICS.answer.parse(answer.json);
    const { logs } = READ_LOG.answer.parse((await staff.get('/api/admin/logs')).json);
    await app.stop();
    if (!ours || !logs) throw new Error('the log is empty');
    // The request for the figures did not count itself.
    const lines = logs.split('\n').filter((line) => !line.includes('/api/admin/logs/'));

    const { general, status_codes } = goaccess(lines);
    expect(general.failed_requests).toBe(0);
    expect(general.valid_requests).toBe(ours.totalRequests);
    expect(general.unique_visitors).toBe(ours.uniqueVisitors);
    const statuses = status_codes.data
      .flatMap(({ items }) => items ?? [])
      .map(({ data, hits }) => [data.slice(0, 3), hits.count]);
    expect(Object.fromEntries(statuses)).toEqual(ours.httpStatusCodes);
    const { requests } = goaccess(lines.filter((line) => /" (200|304) \d/.test(line)));
    expect(requests.data.map(({ data, hits }) => ({ url: data, count: hits.count }))).toEqual(
      expect.arrayContaining(ours.mostVisitedPages),
    );
    expect(ours.mostVisitedPages).toHaveLength(3);
  },
);

function goaccess(log: readonly string[]): Report {
  const folder = mkdtempSync(join(tmpdir(), 'goaccess-'));
  const [input, output] = [join(folder, 'access.log'), join(folder, 'report.json')];
  writeFileSync(input, `${log.join('\n')}\n`);
  const options = [
    '--no-global-config',
    `--log-format=${COMBINED_WITH_MICROSECONDS}`,
    '--date-format=%d/%b/%Y',
    '--time-format=%T',
    '--no-query-string',
    // Else one who asked for nothing but what is not there would be no visitor.
    '--4xx-to-unique-count',
    '--no-progress',
  ];
  const { status, stderr } = spawnSync('goaccess', [input, ...options, '-o', output], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  const report = JSON.parse(readFileSync(output, 'utf8'));
  rmSync(folder, { recursive: true });
  return report;
}
