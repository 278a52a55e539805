/**
 * `npm run test:full -- cluster [rounds]`: PostgreSQL on three machines (Patroni, etcd), HAProxy,
 * PgBouncer and three instances of the site, configured by deploy/cluster. Under load the primary
 * is lost twenty times, in four ways, and an instance is replaced each time. Afterwards everything
 * that the site acknowledged is compared with the database.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Mailbox } from '../support/mailbox.ts';
import { type RunningProcess, SERVER, startProcess } from '../support/server-process.ts';
import { compare } from './compare.ts';
import { Load } from './load.ts';
import {
  buildNetwork,
  CREATE_SITE,
  cutOff,
  DATABASE_URL,
  freeze,
  kill,
  leaderOf,
  members,
  NODES,
  type Node,
  query,
  reconnect,
  removeNetwork,
  SITE,
  startNode,
  startProxies,
  switchOver,
  thaw,
} from './machines.ts';

const POSTGRES = '/usr/lib/postgresql/15/bin/postgres';
const PROGRAMS = [POSTGRES, 'ip', 'setpriv', 'etcd', 'patroni', 'haproxy', 'pgbouncer'];
const ADDRESS = 'http://127.0.0.1:8080';
const WRITES_AGAIN_MS = 30_000;
/** The run is given up when any step takes longer. */
const STEP_TIMEOUT_MS = 180_000;

interface Failure {
  name: string;
  begin(node: Node): void | Promise<void>;
  end?(node: Node): void;
}

/** Builds the machines, and runs this script again in the site's namespace. */
function prepare(howMany: string): number {
  const missing = PROGRAMS.filter((program) => spawnSync(program, ['--version']).error);
  if (missing.length > 0) {
    console.log(`The cluster was NOT tried: ${missing.join(', ')} is missing`);
    return 1;
  }
  removeNetwork();
  try {
    buildNetwork();
  } catch (error) {
    console.log(`The cluster was NOT tried: no network of its own can be made here (${error})`);
    return 1;
  }
  const again = [process.execPath, ...process.execArgv, import.meta.filename, 'inside', howMany];
  const { status } = spawnSync('ip', ['netns', 'exec', SITE, ...again], { stdio: 'inherit' });
  removeNetwork();
  return status ?? 1;
}

async function watch(howMany: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'site-cluster-'));
  spawnSync('chown', ['postgres:', folder]);
  const failures: readonly Failure[] = [
    { name: 'killed', begin: kill, end: (node) => startNode(folder, node) },
    { name: 'frozen', begin: freeze, end: thaw },
    { name: 'cut off', begin: cutOff, end: reconnect },
    { name: 'switched over', begin: switchOver },
  ];
  startProxies(folder);
  for (const node of NODES) startNode(folder, node);
  await untilHealthy();
  for (const statement of CREATE_SITE) await query(statement);
  const mailbox = await Mailbox.start();
  const site = new Instances(mailbox.variables);
  await site.start();

  const load = new Load(ADDRESS);
  load.start();
  await pause(5_000);
  const pauses: [name: string, ms: number][] = [];
  for (let round = 0; round < howMany; round += 1) {
    const failure = failures[round % failures.length];
    const primary = leaderOf(await members());
    if (!failure || !primary) throw new Error('there is no primary');
    const before = { ...load.counts };
    const began = performance.now();
    await failure.begin(primary);
    // Vary the moment, so that instances are replaced before, during and after the failover.
    const replaced = pause((round * 2_700) % 16_000).then(() => site.replace(round % 3));
    const successor = await until(async () => {
      const leader = leaderOf(await members(primary));
      return leader !== primary && leader;
    });
    const led = performance.now();
    await until(() => (load.acknowledgedAt.at(-1) ?? 0) > led);
    failure.end?.(primary);
    await untilHealthy();
    await replaced;
    const over = performance.now();
    const longest = longestPause(load.acknowledgedAt, began, over);
    pauses.push([failure.name, longest]);
    const since = (count: keyof Load['counts']) => load.counts[count] - before[count];
    console.log(
      `${round + 1}. ${primary} ${failure.name}: ${successor} leads after ${seconds(led - began)}, ` +
        `no write for ${seconds(longest)}, all well after ${seconds(over - began)}; ` +
        `${since('pages')} pages, ${since('writes')} writes, ${since('refused')} refused, ` +
        `${since('unanswered')} unanswered`,
    );
    await pause(3_000);
  }
  await load.stop();
  await untilDelivered();
  const result = await compare(load, mailbox.mails);
  await site.stop();
  await mailbox.stop();

  for (const [name, all] of Map.groupBy(pauses, ([name]) => name)) {
    const each = all.map(([, ms]) => seconds(ms));
    console.log(`${name}, ${each.length} times: no write for ${each.join(', ')}`);
  }
  const { lost, twice, wrong, repeatedMails } = result;
  const { orders, messages, counts, slowestPage } = load;
  console.log(
    `${orders.length} orders, ${messages.length} messages, ${mailbox.mails.length} emails: ` +
      `${lost.length} lost, ${twice.length} twice, ${wrong.length} wrong; ${repeatedMails} emails came again under their Message-ID`,
  );
  console.log(
    `${counts.pages} pages, the slowest (${slowestPage.path}) after ${seconds(slowestPage.ms)}; of ${counts.writes} writes ${counts.refused} were refused ` +
      `and ${counts.unanswered} unanswered; the slowest start of an instance took ${seconds(site.slowestStart)}`,
  );
  const late = pauses.filter(([, ms]) => ms > WRITES_AGAIN_MS).map(([name]) => `${name}: late`);
  const faults = [...lost, ...twice, ...wrong, ...late, ...site.faults, ...load.faults];
  for (const fault of new Set(faults)) console.log(`FAULT ${fault}`);
  // The programs still write while they end.
  if (faults.length === 0) rmSync(folder, { recursive: true, maxRetries: 10 });
  else console.log(`The programs' logs are in ${folder}`);
  return faults.length === 0 ? 0 : 1;
}

