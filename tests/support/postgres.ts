/** A PostgreSQL cluster in a temporary folder. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPostgres } from './find-postgres.ts';
import { freePort } from './free-port.ts';

export class Postgres {
  /** URL of the cluster's maintenance database. */
  readonly url: string;
  readonly #programs: string;
  readonly #folder: string;
  readonly #options: string;

  private constructor(programs: string, folder: string, port: number, settings: readonly string[]) {
    this.url = `postgres://site@127.0.0.1:${port}/postgres`;
    this.#programs = programs;
    this.#folder = folder;
    this.#options = [
      `port=${port}`,
      'listen_addresses=127.0.0.1',
      `unix_socket_directories=${folder}`,
      'max_connections=200',
      // Without it, query plans do not change with how long the machine takes.
      'autovacuum=off',
      ...settings,
    ]
      .map((setting) => `-c ${setting}`)
      .join(' ');
  }

  /** Creates the cluster without starting it. Throws where PostgreSQL is not installed. */
  static async create(settings: readonly string[] = []): Promise<Postgres> {
    const programs = findPostgres();
    if (!programs) throw new Error('PostgreSQL is not installed');
    const folder = mkdtempSync(join(tmpdir(), 'site-postgres-'));
    const cluster = new Postgres(programs, folder, await freePort(), settings);
    if (isRoot()) {
      await run('chown', ['postgres', folder]);
      chmodSync(folder, 0o755);
    }
    const text = ['-E', 'UTF8', '--locale=C.UTF-8'];
    const data = join(folder, 'cluster');
    await cluster.#run('initdb', ['-D', data, '-A', 'trust', '-U', 'site', '--no-sync', ...text]);
    return cluster;
  }

  async start(): Promise<void> {
    const log = join(this.#folder, 'log');
    await this.#control(['-w', '-l', log, '-o', this.#options, 'start']);
  }

  /** 'immediate' simulates a power cut, 'fast' an upgrade. */
  async stop(mode: 'fast' | 'immediate'): Promise<void> {
    await this.#control(['-m', mode, 'stop']);
  }

  /** Suspends every process, as if the network swallowed all packets. */
  freeze(): void {
    this.#signal('SIGSTOP');
  }

  thaw(): void {
    this.#signal('SIGCONT');
  }

  async remove(): Promise<void> {
    if (this.#runs()) {
      this.thaw();
      await this.stop('immediate').catch(() => undefined);
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }

  get #pidFile(): string {
    return join(this.#folder, 'cluster/postmaster.pid');
  }

  #runs(): boolean {
    return existsSync(this.#pidFile);
  }

  #signal(signal: NodeJS.Signals): void {
    const [postmaster = ''] = readFileSync(this.#pidFile, 'utf8').split('\n');
    process.kill(Number(postmaster), signal);
    // Listed after the signal: a suspended postmaster starts no further processes.
    const { stdout } = spawnSync('pgrep', ['-P', postmaster], { encoding: 'utf8' });
    for (const pid of stdout.trim().split('\n')) {
      try {
        process.kill(Number(pid), signal);
      } catch {
        // A worker may have ended since it was listed.
      }
    }
  }

  #control(args: string[]): Promise<void> {
    return this.#run('pg_ctl', ['-D', join(this.#folder, 'cluster'), ...args]);
  }

  /** initdb and postgres refuse to run as root. */
  #run(program: string, args: string[]): Promise<void> {
    const path = join(this.#programs, program);
    if (!isRoot()) return run(path, args);
    const user = ['--reuid=postgres', '--regid=postgres', '--clear-groups'];
    return run('setpriv', [...user, path, ...args]);
  }
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

async function run(program: string, args: string[]): Promise<void> {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], cwd: '/' });
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  // 'exit' and not 'close': the server that pg_ctl leaves running keeps stderr open.
  const [code] = await once(child, 'exit');
  child.stderr.destroy();
  if (code !== 0) throw new Error(`${program} failed: ${errors}`);
}
