/**
 * `node tests/endurance/outbox.ts`: 1,000 messages through a server that is killed 20 times, towards receivers that
 * fail three times in ten; and what a visitor and the desk wait for. On PostgreSQL, with two servers that are killed
 * in turns, when DATABASE_URL leads to an empty database there.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tryOutbox } from '../support/outbox-trial.ts';
import { measureWaits } from '../support/outbox-waits.ts';

const MINUTE_MS = 60_000;
const folder = mkdtempSync(join(tmpdir(), 'site-endurance-'));
const { DATABASE_URL } = process.env;
const database = (name: string): Record<string, string> =>
  DATABASE_URL ? { DATABASE_URL } : { DATA_DIR: join(folder, name) };

const report = await tryOutbox({
  messages: 1000,
  servers: DATABASE_URL ? 2 : 1,
  kills: 20,
  mostFailures: 5,
  database: database('kills'),
  patienceMs: 30 * MINUTE_MS,
});
console.log('1,000 messages, 30 % failures, 20 kills:', report);
const waits = await measureWaits(database('waits'));
console.log('Milliseconds:', waits);
rmSync(folder, { recursive: true });

const { lost, unexplainedDoubles, outOfOrder, setAside } = report;
const broken = [lost, unexplainedDoubles, outOfOrder].some(({ length }) => length > 0);
const { firstDeliveryWorstMs, contactMedianMs, chatMedianMs } = waits;
const slow = firstDeliveryWorstMs >= 1000 || Math.max(contactMedianMs, chatMedianMs) >= 50;
if (broken || setAside > 0 || slow) {
  console.error('The outbox does not hold what it promises');
  process.exit(1);
}
