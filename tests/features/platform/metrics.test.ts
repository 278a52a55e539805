/** An operator's Prometheus reads figures at /metrics, which say nothing that a stranger chose. */
import { expect, test as onBoth } from 'vitest';
import { SAMPLE_MESSAGE } from '../../support/call-row.ts';
import { databaseWithOutages } from '../../support/database-outage.ts';
import { listen } from '../../support/event-stream.ts';
import { eventually } from '../../support/eventually.ts';
import { FakeTeams } from '../../support/fake-teams.ts';
import { ownTestApp, type TestApp } from '../../support/test-app.ts';
import { onOneDatabase as test } from '../../support/variant.ts';

const METRICS_TOKEN = 'a-token-of-the-monitoring';

async function figures(app: TestApp): Promise<string[]> {
  const Authorization = `Bearer ${METRICS_TOKEN}`;
  const { status, text } = await app.visitor().get('/metrics', { Authorization });
  expect(status).toBe(200);
  return text.split('\n');
}

test('nobody reads figures without the token, and a site without a token has none', async () => {
  const [app, without] = await Promise.all([ownTestApp({ METRICS_TOKEN }), ownTestApp()]);
  const statusOf = async (headers = {}) => (await app.visitor().get('/metrics', headers)).status;
  expect(await statusOf()).toBe(401);
  for (const token of ['', METRICS_TOKEN.slice(1), `${METRICS_TOKEN}x`])
    expect(await statusOf({ Authorization: `Bearer ${token}` })).toBe(401);
  expect((await (await app.staff()).get('/metrics')).status).toBe(401);
  expect((await without.visitor().get('/metrics')).status).toBe(404);
  // A copy that there is not has no age.
  expect((await figures(app)).filter((line) => /^site_backup_age_seconds /.test(line))).toEqual([]);
});

test('requests count by the route that answered, and no word of a stranger becomes a label', async () => {
  const app = await ownTestApp({ METRICS_TOKEN });
  const visitor = app.visitor();
  await visitor.get('/');
  await visitor.get('/api/plans');
  const before = (await figures(app)).length;
  for (const method of ['GET', 'PROPFIND', 'REPORT'])
    for (const path of [
      ...['/strange', '/STRANGE', '/strange%2f..', '/quote/strange', '/checkout?plan=strange'],
      ...['/api/strange', '/api/plans/strange', '/api/admin/threads/strange', '/pictures/strange'],
    ])
      await visitor.send(path, { method });
  await eventually(async () => {
    const read = await figures(app);
    for (const [route, method, status] of [
      ['/', 'GET', 200],
      ['/api/plans', 'GET', 200],
      ['/api/admin/threads/:id', 'GET', 401],
      ['/api/admin/threads/:id', 'other', 405],
    ]) {
      const labels = `{route="${route}",method="${method}",status="${status}"}`;
      expect(read.join('\n')).toContain(`site_http_request_duration_seconds_count${labels}`);
    }
    expect(read.filter((line) => /strange/i.test(line))).toEqual([]);
    // Twelve lines for each route, method and status that is new.
    expect(read.length).toBeLessThan(before + 12 * 30);
  });
});

onBoth('the operator reads how much waits for Teams, and who listens to the chat', async () => {
  const teams = await FakeTeams.start();
  const app = await ownTestApp({ METRICS_TOKEN, ...teams.variables });
  teams.behaviour = () => ({ status: 413 });
  await app.visitor().post('/api/contact', SAMPLE_MESSAGE);
  await listen(await app.staff(), '/api/admin/events');
  await eventually(async () =>
    expect(await figures(app)).toEqual(
      expect.arrayContaining([
        'site_outbox_deliveries{channel="teams",state="failed"} 1',
        'site_outbox_deliveries{channel="teams",state="waiting"} 0',
        'site_streams{reader="staff"} 1',
        'site_ready 1',
      ]),
    ),
  );
  await teams.stop();
});

onBoth('figures are read while the database is away, and say so', async () => {
  const ground = await databaseWithOutages();
  const app = await ownTestApp({ METRICS_TOKEN, ...ground.variables });
  const away = await figures(app);
  expect(away).toContain('site_ready 0');
  expect(away.some((line) => line.startsWith('site_outbox_deliveries{'))).toBe(false);
  await ground.comeBack();
  await eventually(async () => expect(await figures(app)).toContain('site_ready 1'));
  await ground.drop();
});
