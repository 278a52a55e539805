/** Finished answers against bare servers that send the same bytes: what the site adds between the wire and its pages. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  memoryMegabytes,
  REACHABLE_DEMO,
  type RunningProcess,
  SERVER,
  startProcess,
} from '../support/server-process.ts';
import { figure, median } from './measure.ts';
import { generator, keepOffLoad, type Load, wrk } from './wrk.ts';

const ROUNDS = 5;
const SECONDS = 3;
/** A call counts toward a limit of its visitor's address, so each request comes from another. */
const VISITORS = 'tests/bench/other-visitors.lua';

interface Subject {
  what: string;
  path: string;
  encoding: string;
  script?: string;
  /** Ratio to a bare server with the same headers and a log, and to one with neither. */
  atLeast: { full: number; body: number };
}

const PAGE = { full: 0.75, body: 0 };
const SUBJECTS: readonly Subject[] = [
  { what: 'home page, brotli', path: '/', encoding: 'br', atLeast: PAGE },
  { what: 'home page, as it is', path: '/', encoding: 'identity', atLeast: PAGE },
  { what: 'article, brotli', path: '/news/ftc-safeguards-rule', encoding: 'br', atLeast: PAGE },
  {
    what: 'GET /api/plans',
    path: '/api/plans',
    encoding: 'br',
    script: VISITORS,
    atLeast: { full: 0.6, body: 0 },
  },
];

export async function benchWire(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'site-bench-'));
  const site = await startProcess(SERVER, { ...REACHABLE_DEMO, DATA_DIR: folder });
  keepOffLoad(site);
  console.log(`        ${generator()}`);
  const early = memoryAfter(site, 200_000);
  figure('memory after 200,000 requests, MB', early, { atMost: 200 });
  const late = memoryAfter(site, 1_000_000);
  figure('memory after 1,200,000 requests, ratio to that', late / early, { atMost: 1.1 });
  for (const subject of SUBJECTS) await compare(site, subject);
  await site.stop();
  rmSync(folder, { recursive: true });
}

function memoryAfter(site: RunningProcess, requests: number): number {
  for (let sent = 0; sent < requests; ) sent += wrk(`${site.address}/`, 1).perSecond;
  return memoryMegabytes(site.child);
}

async function compare(site: RunningProcess, subject: Subject): Promise<void> {
  const { what, path, encoding, script, atLeast } = subject;
  const bare = async (kind: string) => {
    const variables = { COPY_OF: site.address + path, BARE: kind, ENCODING: encoding };
    const server = await startProcess('tests/bench/bare-server.ts', variables);
    keepOffLoad(server);
    return server;
  };
  const servers = {
    site,
    full: await bare('full'),
    body: await bare('body'),
    nothing: await bare('nothing'),
  };
  const loads = {
    site: [] as Load[],
    full: [] as Load[],
    body: [] as Load[],
    nothing: [] as Load[],
  };
  const asked = { encoding, ...(script && { script }) };
  for (let round = 0; round <= ROUNDS; round += 1)
    for (const [kind, { address }] of Object.entries(servers)) {
      const load = wrk(address + path, SECONDS, asked);
      // The first round warms all of them up.
      if (round > 0) loads[kind as keyof typeof loads].push(load);
    }
  const rate = (kind: keyof typeof loads) => median(loads[kind].map(({ perSecond }) => perSecond));
  const p99 = (kind: keyof typeof loads) => median(loads[kind].map(({ p99Ms }) => p99Ms));
  const rates = [rate('site'), rate('full'), rate('body'), rate('nothing')].map(Math.round);
  console.log(
    `        ${what}: ${rates[0]} a second; bare: full ${rates[1]}, body ${rates[2]}; nothing ${rates[3]}`,
  );
  figure(`${what}, ratio to bare node:http, headers and log`, rate('site') / rate('full'), {
    atLeast: atLeast.full,
  });
  figure(`${what}, ratio to bare node:http, neither`, rate('site') / rate('body'), {
    atLeast: atLeast.body,
  });
  figure(`${what}, p99 ratio to bare node:http, headers and log`, p99('site') / p99('full'), {
    atMost: 1.5,
  });
  figure(`${what}, the client against nothing, ratio to the site`, rate('nothing') / rate('site'), {
    atLeast: 2,
  });
  for (const kind of ['full', 'body', 'nothing'] as const) await servers[kind].stop();
}
