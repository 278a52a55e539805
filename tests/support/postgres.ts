/** A PostgreSQL cluster in a temporary folder. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPostgres } from './find-postgres.ts';
import { freePort } from './free-port.ts';
import { tied } from './tied.ts';

const AS_POSTGRES = ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups'];

export class Postgres {
  /** URL of the cluster's maintenance database. */
  readonly url: string;
  readonly #programs: string;
  readonly #folder: string;
  readonly #options: readonly string[];
  #server: ChildProcess | undefined;

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
    ].flatMap((setting) => ['-c', setting]);
  }

  /** Creates the cluster without starting it. Throws where PostgreSQL is not installed. */
  static async create(settings: readonly string[] = []): Promise<Postgres> {
    const cluster = await Postgres.#prepare(settings);
    const text = ['-E', 'UTF8', '--locale=C.UTF-8'];
    await cluster.#run('initdb', ['-A', 'trust', '-U', 'site', '--no-sync', ...text]);
    return cluster;
  }

  /** A copy of the running `primary` that follows it once it is started. */
  static async standby(primary: Postgres): Promise<Postgres> {
    const cluster = await Postgres.#prepare(['hot_standby=on']);
    const from = ['-d', primary.url, '--write-recovery-conf', '--checkpoint=fast', '--no-sync'];
    await cluster.#run('pg_basebackup', from);
    return cluster;
  }

  static async #prepare(settings: readonly string[]): Promise<Postgres> {
    const programs = findPostgres();
    if (!programs) throw new Error('PostgreSQL is not installed');
    const folder = mkdtempSync(join(tmpdir(), 'site-postgres-'));
    const cluster = new Postgres(programs, folder, await freePort(), settings);
    if (isRoot()) {
      execFileSync('chown', ['postgres', folder]);
      chmodSync(folder, 0o755);
    }
    return cluster;
  }

  /** Makes a standby the primary. */
  promote(): Promise<void> {
    return this.#run('pg_ctl', ['promote', '--wait']);
  }

  /** The server is a child of this process, and not pg_ctl's, so that it cannot outlive it. */
  async start(): Promise<void> {
    const server = this.#spawn('postgres', this.#options);
    this.#server = server;
    let printed = '';
    await new Promise<void>((resolve, reject) => {
      server.stderr.on('data', (chunk) => {
        printed = (printed + chunk).slice(-10_000);
        if (/ready to accept (read-only )?connections/.test(printed)) resolve();
      });
      server.once('exit', () => reject(new Error(`PostgreSQL did not start: ${printed}`)));
    });
  }

  /** 'immediate' simulates a power cut, 'fast' an upgrade. */
  async stop(mode: 'fast' | 'immediate'): Promise<void> {
    const server = this.#server;
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill(mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
    await ended;
  }

  /** Suspends every process, as if the network swallowed all packets. */
  freeze(): void {
    this.#signal('SIGSTOP');
  }

  thaw(): void {
    this.#signal('SIGCONT');
  }

  async remove(): Promise<void> {
    this.thaw();
    await this.stop('immediate');
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #signal(signal: NodeJS.Signals): void {
    const server = this.#server;
    if (!server?.kill(signal)) return;
    // Listed after the signal: a suspended postmaster starts no further processes.
    const { stdout } = spawnSync('pgrep', ['-P', String(server.pid)], { encoding: 'utf8' });
    for (const pid of stdout.trim().split('\n')) {
      try {
        process.kill(Number(pid), signal);
      } catch {
        // A worker may have ended since it was listed.
      }
    }
  }

  async #run(program: string, args: readonly string[]): Promise<void> {
    const child = this.#spawn(program, args);
    let errors = '';
    child.stderr.on('data', (chunk) => {
      errors += chunk;
    });
    const [code] = await once(child, 'close');
    if (code !== 0) throw new Error(`${program} failed: ${errors}`);
  }

  /** initdb and postgres refuse to run as root. */
  #spawn(name: string, args: readonly string[]) {
    const all = ['-D', join(this.#folder, 'cluster'), ...args];
    const [program, rest] = tied(join(this.#programs, name), all, 'QUIT');
    const [path = '', ...last] = [...(isRoot() ? AS_POSTGRES : []), program, ...rest];
    return spawn(path, last, { stdio: ['ignore', 'ignore', 'pipe'], cwd: '/' });
  }
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}
