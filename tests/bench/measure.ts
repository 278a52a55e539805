/** What the benchmarks share: servers as processes of their own, load, and a way to print figures with their limits. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import autocannon from 'autocannon';
import server from '../../scripts/server-process.json' with { type: 'json' };

export interface RunningProcess {
  address: string;
  /** From the start of the process to its line 'Ready on …', in milliseconds. */
  readyMs: number;
  child: ChildProcess;
  stop(): Promise<void>;
}

/** Starts a Node script that prints 'Ready on <address>'. */
export async function startProcess(
  script: string,
  variables: Record<string, string>,
): Promise<RunningProcess> {
  const began = performance.now();
  const child = spawn(process.execPath, [...server.flags, script], {
    env: { PATH: process.env.PATH, ...server.variables, ...variables },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  for await (const chunk of child.stdout) {
    printed += chunk;
    if (printed.includes('\n')) break;
  }
  const readyMs = performance.now() - began;
  const address = /Ready on (\S+)/.exec(printed)?.[1];
  if (!address) throw new Error(`${script} did not start: ${printed}`);
  const stop = async () => {
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  return { address, readyMs, child, stop };
}

/** Requests per second over `seconds`, with 40 connections that take brotli. */
export async function throughput(address: string, seconds: number): Promise<number> {
  const result = await autocannon({
    url: address,
    connections: 40,
    duration: seconds,
    headers: { 'accept-encoding': 'br' },
  });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${address} answered with errors`);
  return result.requests.average;
}

/** Resident memory of a process in megabytes. */
export function memoryMegabytes(child: ChildProcess): number {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

let missed = 0;

/** Prints one figure and whether it keeps its limit. */
export function figure(
  what: string,
  value: number,
  limit: { atLeast: number } | { atMost: number },
): void {
  const kept = 'atLeast' in limit ? value >= limit.atLeast : value <= limit.atMost;
  const wanted = 'atLeast' in limit ? `at least ${limit.atLeast}` : `at most ${limit.atMost}`;
  if (!kept) missed += 1;
  console.log(`${kept ? 'ok    ' : 'MISSED'}  ${what}: ${Number(value.toFixed(3))} (${wanted})`);
}

export function missedFigures(): number {
  return missed;
}
