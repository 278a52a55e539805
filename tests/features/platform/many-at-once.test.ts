/** Visitors who come in the same moment: none is sent away to ask again a second later. */
import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { startTestApp } from '../../support/test-app.ts';

/** More than Node lets wait by itself, which is 511. */
const VISITORS = 700;
const LONGEST_MS = 20_000;
/** What the system lets wait. */
const allowed = Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8'));

/** Runs beside the server, whose thread takes nobody meanwhile. */
const VISIT = `
  const { connect } = require('node:net');
  const { workerData: { hostname, port, visitors, come } } = require('node:worker_threads');
  for (let i = 0; i < visitors; i += 1)
    connect(port, hostname, () => {
      Atomics.add(come, 0, 1);
      Atomics.notify(come, 0);
    }).on('error', () => undefined);
`;

test.skipIf(allowed < VISITORS)(
  'connections that come at once wait until they are taken',
  async () => {
    const app = await startTestApp();
    const { hostname, port } = new URL(app.address);
    const come = new Int32Array(new SharedArrayBuffer(4));
    const workerData = { hostname, port: Number(port), visitors: VISITORS, come };
    const visiting = new Worker(VISIT, { eval: true, workerData });
    for (let here = 0; here < VISITORS; here = Atomics.load(come, 0))
      expect(Atomics.wait(come, 0, here, LONGEST_MS)).not.toBe('timed-out');
    await visiting.terminate();
    await app.stop();
  },
);
