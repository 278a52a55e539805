/**
 * Behind each proxy as deploy/ sets it up, slow and greedy clients keep nobody from an order or an
 * answer.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { orderAndAnswer } from '../support/buyer-and-colleague.ts';
import { SAMPLE_MESSAGE } from '../support/call-row.ts';
import { listen } from '../support/event-stream.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { HOSTILE, sendHostile } from '../support/hostile-clients.ts';
import { type RunningProcess, startServer } from '../support/server-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { signedIn, Visitor } from '../support/visitor.ts';
import { hasCaddy, startCaddy } from './caddy.ts';
import { hasNginx, startNginx } from './nginx.ts';

const CLIENTS = 200;

describe.each(
  [
    { name: 'nginx', isInstalled: hasNginx, start: (port: number) => startNginx([port]) },
    { name: 'Caddy', isInstalled: hasCaddy, start: startCaddy },
  ].filter(({ isInstalled }) => isInstalled()),
)('behind $name, while 200 clients', ({ start }) => {
  let site: RunningProcess;
  let proxy: Awaited<ReturnType<typeof start>>;
  let stopHostile: () => void = () => undefined;
  beforeAll(async () => {
    const port = await freePort();
    proxy = await start(port);
    const variables = { ...proxy.variables, DEMO_MODE: 'on', PORT: `${port}` };
    site = await startServer({ ...variables, DATA_DIR: temporaryFolder() });
  });
  afterEach(() => stopHostile());
  afterAll(async () => {
    proxy?.stop();
    await site?.stop();
  });

  test('a message that comes a byte a second is not passed on before it is whole', async () => {
    const slow = await sendHostile(proxy.origin, 1, HOSTILE['send bodies a byte a second'] ?? {});
    const visitor = new Visitor(proxy.origin);
    expect((await visitor.post('/api/contact', SAMPLE_MESSAGE)).status).toBe(200);
    slow.stop();
    const staff = await signedIn(proxy.origin);
    const { logs } = (await staff.get('/api/admin/logs')).json;
    const sent = logs.split('\n').filter((line: string) => line.includes('"POST /api/contact '));
    expect(sent).toEqual([expect.stringContaining('" 200 ')]);
  });

  test.each(Object.entries(HOSTILE))(
    '%s, an order is paid and a chat answered',
    async (_, kind) => {
      stopHostile = (await sendHostile(proxy.origin, CLIENTS, kind)).stop;
      const buyer = new Visitor(proxy.origin);
      const staff = await signedIn(proxy.origin);
      const colleague = await listen(staff, '/api/admin/events');
      await eventually(() => expect(colleague.beats).toBeGreaterThan(0));
      const before = colleague.events.length;
      await orderAndAnswer({ buyer, staff });
      await eventually(() => expect(colleague.events.length).toBeGreaterThan(before));
    },
  );
});
