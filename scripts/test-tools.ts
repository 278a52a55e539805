/** Finds the programs besides Node that the tests use, or installs them where possible. */
import { spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline/promises';
import { findBrowser, hasFirefox, hasWebKit } from '../tests/support/find-browser.ts';
import { findPostgres } from '../tests/support/find-postgres.ts';
import { EVERYTHING } from '../tests/support/test-plan.ts';

/** Debian's packages that the tests of the deployment start, with a command that each knows. */
const NEIGHBORS: Record<string, [program: string, ...args: string[]]> = {
  buildah: ['buildah', '--version'],
  debootstrap: ['debootstrap', '--version'],
  bubblewrap: ['bwrap', '--version'],
  nginx: ['nginx', '-v'],
  caddy: ['caddy', 'version'],
  pgbouncer: ['pgbouncer', '--version'],
  postfix: ['postconf', '-d', 'mail_version'],
  prometheus: ['promtool', '--version'],
};

const TOOLS = [
  { debian: 'chromium-headless-shell', isInstalled: () => findBrowser() !== undefined },
  {
    debian: 'postgresql',
    isInstalled: () => findPostgres() !== undefined,
    without: 'PostgreSQL is missing: the tests on it are NOT run',
  },
  ...(EVERYTHING
    ? [
        {
          debian: 'firefox-esr',
          isInstalled: hasFirefox,
          without: 'Firefox is missing: the main journeys are NOT run in it',
        },
        {
          debian: 'webkit2gtk-driver',
          isInstalled: hasWebKit,
          without: 'WebKit or Xvfb is missing: the main journeys are NOT run in WebKit',
        },
        { debian: 'xvfb', isInstalled: hasWebKit },
        ...Object.entries(NEIGHBORS).map(([debian, [program, ...args]]) => ({
          debian,
          isInstalled: () => runs(program, args),
          without: `${debian} is missing: the tests of the deployment that need it are NOT run`,
        })),
      ]
    : []),
];

const NO_MAIL_SERVER = 'postfix postfix/main_mailer_type select No configuration\n';

/** Asks for consent only if a person is at the terminal. */
export async function ensureTools(): Promise<void> {
  const missing = TOOLS.filter(({ isInstalled }) => !isInstalled());
  const packages = missing.map(({ debian }) => debian);
  if (missing.length > 0 && hasApt() && (await agreed(packages))) {
    aptInstall(packages);
    // An older Debian has no headless shell.
    if (!findBrowser()) aptInstall(['chromium']);
  }
  if (missing.length > 0 && !hasApt() && runs('apt-get', ['--version'])) {
    console.log(`Missing: sudo apt-get install --no-install-recommends ${packages.join(' ')}`);
    if (!findBrowser()) process.exit(1);
  }
  // Installs or upgrades it: a machine that is kept may have an older version.
  if (EVERYTHING && hasApt()) aptInstall(['chromium']);
  if (!findBrowser()) run('npx', ['playwright-core', 'install', '--with-deps', 'chromium']);
  for (const { isInstalled, without } of missing)
    if (without && !isInstalled()) console.log(without);
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
  for (const name of packages) {
    console.log(`Installing ${name} …`);
    // Otherwise Debian would start a mail server on this machine.
    if (name === 'postfix') spawnSync('debconf-set-selections', { input: NO_MAIL_SERVER });
    run('env', [...install, '--no-install-recommends', name]);
  }
}

/** Runs a program and shows its output; returns whether it succeeded. */
export function run(program: string, args: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: ['ignore', 'inherit', 'inherit'] }).status === 0;
}

function runs(program: string, args: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
}
