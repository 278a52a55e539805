/** How much of its page a server sends, asked for by as many connections at once as wire.ts asks with. */
import { get } from 'node:http';
import { memoryMegabytes, startProcess } from '../support/server-process.ts';
import { median } from './measure.ts';
import { type Peer, type RunningPeer, startPeer } from './peers.ts';
import { keepOffLoad, type Load, wrk } from './wrk.ts';

export const ENCODINGS = ['identity', 'gzip', 'br'] as const;

export interface Loaded {
  perSecond: number;
  p99Ms: number;
  /** How many times as much the client asks of a server that does nothing: the least of the rounds. */
  clientTimes: number;
  /** How the answer came, and how large. */
  encoding: string;
  kilobytes: number;
}
export type Loads = Record<(typeof ENCODINGS)[number], Loaded>;

const STARTS = 5;
const ROUNDS = 3;
const SECONDS = 2;

/** The median from the start of the process to its first good answer. */
export async function readyMs(peer: Peer): Promise<number> {
  const times: number[] = [];
  for (let start = 0; start < STARTS; start += 1) {
    const running = await startPeer(peer);
    times.push(running.readyMs);
    await running.stop();
  }
  return median(times);
}

/** And the memory that the server has after it, in megabytes. */
export async function load(running: RunningPeer): Promise<{ loads: Loads; memoryMb: number }> {
  keepOffLoad(running);
  const loads: Partial<Loads> = {};
  for (const encoding of ENCODINGS) loads[encoding] = await loadWith(encoding, running);
  return { loads: loads as Loads, memoryMb: memoryMegabytes(running.child) };
}

async function loadWith(encoding: string, { address }: RunningPeer): Promise<Loaded> {
  const variables = { COPY_OF: address, BARE: 'nothing' };
  const nothing = await startProcess('tests/bench/bare-server.ts', variables);
  keepOffLoad(nothing);
  const rounds: { site: Load; nothing: Load }[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const asked = {
      site: wrk(address, SECONDS, { encoding }),
      nothing: wrk(nothing.address, 1, { encoding }),
    };
    // The first round warms both up.
    if (round > 0) rounds.push(asked);
  }
  await nothing.stop();
  return {
    perSecond: median(rounds.map(({ site }) => site.perSecond)),
    p99Ms: median(rounds.map(({ site }) => site.p99Ms)),
    clientTimes: Math.min(...rounds.map(({ site, nothing }) => nothing.perSecond / site.perSecond)),
    ...(await answerTo(address, encoding)),
  };
}

/** As it travels, which `fetch` would undo. */
function answerTo(address: string, asked: string): Promise<Pick<Loaded, 'encoding' | 'kilobytes'>> {
  return new Promise((resolve, reject) => {
    get(address, { headers: { 'accept-encoding': asked } }, async (answer) => {
      const body = Buffer.concat(await answer.toArray());
      const encoding = answer.headers['content-encoding'] ?? 'identity';
      resolve({ encoding, kilobytes: body.length / 1000 });
    }).on('error', reject);
  });
}
