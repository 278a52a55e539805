/** What a kill loses of the access log. */
import { once } from 'node:events';
import { allRecords } from '../../src/access-log/access-log-store.server.ts';
import { readEnv } from '../../src/platform/config/env.server.ts';
import { openDatabase } from '../../src/platform/database/database.server.ts';
import { SERVER, startProcess } from '../support/server-process.ts';
import { figure } from './measure.ts';

export async function loseAtMostASecond(
  engine: string,
  variables: Record<string, string>,
): Promise<void> {
  const site = await startProcess(SERVER, variables);
  const answered = new Map<string, number>();
  let visits = 0;
  let killed = false;
  const visit = async () => {
    while (!killed) {
      visits += 1;
      const url = `/?visit=${visits}`;
      const response = await fetch(site.address + url).catch(() => undefined);
      await response?.arrayBuffer().catch(() => undefined);
      if (response) answered.set(url, performance.now());
    }
  };
  const visitors = Array.from({ length: 8 }, visit);
  await new Promise((resolve) => setTimeout(resolve, 4000));
  site.child.kill('SIGKILL');
  const killedAt = performance.now();
  await once(site.child, 'exit');
  killed = true;
  await Promise.all(visitors);

  const database = await openDatabase(readEnv(variables));
  const stored = new Set<string>();
  for await (const records of allRecords(database.db, Date.now()))
    for (const { url } of records) stored.add(url);
  await database.close();
  const lost = [...answered].filter(([url, at]) => at < killedAt - 1000 && !stored.has(url));
  console.log(`        ${answered.size} answered, ${stored.size} in the log after kill -9`);
  figure(`${engine}: requests lost that were more than a second old`, lost.length, { atMost: 0 });
}
