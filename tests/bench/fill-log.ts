/** An access log that is full of requests. */
import { AccessLog } from '../../src/access-log/access-log.server.ts';
import { readEnv } from '../../src/platform/config/env.server.ts';
import { openDatabase } from '../../src/platform/database/database.server.ts';
import { generatedTraffic } from '../support/generated-traffic.ts';

/** As many as wait in memory at most. */
const AT_ONCE = 20_000;
/** Room for all of them. */
const MOST_MB = 8192;

/** Stores so many requests of the last day by so many visitors, as a server would. */
export async function fillLog(
  variables: Record<string, string>,
  requests: number,
  visitors: number,
): Promise<void> {
  const database = await openDatabase(readEnv(variables));
  const log = new AccessLog(database, MOST_MB);
  const began = performance.now();
  let waiting = 0;
  for (const record of generatedTraffic(requests, visitors, Date.now())) {
    log.take(record);
    waiting += 1;
    if (waiting % AT_ONCE === 0) await log.flush();
  }
  await log.close();
  await database.close();
  console.log(`        stored ${requests} in ${Math.round((performance.now() - began) / 1000)} s`);
}
