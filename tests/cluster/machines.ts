/**
 * Simulates machines by Linux network namespaces: three with etcd, Patroni and PostgreSQL, and one,
 * `site-cluster`, with HAProxy, PgBouncer, the site's instances and this test. A whole machine can
 * be killed, frozen, or cut off.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';

export const SITE = 'site-cluster';
export const NODES = ['pg1', 'pg2', 'pg3'] as const;
export type Node = (typeof NODES)[number];

const CONFIGURATION = join(process.cwd(), 'deploy/cluster');
const PASSWORD = 'only-for-this-run';
export const DATABASE_URL = `postgres://site:${PASSWORD}@127.0.0.1:6432/site`;

const namespace = (node: Node) => `${SITE}-${node}`;
const address = (node: Node) => `10.77.0.${NODES.indexOf(node) + 1}`;

function ip(...args: string[]): void {
  const { status, stderr } = spawnSync('ip', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`ip ${args.join(' ')}: ${stderr}`);
}

/** One bridge in the site's namespace, and a veth pair from it to each node. */
export function buildNetwork(): void {
  ip('netns', 'add', SITE);
  ip('-n', SITE, 'link', 'set', 'lo', 'up');
  ip('-n', SITE, 'link', 'add', 'bridge', 'type', 'bridge');
  ip('-n', SITE, 'addr', 'add', '10.77.0.10/24', 'dev', 'bridge');
  ip('-n', SITE, 'link', 'set', 'bridge', 'up');
  for (const node of NODES) {
    const inside = namespace(node);
    ip('netns', 'add', inside);
    ip('-n', SITE, 'link', 'add', node, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', inside);
    ip('-n', SITE, 'link', 'set', node, 'master', 'bridge', 'up');
    ip('-n', inside, 'addr', 'add', `${address(node)}/24`, 'dev', 'eth0');
    ip('-n', inside, 'link', 'set', 'eth0', 'up');
    ip('-n', inside, 'link', 'set', 'lo', 'up');
  }
}

/** Kills everything in the namespaces and removes them, including leftovers of a killed run. */
export function removeNetwork(): void {
  for (const name of [...NODES.map(namespace), SITE]) {
    signalAll(name, 'SIGKILL');
    spawnSync('ip', ['netns', 'delete', name]);
  }
}

/** Repeats until no new process is found: a frozen process starts no others. */
function signalAll(name: string, signal: NodeJS.Signals): void {
  const done = new Set<string>();
  for (;;) {
    const { stdout } = spawnSync('ip', ['netns', 'pids', name], { encoding: 'utf8' });
    const fresh = stdout.split('\n').filter((pid) => pid !== '' && !done.has(pid));
    if (fresh.length === 0) return;
    for (const pid of fresh) {
      done.add(pid);
      try {
        process.kill(Number(pid), signal);
      } catch {
        // The process may have ended since it was listed.
      }
    }
  }
}

export const kill = (node: Node) => signalAll(namespace(node), 'SIGKILL');
export const freeze = (node: Node) => signalAll(namespace(node), 'SIGSTOP');
export const thaw = (node: Node) => signalAll(namespace(node), 'SIGCONT');
export const cutOff = (node: Node) => ip('-n', SITE, 'link', 'set', node, 'down');
export const reconnect = (node: Node) => ip('-n', SITE, 'link', 'set', node, 'up');

/** Runs a program as `postgres`: none may run as root. `inside`: another namespace. */
function start(
  folder: string,
  log: string,
  command: readonly string[],
  { inside, env = {} }: { inside?: string; env?: Record<string, string> } = {},
): ChildProcess {
  const enter = inside === undefined ? [] : ['ip', 'netns', 'exec', inside];
  const user = ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups'];
  const [program = '', ...args] = [...enter, ...user, ...command];
  const output = openSync(join(folder, `${log}.log`), 'a');
  const variables = { PATH: process.env.PATH, HOME: folder, LANG: 'C.UTF-8', ...env };
  return spawn(program, args, { env: variables, stdio: ['ignore', output, output], cwd: folder });
}

/** Starts etcd and Patroni, which starts PostgreSQL. */
export function startNode(folder: string, node: Node): void {
  const here = address(node);
  const inside = namespace(node);
  const members = NODES.map((each) => `${each}=http://${address(each)}:2380`);
  start(
    folder,
    `${node}-etcd`,
    [
      ...['etcd', '--name', node, '--data-dir', join(folder, `${node}-etcd`)],
      ...['--listen-peer-urls', `http://${here}:2380`],
      ...['--initial-advertise-peer-urls', `http://${here}:2380`],
      ...['--listen-client-urls', `http://${here}:2379`],
      ...['--advertise-client-urls', `http://${here}:2379`],
      ...['--initial-cluster', members.join(','), '--enable-v2'],
      // Longer than the defaults, so that a busy machine is not taken for a dead one.
      ...['--heartbeat-interval', '200', '--election-timeout', '2000'],
    ],
    { inside },
  );
  start(folder, node, ['patroni', join(CONFIGURATION, 'patroni.yml')], {
    inside,
    env: {
      PATRONI_NAME: node,
      PATRONI_RESTAPI_CONNECT_ADDRESS: `${here}:8008`,
      PATRONI_POSTGRESQL_CONNECT_ADDRESS: `${here}:5432`,
      PATRONI_POSTGRESQL_DATA_DIR: join(folder, node),
      PATRONI_POSTGRESQL_PGPASS: join(folder, `${node}-pgpass`),
      PATRONI_REPLICATION_PASSWORD: PASSWORD,
      PATRONI_SUPERUSER_PASSWORD: PASSWORD,
    },
  });
}

/** HAProxy and PgBouncer, in this namespace. */
export function startProxies(folder: string): void {
  start(folder, 'haproxy', ['haproxy', '-db', '-f', join(CONFIGURATION, 'haproxy.cfg')]);
  const users = join(folder, 'users');
  writeFileSync(users, `"site" "${PASSWORD}"\n`);
  const configuration = readFileSync(join(CONFIGURATION, 'pgbouncer.ini'), 'utf8');
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    configuration.replace(/^auth_file.*$/m, `auth_file = ${users}`),
  );
  start(folder, 'pgbouncer', ['pgbouncer', 'pgbouncer.ini']);
}

