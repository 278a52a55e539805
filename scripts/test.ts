/** `npm test`: sees to a browser and a PostgreSQL on this machine, then checks the code and runs every test. */
import { spawnSync } from 'node:child_process';
import { startVitest } from 'vitest/node';
import { findBrowser } from '../tests/support/find-browser.ts';
import { findPostgres } from '../tests/support/find-postgres.ts';
import { CHECKS } from './checks.ts';
import { packageSignaturesHold } from './package-signatures.ts';

const only = process.argv.slice(2);
let passed = 0;
let failed = 0;

ensureBrowser();
ensurePostgres();
if (only.length === 0) {
  for (const { name, command } of CHECKS) count(run(command), name);
  const signed = packageSignaturesHold();
  if (signed === undefined) console.log("The packages' signatures were not checked: no keys here");
  else count(signed, 'signatures of the packages');
}
const vitest = await startVitest('test', only, {
  run: true,
  ...(findPostgres() ? {} : { project: ['stand-ins', '*sqlite'] }),
});
for (const module of vitest.state.getTestModules()) {
  if (module.errors().length > 0) failed += 1;
  for (const test of module.children.allTests()) {
    const { state } = test.result();
    if (state === 'passed') passed += 1;
    if (state === 'failed') failed += 1;
  }
}
failed += vitest.state.getUnhandledErrors().length;
await vitest.close();
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);

function count(ok: boolean, name: string): void {
  if (ok) passed += 1;
  else failed += 1;
  console.log(`${ok ? 'ok' : 'FAILED'}  ${name}`);
}

function run([program = '', ...args]: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: ['ignore', 'inherit', 'inherit'] }).status === 0;
}

function ensureBrowser(): void {
  if (findBrowser()) return;
  console.log('Installing a browser for the journeys …');
  if (!aptInstall('chromium') || !findBrowser())
    run(['npx', 'playwright-core', 'install', '--with-deps', 'chromium']);
}

function ensurePostgres(): void {
  if (findPostgres()) return;
  console.log('Installing PostgreSQL for the tests …');
  if (!aptInstall('postgresql'))
    console.log('PostgreSQL could not be installed: the tests on it will be skipped');
}

/** Debian's package, which only root may install. */
function aptInstall(name: string): boolean {
  if (process.getuid?.() !== 0 || !run(['sh', '-c', 'command -v apt-get >/dev/null'])) return false;
  const quiet = ['-qq', '-o', 'Dpkg::Use-Pty=0'];
  return (
    run(['apt-get', 'update', ...quiet]) &&
    run([
      'env',
      'DEBIAN_FRONTEND=noninteractive',
      'apt-get',
      'install',
      '-y',
      '--no-install-recommends',
      ...quiet,
      name,
    ])
  );
}
