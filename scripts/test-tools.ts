/** The programs besides Node that the tests use: finds them on this machine, or installs them where possible. */
import { spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline/promises';
import { findBrowser, hasFirefox, hasWebKit } from '../tests/support/find-browser.ts';
import { findPostgres } from '../tests/support/find-postgres.ts';
import { EVERYTHING } from '../tests/support/test-plan.ts';

/** `npm run test:full -- cluster` needs no further browsers. */
const CLUSTER = EVERYTHING && process.argv[2] === 'cluster';
const BROWSERS = EVERYTHING && !CLUSTER;

const TOOLS = [
  { debian: 'chromium-headless-shell', found: () => findBrowser() !== undefined },
  {
    debian: 'postgresql',
    found: () => findPostgres() !== undefined,
    without: 'PostgreSQL is missing: the tests on it are NOT run',
  },
  ...(BROWSERS
    ? [
        {
          debian: 'firefox-esr',
          found: hasFirefox,
          without: 'Firefox is missing: the main journeys are NOT run in it',
        },
        {
          debian: 'webkit2gtk-driver',
          found: hasWebKit,
          without: 'WebKit or Xvfb is missing: the main journeys are NOT run in WebKit',
        },
        { debian: 'xvfb', found: hasWebKit },
        {
          debian: 'buildah',
          found: () => runs('buildah', ['--version']),
          without: 'Buildah is missing: the container image is NOT built and run',
        },
        { debian: 'debootstrap', found: () => runs('debootstrap', ['--version']) },
        { debian: 'bubblewrap', found: () => runs('bwrap', ['--version']) },
        ...['nginx', 'haproxy', 'caddy'].map((proxy) => ({
          debian: proxy,
          found: () => runs(proxy, [proxy === 'caddy' ? 'version' : '-v']),
          without: `${proxy} is missing: the site is NOT tried behind it`,
        })),
      ]
    : []),
  ...(CLUSTER
    ? [
        { debian: 'etcd-server', found: () => runs('etcd', ['--version']) },
        { debian: 'patroni', found: () => runs('patroni', ['--version']) },
        { debian: 'python3-etcd', found: () => runs('/usr/bin/python3', ['-c', 'import etcd']) },
        { debian: 'haproxy', found: () => runs('haproxy', ['-v']) },
        { debian: 'pgbouncer', found: () => runs('pgbouncer', ['--version']) },
      ]
    : []),
];

/** Asks for consent only if a person is at the terminal. */
export async function ensureTools(): Promise<void> {
  const missing = TOOLS.filter(({ found }) => !found());
  const packages = missing.map(({ debian }) => debian);
  if (missing.length > 0 && hasApt() && (await agreed(packages))) {
    aptInstall(packages);
    // An older Debian has no headless shell.
    if (!findBrowser()) aptInstall(['chromium']);
  }
  // Installs or upgrades it: a machine that is kept may have an older version.
  if (EVERYTHING && hasApt()) aptInstall(['chromium']);
  if (!findBrowser()) run('npx', ['playwright-core', 'install', '--with-deps', 'chromium']);
  for (const { found, without } of missing) if (without && !found()) console.log(without);
}

/** Whether this process can install Debian packages. */
function hasApt(): boolean {
  return process.getuid?.() === 0 && runs('apt-get', ['--version']);
}

async function agreed(packages: readonly string[]): Promise<boolean> {
  console.log(`The tests need these Debian packages: ${packages.join(', ')}`);
  if (!process.stdin.isTTY) return true;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question('Install them with apt-get? [Y/n] ');
  terminal.close();
  return !/^n/i.test(answer.trim());
}

function aptInstall(packages: readonly string[]): void {
  const quiet = ['-qq', '-o', 'Dpkg::Use-Pty=0'];
  const install = ['DEBIAN_FRONTEND=noninteractive', 'apt-get', 'install', '-y', ...quiet];
  run('apt-get', ['update', ...quiet]);
  // One by one, so that a package that this Debian lacks does not prevent the others.
  for (const each of packages) {
    console.log(`Installing ${each} …`);
    run('env', [...install, '--no-install-recommends', each]);
  }
}

/** Runs a program and shows its output; returns whether it succeeded. */
export function run(program: string, args: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: ['ignore', 'inherit', 'inherit'] }).status === 0;
}

function runs(program: string, args: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
}
