/** Starts a PostgreSQL of the tests' own in a temporary folder, and throws it away at the end. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { findPostgres } from './find-postgres.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    engine: 'sqlite' | 'postgres';
    /** Address of the cluster's maintenance database; null where PostgreSQL is missing. */
    postgresUrl: string | null;
  }
}

let stop: (() => void) | undefined;

export default async function setup(project: TestProject): Promise<() => void> {
  const programs = findPostgres();
  if (!programs) {
    console.warn('PostgreSQL is not installed: the tests on PostgreSQL are skipped');
    project.provide('postgresUrl', null);
    return () => undefined;
  }
  const folder = mkdtempSync(join(tmpdir(), 'site-postgres-'));
  const port = await freePort();
  const cluster = join(folder, 'cluster');
  // initdb and postgres refuse to run as root.
  const asPostgres = process.getuid?.() === 0;
  if (asPostgres) {
    run('chown', ['postgres', folder]);
    chmodSync(folder, 0o755);
  }
  const runAs = (program: string, args: string[]) =>
    asPostgres
      ? run('setpriv', [
          '--reuid=postgres',
          '--regid=postgres',
          '--clear-groups',
          join(programs, program),
          ...args,
        ])
      : run(join(programs, program), args);
  runAs('initdb', [
    '-D',
    cluster,
    '-A',
    'trust',
    '-U',
    'site',
    '--no-sync',
    '-E',
    'UTF8',
    '--locale=C.UTF-8',
  ]);
  const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder} -c max_connections=200`;
  runAs('pg_ctl', ['-D', cluster, '-w', '-l', join(folder, 'log'), '-o', options, 'start']);
  stop = () => {
    runAs('pg_ctl', ['-D', cluster, '-m', 'immediate', 'stop']);
    rmSync(folder, { recursive: true, force: true });
  };
  project.provide('postgresUrl', `postgres://site@127.0.0.1:${port}/postgres`);
  return () => stop?.();
}

function run(program: string, args: string[]): void {
  const { status, stderr, error } = spawnSync(program, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    cwd: '/',
  });
  if (status !== 0) throw new Error(`${program} failed: ${error?.message ?? stderr}`);
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(),
      );
    });
  });
}
