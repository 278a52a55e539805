/**
 * `npm test`: checks this machine's tools, then the code, while the gate's tests run
 * (tests/support/test-plan.ts). Words are parts of paths (`npm test -- checkout`) and run all
 * matching tests alone; options are Vitest's (`--watch`,
 * `-t <title>`, `--project <name>`).
 * - `npm test -- looks [name …]` also compares the screens' pictures (scripts/looks.ts).
 * - `npm run test:full -- endurance [name …]` runs tests/endurance at full length.
 */
import { execFile } from 'node:child_process';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { parseCLI, startVitest, type TestCase, type Vitest } from 'vitest/node';
import { findPostgres } from '../tests/support/find-postgres.ts';
import { EVERYTHING, LEFT_TO_FULL_RUN } from '../tests/support/test-plan.ts';
import { ensureTools, run } from './test-tools.ts';

const { filter: words, options } = parseCLI(['vitest', ...process.argv.slice(2)]);
const [first, ...names] = words;
const isWhole = process.argv.length === 2;
const isGate = isWhole && !EVERYTHING;
let passed = 0;
let failed = 0;

await ensureTools();
// Beside the tests, which leave a core idle now and then.
const codeChecked = isWhole ? checkCode() : undefined;
if (first === 'looks') comparePictures();
const vitest = await startTests();
if (vitest.config.watch)
  vitest.onTestsRerun(async () => void run('node', ['scripts/build-if-stale.ts']));
else {
  countTests(vitest);
  await vitest.close();
  await codeChecked;
  if (isGate) console.log(`Left to npm run test:full: ${Object.keys(LEFT_TO_FULL_RUN).join('; ')}`);
  console.log(`${passed} passed, ${failed} failed`);
  process.exit(failed === 0 && passed > 0 ? 0 : 1);
}

async function checkCode(): Promise<void> {
  const [checked, signed] = await Promise.all([
    output('node', ['scripts/check.ts']),
    output('npm', ['audit', 'signatures', '--json', '--fetch-retries=0', '--fetch-timeout=10000']),
  ]);
  console.log(checked.printed);
  count(checked.ok, 'checks of the code');
  const areSigned = packageSignaturesHold(signed.printed);
  if (areSigned === undefined)
    console.log("The packages' signatures were not checked: no keys here");
  else count(areSigned, 'signatures of the packages');
}

function output(program: string, args: string[]): Promise<{ ok: boolean; printed: string }> {
  return new Promise((resolve) =>
    execFile(program, args, { maxBuffer: Number.POSITIVE_INFINITY }, (error, stdout, stderr) =>
      resolve({ ok: !error, printed: stdout || stderr }),
    ),
  );
}

function comparePictures(): void {
  const update = options.update ? ['--update'] : [];
  count(run('node', ['scripts/looks.ts', ...names, ...update]), 'pictures of the screens');
}

function startTests(): Promise<Vitest> {
  const hasPostgres = findPostgres() !== undefined;
  if (isGate) process.env.TEST_PLAN = 'gate';
  if (first === 'endurance' && EVERYTHING) {
    process.env.TEST_SIZE = 'large';
    const project = hasPostgres ? ['sqlite', 'postgres'] : ['sqlite'];
    return startVitest('test', names, { watch: false, project, ...options });
  }
  const filter = first === 'looks' ? ['tests/looks/'] : words;
  const withoutPostgres = { project: ['*sqlite', 'other-browsers', 'deploy'] };
  return startVitest('test', filter, {
    watch: false,
    ...(!hasPostgres && withoutPostgres),
    // The title of its test is the screen's name.
    ...(first === 'looks' && { testNamePattern: names.map(RegExp.escape).join('|') }),
    ...options,
  });
}

function count(ok: boolean, name: string): void {
  if (ok) passed += 1;
  else failed += 1;
  console.log(`${ok ? 'ok' : 'FAILED'}  ${name}`);
}

/** Whether the registry signed all installed packages; undefined if that cannot be checked here. */
function packageSignaturesHold(audit: string): boolean | undefined {
  try {
    const { invalid, missing } = JSON.parse(audit);
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

/** Repeated at the end, because Vitest's own report may have scrolled away. */
function whatFailed(test: TestCase): string {
  const [error] = test.result().errors ?? [];
  const report = [error?.message, error?.diff].join('\n').trim();
  return `\n${stripVTControlCharacters(report).slice(0, 1000)}\n`;
}

/** The command that runs only this test. */
function howToRepeat({ name, module, project }: TestCase): string {
  const file = relative(process.cwd(), module.moduleId);
  const title = name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll("'", "'\\''");
  const command = EVERYTHING ? 'npm run test:full' : 'npm test';
  return `Again: ${command} -- ${file} --project ${project.name} -t '${title}'`;
}
