/**
 * An upgrade of a single instance while customers order, to a release with one more migration; that
 * of several is in stack.test.ts. nginx is in front, as deploy/nginx.conf sets it up.
 */
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { createDatabase } from '../support/databases.ts';
import { freePort } from '../support/free-port.ts';
import { compareWithFinalState, startShift } from '../support/mixed-writes.ts';
import { REACHABLE_DEMO, SERVER, startProcess } from '../support/server-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { hasNginx, startNginx } from './nginx.ts';
import { useVersions } from './versions.ts';

describe.runIf(hasNginx())('an upgrade behind nginx, while customers order,', () => {
  const versions = useVersions();

  async function newDatabase(engine: string): Promise<Record<string, string>> {
    if (engine === 'SQLite') return { DATA_DIR: temporaryFolder() };
    const { postgresUrl } = inject('databases');
    if (!postgresUrl) throw new Error('PostgreSQL is missing on this machine');
    return { DATABASE_URL: await createDatabase(postgresUrl, `upgrade_${Date.now()}`) };
  }

  test.for(['SQLite', 'PostgreSQL'])('of one instance loses no order on %s', async (engine) => {
    const port = await freePort();
    const { origin, variables, stop } = await startNginx([port]);
    onTestFinished(() => void stop());
    const site = {
      ...REACHABLE_DEMO,
      ...(await newDatabase(engine)),
      ...variables,
      // Two, as if there were a network of caches in front: customers have addresses.
      ...{ DEMO_MODE: 'on', TRUST_PROXY: '2', PORT: `${port}` },
    };
    const old = await startProcess(SERVER, site, versions.previous);
    const shift = startShift(origin, 4, 'one');
    await shift.orders(40);
    expect((await old.stop()).code).toBe(0);
    const next = await startProcess(SERVER, site, versions.next);
    onTestFinished(() => void next.child.kill('SIGKILL'));
    await shift.orders(80);
    await shift.end();
    // Meanwhile nginx answers that nothing is there.
    expect(shift.refused.filter(({ status }) => status !== 502 && status !== 503)).toEqual([]);
    expect(await compareWithFinalState(origin, shift.acknowledged)).toEqual([]);
  });
});
