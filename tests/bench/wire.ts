/** The site's throughput, as a ratio to a bare server that sends the same bytes. */
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
import { keepOffLoad, wrk } from './wrk.ts';

const ROUNDS = 5;
const SECONDS = 3;

interface Subject {
  what: string;
  path: string;
  encoding: string;
  /** The ratio to the bare server. */
  atLeast: number;
}

const SUBJECTS: readonly Subject[] = [
  { what: 'home page, brotli', path: '/', encoding: 'br', atLeast: 0.63 },
  { what: 'home page, as it is', path: '/', encoding: 'identity', atLeast: 0.63 },
];

export async function benchWire(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'site-bench-'));
  const site = await startProcess(SERVER, { ...REACHABLE_DEMO, DATA_DIR: folder });
  keepOffLoad(site);
  const early = memoryAfter(site, 200_000);
  figure('memory after 200,000 requests, MB', early, { atMost: 200 });
  const late = memoryAfter(site, 1_000_000);
  // V8 enlarges its young generation with the load (docs/speed.md).
  figure('memory after 1,200,000 requests, ratio to that', late / early, { atMost: 1.6 });
  for (const subject of SUBJECTS) await compare(site, subject);
  await site.stop();
  rmSync(folder, { recursive: true });
}

function memoryAfter(site: RunningProcess, requests: number): number {
  for (let sent = 0; sent < requests; ) sent += wrk(`${site.address}/`, 1).perSecond;
  return memoryMegabytes(site.child);
}

async function compare(site: RunningProcess, subject: Subject): Promise<void> {
  const { what, path, encoding, atLeast } = subject;
  const variables = { COPY_OF: site.address + path, ENCODING: encoding };
  const bare = await startProcess('tests/bench/bare-server.ts', variables);
  keepOffLoad(bare);
  const load = ({ address }: RunningProcess) => wrk(address + path, SECONDS, encoding);
  const ratios: { rate: number; p99: number }[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const [ours, theirs] = [load(site), load(bare)];
    // The first round is a warm-up.
    if (round > 0)
      ratios.push({ rate: ours.perSecond / theirs.perSecond, p99: ours.p99Ms / theirs.p99Ms });
  }
  const rate = median(ratios.map((ratio) => ratio.rate));
  const p99 = median(ratios.map((ratio) => ratio.p99));
  figure(`${what}, ratio to bare node:http, headers and log`, rate, { atLeast });
  // While the log stores a thousand records, requests wait; the bare server's log is never on disk.
  figure(`${what}, p99 ratio to bare node:http, headers and log`, p99, { atMost: 8 });
  await bare.stop();
}