/** The site's role and database, which an operator creates once. */
export const CREATE_SITE = [
  `CREATE ROLE site LOGIN PASSWORD '${PASSWORD}'`,
  'CREATE DATABASE site OWNER site',
];

/** Queries the primary directly, without PgBouncer. */
export async function query(statement: string, database = 'postgres') {
  const connectionString = `postgres://postgres:${PASSWORD}@127.0.0.1:5000/${database}`;
  const client = new pg.Client({ connectionString, query_timeout: 10_000 });
  // A lost connection rejects the query anyway.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

interface Member {
  name: Node;
  role: string;
  state: string;
  lag?: number | string;
}

/** Returns the members as reported by the first node that answers. */
export async function members(except?: Node): Promise<Member[]> {
  for (const node of NODES) {
    if (node === except) continue;
    try {
      const url = `http://${address(node)}:8008/cluster`;
      const answer = await fetch(url, { signal: AbortSignal.timeout(1_500) });
      const { members: found }: { members: Member[] } = await answer.json();
      return found;
    } catch {
      // Try the next node.
    }
  }
  return [];
}

export const leaderOf = (all: readonly Member[]) => all.find(({ role }) => role === 'leader')?.name;

/** Switches over to the synchronous replica. */
export async function switchOver(from: Node): Promise<void> {
  const to = (await members()).find(({ role }) => role === 'sync_standby')?.name;
  const answer = await fetch(`http://${address(from)}:8008/switchover`, {
    method: 'POST',
    body: JSON.stringify({ leader: from, candidate: to }),
  });
  if (!answer.ok) throw new Error(`no switchover: ${await answer.text()}`);
}
