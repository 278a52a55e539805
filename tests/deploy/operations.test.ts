/**
 * Runs every command of docs/operations.md, in order, on a site in a temporary folder that has one
 * message. Addresses and paths in the guide are replaced by this machine's.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SAMPLE_MESSAGE } from '../support/call-row.ts';
import { findPostgres } from '../support/find-postgres.ts';
import { freePort } from '../support/free-port.ts';
import { Postgres } from '../support/postgres.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { signedIn, Visitor } from '../support/visitor.ts';

/** Commands that cannot run here, and why. */
const NOT_HERE: [command: RegExp, reason: string][] = [
  [/^docker compose /, 'there is no Docker: image.test.ts runs the image without it'],
];
/** Commands that run until they get a signal. */
const SERVES = /npm start$|server\.cjs$/;
/** Commands for which the guide says to stop the server. */
const NEEDS_STOPPED_SERVER = /^mv |db:move/;
/** What an operator should see. */
const SAYS: [command: RegExp, output: RegExp][] = [
  [/npm run backup$/, /^Backed up to backups\/site-\S+$/m],
  [/--restore-drill/, /^restored, 0 orders, 1 messages; .*; checksums agree$/m],
  [/db:move/, /^moved \d+ rows of \d+ tables in \d+ s, checksums agree$/m],
  [/doctor/, /^0 errors, /m],
];

function readCommands(): string[] {
  const blocks = readFileSync('docs/operations.md', 'utf8').matchAll(/^```sh\n(.*?)^```$/gms);
  return [...blocks]
    .flatMap(([, block = '']) => block.replace(/\\\n\s*/g, '').split('\n'))
    .map((line) => line.replace(/(^|\s+)#.*/, ''))
    .filter((line) => line !== '');
}

const COMMANDS = readCommands();
const [READ_ENVIRONMENT = ''] = COMMANDS;

describe.runIf(findPostgres())('the guide for operators', () => {
  let folder: string;
  let postgres: Postgres;
  let port: number;
  let server: ChildProcess | undefined;
  /** Number of trace exports received. */
  let traces = 0;
  const collector = createServer((request, response) => {
    if (request.url === '/v1/traces') traces += 1;
    response.end();
  });

  const addressOf = (database: string) => postgres.url.replace('/postgres', `/${database}`);

  function inShell(command: string) {
    const { hostname, port, username } = new URL(postgres.url);
    // The tracing packages are installed beside a build without other packages.
    const cwd = command.includes('opentelemetry') ? join(folder, 'traced') : folder;
    const env = { ...process.env, PGHOST: hostname, PGPORT: port, PGUSER: username };
    return ['bash', ['-c', `${READ_ENVIRONMENT}; ${command}`], { cwd, env }] as const;
  }

  function run(command: string): string {
    const { status, stdout, stderr } = spawnSync(...inShell(command));
    expect(status, `${command}: ${stdout}${stderr}`).toBe(0);
    return String(stdout);
  }

  /** Stops the running server and starts the command's. */
  async function serve(command: string): Promise<Visitor> {
    await stop();
    server = spawn(...inShell(command.replace(/(npm start|node .*)$/, 'exec $1')));
    let output = '';
    server.stdout?.on('data', (chunk) => {
      output += chunk;
    });
    await expect.poll(() => output).toContain(`Ready on http://127.0.0.1:${port}`);
    return new Visitor(`http://127.0.0.1:${port}`);
  }

  async function stop(): Promise<void> {
    if (!server) return;
    const ended = once(server, 'exit');
    server.kill();
    server = undefined;
    expect(await ended).toEqual([0, null]);
  }

  beforeAll(async () => {
    folder = temporaryFolder();
    mkdirSync(join(folder, 'traced'));
    postgres = await Postgres.create();
    await postgres.start();
    port = await freePort();
    collector.listen(0, '127.0.0.1');
    for (const name of [
      ...['content', 'dist', 'scripts', 'src'],
      ...['package.json', 'package-lock.json', 'vite.config.ts'],
    ])
      cpSync(name, join(folder, name), { recursive: true });
    symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'));
    const variables = readFileSync('.env.example', 'utf8').replace('PORT=3000', `PORT=${port}`);
    writeFileSync(join(folder, '.env'), variables);
    for (const name of ['content', 'dist', '.env'])
      cpSync(join(folder, name), join(folder, 'traced', name), { recursive: true });
    writeFileSync(join(folder, 'traced/package.json'), '{}');
    symlinkSync(join(folder, 'data'), join(folder, 'traced/data'));
  });
  afterAll(async () => {
    server?.kill();
    collector.close();
    await postgres.remove();
  });

  /** Fills in this machine's addresses and the newest backups. */
  function localize(command: string): string {
    const address = collector.address();
    const collectorPort = typeof address === 'object' ? address?.port : '';
    const local = command
      .replace(/postgres:\/\/…\/(\w+)/g, (_, database) => addressOf(database))
      .replace(/\S+\/site-\S+\.(sqlite|dump)/g, (_, kind) => newestBackup(kind))
      .replace(':4318', `:${collectorPort}`);
    // A dump is restored on the server of DATABASE_URL.
    return /drill .*\.dump/.test(local) ? `DATABASE_URL=${addressOf('business')} ${local}` : local;
  }

  function newestBackup(kind: string): string {
    return globSync(`backups/*.${kind}`, { cwd: folder }).sort().at(-1) ?? '';
  }

  test('prepares a message on each database, and a dump', async () => {
    run('createdb business');
    for (const database of ['', addressOf('business')]) {
      const visitor = await serve(`DATABASE_URL=${database} npm start`);
      expect((await visitor.post('/api/contact', SAMPLE_MESSAGE)).status).toBe(200);
    }
    await stop();
    run(`DATABASE_URL=${addressOf('business')} npm run backup`);
  });

  test.for(COMMANDS)('%s', async (command, { skip }) => {
    const reason = NOT_HERE.find(([each]) => each.test(command))?.[1];
    if (reason) return skip(reason);
    if (command.startsWith('npm install') && spawnSync('npm', ['ping']).status !== 0)
      return skip('no registry can be reached');
    if (command.includes('--import') && !existsSync(join(folder, 'traced/node_modules')))
      return skip('the packages for tracing are missing');
    const local = localize(command);
    if (SERVES.test(command)) {
      const visitor = await serve(local);
      const isReady = async () => (await visitor.get('/readyz')).status === 200;
      await expect.poll(isReady).toBe(true);
      const staff = await signedIn(`http://127.0.0.1:${port}`);
      expect((await staff.get('/api/admin/contacts')).json).toMatchObject([SAMPLE_MESSAGE]);
      if (command.includes('--import')) await expect.poll(() => traces).toBeGreaterThan(0);
      return;
    }
    if (NEEDS_STOPPED_SERVER.test(command)) await stop();
    const output = run(local);
    for (const [each, says] of SAYS) if (each.test(command)) expect(output).toMatch(says);
  });

  test.runIf(spawnSync('systemd-analyze').status !== null)(
    'systemd accepts deploy/site.service',
    () => {
      const unit = readFileSync('deploy/site.service', 'utf8');
      const file = join(folder, 'site.service');
      writeFileSync(file, unit.replaceAll('/srv/site/app', folder));
      const { stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' });
      expect(stderr).toBe('');
    },
  );
});
