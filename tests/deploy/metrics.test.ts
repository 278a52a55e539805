/** The figures at /metrics, and what deploy/prometheus makes of them, by promtool. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { sharedTestApp } from '../support/test-app.ts';

const TOKEN = 'a-token-of-the-monitoring';
const AUTHORIZED = { Authorization: `Bearer ${TOKEN}` };
const RULES = 'deploy/prometheus/site.rules.yml';

function promtool(...args: string[]) {
  const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8' });
  expect(status, stdout + stderr).toBe(0);
}

interface Dashboard {
  panels: { title: string; targets: { expr: string }[] }[];
}

describe.runIf(spawnSync('promtool', ['--version']).status === 0)('promtool accepts', () => {
  const app = sharedTestApp({ METRICS_TOKEN: TOKEN, TEAMS_WEBHOOK_URL: 'http://127.0.0.1:9' });
  const dashboard: Dashboard = JSON.parse(
    readFileSync('deploy/prometheus/grafana-dashboard.json', 'utf8'),
  );
  const queries = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  let figures: string;
  beforeAll(async () => {
    await app.visitor().get('/api/plans');
    figures = await (await fetch(`${app.address}/metrics`, { headers: AUTHORIZED })).text();
  });

  test('the figures themselves', () => {
    const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
      input: figures,
      encoding: 'utf8',
    });
    // It also wishes other names for some of Node's own.
    const about = `${stdout}${stderr}`.split('\n').filter((line) => line.startsWith('site_'));
    expect(about).toEqual([]);
    expect([0, 3]).toContain(status);
  });

  test('the configuration with its rules, which fire when they should', () => {
    const folder = temporaryFolder();
    const shipped = readFileSync('deploy/prometheus/prometheus.yml', 'utf8');
    writeFileSync(join(folder, 'prometheus.yml'), shipped);
    writeFileSync(join(folder, 'metrics-token'), TOKEN);
    writeFileSync(join(folder, 'site.rules.yml'), readFileSync(RULES));
    promtool('check', 'config', join(folder, 'prometheus.yml'));
    promtool('test', 'rules', 'tests/deploy/site.rules.test.yml');
  });

  test('every query of the dashboard', () => {
    const rules = queries.map(
      (expr, index) =>
        `  - record: panel${index}\n    expr: ${JSON.stringify(expr.replace('$__rate_interval', '5m'))}\n`,
    );
    const file = join(temporaryFolder(), 'panels.yml');
    writeFileSync(file, `groups:\n- name: panels\n  rules:\n${rules.join('')}`);
    promtool('check', 'rules', file);
  });

  test('and every figure that they name is one that the site has', () => {
    const named = [readFileSync(RULES, 'utf8'), ...queries]
      .join('\n')
      .match(/\b(site|nodejs|process)_\w+/g);
    const has = new Set(figures.match(/(?<=^# TYPE )\w+|^\w+(?=[ {])/gm));
    expect(named?.filter((name) => !has.has(name))).toEqual([]);
  });
});