/** Three instances of the site, each replaced as in an upgrade: stopped, then started again. */
class Instances {
  readonly faults: string[] = [];
  slowestStart = 0;
  readonly #variables: Record<string, string>;
  #running: RunningProcess[] = [];

  constructor(variables: Record<string, string>) {
    // Two proxies: HAProxy, and this test's visitors, who send X-Forwarded-For as a CDN would.
    const proxied = { PUBLIC_URL: ADDRESS, TRUST_PROXY: '2', DEMO_MODE: 'on' };
    this.#variables = { DATABASE_URL, ...proxied, ...variables };
  }

  async start(): Promise<void> {
    this.#running = await Promise.all([0, 1, 2].map((index) => this.#startOne(index)));
    await until(async () => (await fetch(`${ADDRESS}/readyz`)).ok);
  }

  async replace(index: number): Promise<void> {
    const ended = await this.#running[index]?.stop();
    if (ended?.code !== 0) this.faults.push(`instance ${index} ended with ${ended?.code}`);
    this.#running[index] = await this.#startOne(index);
    this.slowestStart = Math.max(this.slowestStart, this.#running[index].readyMs);
  }

  async stop(): Promise<void> {
    for (const each of this.#running) await each.stop();
  }

  #startOne(index: number): Promise<RunningProcess> {
    return startProcess(SERVER, { PORT: String(3001 + index), ...this.#variables });
  }
}

/** Waits until both replicas stream synchronously. */
async function untilHealthy(): Promise<void> {
  await until(async () => {
    const [row] = await query(
      `SELECT count(*) AS replicas, count(*) FILTER (WHERE sync_state = 'sync') AS synchronous
         FROM pg_stat_replication WHERE state = 'streaming'`,
    );
    return row?.replicas === '2' && row?.synchronous === '2';
  });
}

function untilDelivered(): Promise<unknown> {
  return until(async () => {
    const [row] = await query(`SELECT count(*) FROM outbox WHERE state = 'waiting'`, 'site');
    return row?.count === '0';
  });
}

async function until<Value>(check: () => Value | Promise<Value>): Promise<NonNullable<Value>> {
  const enough = performance.now() + STEP_TIMEOUT_MS;
  for (;;) {
    const value = await Promise.resolve(check()).catch(() => undefined);
    if (value) return value;
    if (performance.now() > enough) throw new Error(`timed out: ${check}`);
    await pause(100);
  }
}

function longestPause(at: readonly number[], from: number, to: number): number {
  let longest = 0;
  let last = at.findLast((each) => each <= from) ?? from;
  for (const each of [...at.filter((each) => each > from && each <= to), to]) {
    longest = Math.max(longest, each - last);
    last = each;
  }
  return longest;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

const [inside, rounds = '20'] = process.argv.slice(2);
process.exit(await (inside === 'inside' ? watch(Number(rounds)) : prepare(inside ?? rounds)));
