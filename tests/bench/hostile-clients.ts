/**
 * What slow and greedy clients cost behind the proxies of `deploy/`: others' waiting and the site's
 * memory. `npm run bench hostile-clients Caddy bodies` measures those with this word in their name,
 * behind that proxy.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { hasCaddy, startCaddy } from '../deploy/caddy.ts';
import { hasNginx, startNginx } from '../deploy/nginx.ts';
import { orderAndAnswer } from '../support/buyer-and-colleague.ts';
import { freePort } from '../support/free-port.ts';
import { HOSTILE, type Hostile } from '../support/hostile-clients.ts';
import { memoryMegabytes, startServer } from '../support/server-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { signedIn, Visitor } from '../support/visitor.ts';
import { figure } from './measure.ts';

const CLIENTS = 2_000;
const PIPELINING = 500;
const MAX_MB = 400;
const MAX_MS = 1_000;
/** Orders, each with a chat, before the clients come and beside them. */
const ROUNDS = 15;
const PROXIES = ['nginx', 'Caddy'];
const [, , , ...WORDS] = process.argv;

type Start = typeof startCaddy;

export async function benchHostileClients(): Promise<void> {
  const chosen = PROXIES.filter((name) => WORDS.includes(name));
  const isChosen = (name: string) => chosen.length === 0 || chosen.includes(name);
  if (hasNginx() && isChosen('nginx')) await measure('nginx', (port) => startNginx([port]));
  if (hasCaddy() && isChosen('Caddy')) await measure('Caddy', startCaddy);
}

async function measure(
  name: string,
  start: (
    port: number,
  ) => Promise<Pick<Awaited<ReturnType<Start>>, 'origin' | 'variables' | 'stop'>>,
): Promise<void> {
  const beside = async (what: string, kind: Hostile) => {
    const port = await freePort();
    const proxy = await start(port);
    const variables = { ...proxy.variables, DEMO_MODE: 'on', PORT: `${port}` };
    const site = await startServer({ ...variables, DATA_DIR: temporaryFolder() });
    const buyer = new Visitor(proxy.origin);
    const staff = await signedIn(proxy.origin);
    const slowest = async () => {
      const times: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1)
        times.push(...(await orderAndAnswer({ buyer, staff })).map(([, took]) => took));
      return times.sort((one, other) => other - one)[Math.floor(times.length / 100)] ?? Number.NaN;
    };
    const alone = await slowest();
    let most = 0;
    const watching = setInterval(() => {
      most = Math.max(most, memoryMegabytes(site.child));
    }, 50);
    const count = kind.times ? PIPELINING : CLIENTS;
    const workerData = { origin: proxy.origin, count, kind };
    const hostile = new Worker(new URL('hostile-worker.ts', import.meta.url), { workerData });
    await once(hostile, 'message');
    const wait = await slowest();
    const label = `${name}, ${count} ${what}`;
    figure(`${label}: p99 of others, ms (${alone.toFixed()} alone)`, wait, { atMost: MAX_MS });
    figure(`${label}: MB`, most, { atMost: MAX_MB });
    clearInterval(watching);
    await hostile.terminate();
    proxy.stop();
    await site.stop('SIGKILL');
  };
  const words = WORDS.filter((word) => !PROXIES.includes(word));
  for (const [what, kind] of Object.entries(HOSTILE))
    if (words.length === 0 || words.some((word) => what.includes(word))) await beside(what, kind);
}
