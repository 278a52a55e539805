/**
 * `npm test`: sees to the tools on this machine, then checks the code and runs every test. Words after it are parts
 * of paths (`npm test -- checkout`), options are Vitest's (`--watch`, `-t <title>`, `--project <name>`).
 * `npm test -- looks` also compares the pictures of the screens (scripts/looks.ts), and `npm run test:full -- endurance`
 * runs tests/endurance at full length; words after them are parts of names. `npm run test:full -- cluster` is tests/cluster.
 */
import { spawnSync } from 'node:child_process';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { parseCLI, startVitest, type TestCase, type Vitest } from 'vitest/node';
import { findPostgres } from '../tests/support/find-postgres.ts';
import { EVERYTHING } from '../tests/support/test-plan.ts';
import { ensureTools, run } from './test-tools.ts';

const { filter, options } = parseCLI(['vitest', ...process.argv.slice(2)]);
const all = process.argv.length === 2;
let passed = 0;
let failed = 0;

const [first, ...names] = filter;
const looks = first === 'looks';
const endurance = first === 'endurance' && EVERYTHING;
const WITHOUT_POSTGRES = ['stand-ins', '*sqlite', 'other-browsers', 'deploy'];

await ensureTools();
if (first === 'cluster' && EVERYTHING)
  process.exit(run('node', ['tests/cluster/run.ts', ...names]) ? 0 : 1);
if (endurance) process.env.TEST_SIZE = 'large';
if (all) {
  count(run('node', ['scripts/check.ts']), 'checks of the code');
  const signed = packageSignaturesHold();
  if (signed === undefined) console.log("The packages' signatures were not checked: no keys here");
  else count(signed, 'signatures of the packages');
}
if (looks) {
  const update = options.update ? ['--update'] : [];
  count(run('node', ['scripts/looks.ts', ...names, ...update]), 'pictures of the screens');
}
const vitest = await startVitest('test', looks ? ['tests/looks/'] : endurance ? names : filter, {
  watch: false,
  ...(endurance && { project: ['sqlite', 'postgres'] }),
  ...(!findPostgres() && { project: endurance ? ['sqlite'] : WITHOUT_POSTGRES }),
  ...options,
});
if (vitest.config.watch)
  vitest.onTestsRerun(async () => void run('node', ['scripts/build-if-stale.ts']));
else {
  countTests(vitest);
  await vitest.close();
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed === 0 && passed > 0 ? 0 : 1);
}

function count(ok: boolean, name: string): void {
  if (ok) passed += 1;
  else failed += 1;
  console.log(`${ok ? 'ok' : 'FAILED'}  ${name}`);
}

/** Whether the registry signed the installed packages; undefined where that cannot be found out. */
function packageSignaturesHold(): boolean | undefined {
  const { stdout } = spawnSync(
    'npm',
    ['audit', 'signatures', '--json', '--fetch-retries=0', '--fetch-timeout=10000'],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
  );
  try {
    const { invalid, missing } = JSON.parse(stdout);
    return invalid && missing && invalid.length + missing.length === 0;
  } catch {
    return undefined;
  }
}

function countTests({ state }: Vitest): void {
  for (const module of state.getTestModules()) {
    if (module.errors().length > 0) failed += 1;
    for (const test of module.children.allTests()) {
      const result = test.result().state;
      if (result === 'passed') passed += 1;
      if (result === 'failed') failed += 1;
      if (result === 'failed') console.log(howToRepeat(test), whatFailed(test));
    }
  }
  failed += state.getUnhandledErrors().length;
}

/** Last of all, for whoever sees only the end of a long output. */
function whatFailed(test: TestCase): string {
  const [error] = test.result().errors ?? [];
  const whole = [error?.message, error?.diff].join('\n').trim();
  return `\n${stripVTControlCharacters(whole).slice(0, 1000)}\n`;
}

/** The command that runs just this test again. */
function howToRepeat({ name, module, project }: TestCase): string {
  const file = relative(process.cwd(), module.moduleId);
  const title = name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll("'", "'\\''");
  return `Again: npm test -- ${file} --project ${project.name} -t '${title}'`;
}
