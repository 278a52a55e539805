/** Load by wrk, which is several times as fast as the site. */
import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import type { RunningProcess } from '../support/server-process.ts';

interface Load {
  perSecond: number;
  p99Ms: number;
}

/** wrk gets the last core, the servers the first. */
const LOAD_CORE = availableParallelism() - 1;
const SERVER_CORE = 0;

/** Pins a server to its core, away from wrk. */
export function keepOffLoad({ child }: Pick<RunningProcess, 'child'>): void {
  if (LOAD_CORE > 0) execFileSync('taskset', ['-a', '-p', '-c', `${SERVER_CORE}`, `${child.pid}`]);
}

/**
 * Sends requests for `seconds`; throws on a 4xx or 5xx, and after ten seconds without an answer.
 */
export function wrk(url: string, seconds: number, encoding = 'br'): Load {
  const args = ['-t1', '-c32', `-d${seconds}s`, '--latency', '--timeout', '10s'];
  args.push('-H', `Accept-Encoding: ${encoding}`, url);
  const printed = run(LOAD_CORE > 0 ? ['taskset', '-c', `${LOAD_CORE}`] : [], args);
  const bad = /Non-2xx or 3xx responses: (\d+)|Socket errors: (.*)/.exec(printed);
  if (bad) throw new Error(`${url}: ${bad[0]}`);
  return {
    perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(printed)?.[1]),
    p99Ms: milliseconds(/^ *99% +(\S+)/m.exec(printed)?.[1] ?? ''),
  };
}

function run(pinned: string[], args: string[]): string {
  const [program = 'wrk', ...rest] = [...pinned, 'wrk', ...args];
  try {
    return execFileSync(program, rest, { encoding: 'utf8' });
  } catch (error) {
    throw new Error('wrk did not run to its end (on Debian: apt-get install wrk)', {
      cause: error,
    });
  }
}

/** '1.25ms', '830.00us' or '1.20s'. */
function milliseconds(text: string): number {
  const amount = Number.parseFloat(text);
  if (text.endsWith('us')) return amount / 1000;
  return text.endsWith('ms') ? amount : amount * 1000;
}
