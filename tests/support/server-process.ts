/** Runs Node scripts as child processes: servers to be killed, stopped or refused. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tied } from './tied.ts';

export interface Ended {
  /** Null if a signal ended it. */
  code: number | null;
  /** stdout and stderr. */
  output: string;
}

export interface RunningProcess {
  address: string;
  /** Milliseconds from the start of the process to its line 'Ready on …'. */
  readyMs: number;
  child: ChildProcess;
  output(): string;
  ended: Promise<Ended>;
  /** Sends the signal (SIGTERM by default) and waits for the exit. */
  stop(signal?: NodeJS.Signals): Promise<Ended>;
}

type Variables = Record<string, string>;

export const SERVER = 'dist/server/server.cjs';

/** Preloads die-at.ts. */
export const CAN_DIE = { NODE_OPTIONS: `--import=${join(import.meta.dirname, 'die-at.ts')}` };

/** Starts a script that prints 'Ready on <address>'; rejects with its output if it exits first. */
export async function startProcess(
  script: string,
  variables: Variables,
  folder?: string,
): Promise<RunningProcess> {
  const began = performance.now();
  const { child, ended, output } = spawnScript(script, variables, [], folder);
  const ready = new Promise<string>((resolve) => {
    child.stdout.on('data', () => {
      const [, address] = /^Ready on (\S+)\n/m.exec(output()) ?? [];
      if (address) resolve(address);
    });
  });
  const early = ended.then(({ code, output }) => {
    throw new Error(`${script} ended with ${code}: ${output}`);
  });
  const address = await Promise.race([ready, early]);
  early.catch(() => undefined);
  return {
    address,
    readyMs: performance.now() - began,
    child,
    output,
    ended,
    stop(signal = 'SIGTERM') {
      child.kill(signal);
      return ended;
    },
  };
}

/** The demo, with ten times the limits, which takes addresses from X-Forwarded-For. */
export const REACHABLE_DEMO = { PORT: '0', TRUST_PROXY: '1', DEMO_MODE: 'on' };

export function startServer(variables: Variables): Promise<RunningProcess> {
  return startProcess(SERVER, { ...REACHABLE_DEMO, ...variables });
}

/** Runs a script to its end, for instance a server that must refuse to start. */
export function runProcess(
  script: string,
  variables: Variables,
  args: string[] = [],
): Promise<Ended> {
  return spawnScript(script, variables, args).ended;
}

/** Characters of output that are kept. */
const KEPT = 1_000_000;

function spawnScript(script: string, variables: Variables, args: string[] = [], cwd?: string) {
  const child = spawn(...tied(process.execPath, [script, ...args]), {
    ...(cwd === undefined ? {} : { cwd }),
    env: { PATH: process.env.PATH, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  const output = () => printed;
  for (const channel of [child.stdout, child.stderr]) {
    channel.setEncoding('utf8');
    channel.on('data', (text: string) => {
      printed = (printed + text).slice(-KEPT);
    });
  }
  const ended = once(child, 'close').then(([code]): Ended => ({ code, output: printed }));
  return { child, ended, output };
}

/** Resident memory of a process, in megabytes. */
export function memoryMegabytes(child: ChildProcess): number {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}
