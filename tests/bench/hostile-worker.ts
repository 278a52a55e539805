/** In a thread of its own, so that what it has to do is not taken for others' waiting. */
import { parentPort, workerData } from 'node:worker_threads';
import { sendHostile } from '../support/hostile-clients.ts';

const { origin, count, kind } = workerData;
await sendHostile(origin, count, kind);
parentPort?.postMessage('all are connected');
