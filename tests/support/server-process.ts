/** Node scripts as processes of their own: servers that can be killed, asked to stop, or that refuse to start. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

export interface Ended {
  /** Null when a signal ended it. */
  code: number | null;
  /** What it printed on both channels. */
  output: string;
}

export interface RunningProcess {
  address: string;
  /** From the start of the process to its line 'Ready on …', in milliseconds. */
  readyMs: number;
  child: ChildProcess;
  output(): string;
  ended: Promise<Ended>;
  /** Sends the signal, SIGTERM unless told otherwise, and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<Ended>;
}

type Variables = Record<string, string>;

export const SERVER = 'dist/server/server.cjs';

/** Starts a script that prints 'Ready on <address>'; rejects with what it printed when it ends before that. */
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

/** The demo, with visitors who say by X-Forwarded-For where they come from, and ten times the usual limits. */
export const REACHABLE_DEMO = { PORT: '0', TRUST_PROXY: '1', DEMO_MODE: 'on' };

/** Starts the built server, as the tests want it unless `variables` say otherwise. */
export function startServer(variables: Variables): Promise<RunningProcess> {
  return startProcess(SERVER, { ...REACHABLE_DEMO, ...variables });
}

/** Runs a script to its end, such as a server that is expected not to start. */
export function runProcess(
  script: string,
  variables: Variables,
  args: string[] = [],
): Promise<Ended> {
  return spawnScript(script, variables, args).ended;
}

/** How much of a chatty process's output is kept. */
const KEPT = 1_000_000;

export function spawnScript(
  script: string,
  variables: Variables,
  args: string[] = [],
  cwd?: string,
) {
  const child = spawn(process.execPath, [script, ...args], {
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

/** Resident memory of a process in megabytes. */
export function memoryMegabytes(child: ChildProcess): number {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}
