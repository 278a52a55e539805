/** The same home page by each framework, as bench/peers has it; and ours: how each is built and started. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import server from '../../scripts/server-process.json' with { type: 'json' };
import { freePort } from '../support/free-port.ts';
import { SERVER } from '../support/server-process.ts';

export interface Peer {
  name: string;
  /** Where its package.json and its packages are. */
  folder: string;
  /** What Node is given; '{port}' stands for the port. */
  args: readonly string[];
  /** Of the page, '/' without. */
  path?: string;
  variables?: Record<string, string>;
}

const peerFolder = (name: string) => resolve('bench/peers', name);

/** Those that are built, each once. */
export const PEER_FOLDERS = ['next', 'react-router', 'astro'].map(peerFolder);

const next: Omit<Peer, 'name'> = {
  folder: peerFolder('next'),
  args: ['node_modules/next/dist/bin/next', 'start', '-H', '127.0.0.1', '-p', '{port}'],
};
const reactRouter = (build: string): Omit<Peer, 'name'> => ({
  folder: peerFolder('react-router'),
  args: ['node_modules/@react-router/serve/dist/cli.js', `./${build}/server/index.js`],
});

/** Ours first. */
export const peers = (dataFolder: string): [Peer, ...Peer[]] => [
  {
    name: 'this site',
    folder: resolve('.'),
    args: [...server.flags, SERVER],
    variables: { ...server.variables, DATA_DIR: dataFolder },
  },
  { name: 'Next.js, prerendered', ...next },
  { name: 'Next.js, per request', ...next, path: '/per-request' },
  { name: 'React Router, prerendered', ...reactRouter('build-prerendered') },
  { name: 'React Router, per request', ...reactRouter('build') },
  { name: 'Astro, prerendered', folder: peerFolder('astro'), args: ['dist/server/entry.mjs'] },
];

export interface RunningPeer {
  /** Of the page. */
  address: string;
  /** From the start of the process to the end of its first good answer. */
  readyMs: number;
  child: ChildProcess;
  stop(): Promise<void>;
}

/** Frameworks tell their makers of each build and start unless asked not to. */
export const PRODUCTION = {
  NODE_ENV: 'production',
  NEXT_TELEMETRY_DISABLED: '1',
  ASTRO_TELEMETRY_DISABLED: '1',
};
const ASK_AGAIN_MS = 5;
const LONGEST_START_MS = 60_000;

export async function startPeer({
  folder,
  args,
  path = '/',
  variables,
}: Peer): Promise<RunningPeer> {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}${path}`;
  const given = args.map((arg) => arg.replace('{port}', `${port}`));
  const began = performance.now();
  const child = spawn(process.execPath, given, {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      ...PRODUCTION,
      PORT: `${port}`,
      HOST: '127.0.0.1',
      ...variables,
    },
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  // Nor does it stay when the bench fails.
  const kill = () => child.kill();
  process.once('exit', kill);
  while (!(await answers(address))) {
    const took = performance.now() - began;
    if (child.exitCode !== null || took > LONGEST_START_MS)
      throw new Error(`${folder}: ${given.join(' ')} does not answer`);
    await new Promise((again) => setTimeout(again, ASK_AGAIN_MS));
  }
  const stop = async () => {
    kill();
    await ended;
    process.off('exit', kill);
  };
  return { address, readyMs: performance.now() - began, child, stop };
}

async function answers(address: string): Promise<boolean> {
  try {
    const answer = await fetch(address);
    await answer.text();
    return answer.ok;
  } catch {
    return false;
  }
}

/** Such as 'next 16.4.6, react 19.3.1'. */
export function versions(folder: string): string {
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return Object.entries(dependencies)
    .filter(([name]) =>
      /^(next|react|react-router|astro|hono|vite|sharp|@(astrojs|react-router)\/.*)$/.test(name),
    )
    .map(([name, version]) => `${name} ${version}`)
    .join(', ');
}
