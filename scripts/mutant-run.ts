/** Runs the tests against mutants: all in one program, which is read once, each turned on in its turn. */
import { resolve } from 'node:path';
import { Writable } from 'node:stream';
import type { Plugin } from 'vite';
import { createVitest, type Vitest } from 'vitest/node';
import { type Covered, coveredTests } from './covered-tests.ts';
import type { Mutant } from './mutators.ts';
import { weave } from './weave.ts';

export interface BrokenFile {
  path: string;
  code: string;
  mutants: readonly Mutant[];
  /** The number of the first of its mutants; the others follow. */
  first: number;
}

export type Fate = 'killed' | 'survived' | 'not reached';

/** For a worker to start and a site with it. */
const START_MS = 500;
/** How many files of tests run at first: most mutants do not live longer. */
const STAGES = [1, 4, Number.POSITIVE_INFINITY];
/** Which part of the time of all tests one mutant may cost at most: a survivor costs it whole. */
const LARGEST_PART = 0.4;

const TESTS = ['src/**/*.test.{ts,tsx}', 'tests/features/**/*.test.ts'];

/** Calls `tell` with the fate of each mutant of the sample; `only` are globs of the tests to run. */
export async function tryMutants<Drawn extends { id: number; path: string }>(
  files: readonly BrokenFile[],
  sample: readonly Drawn[],
  only: readonly string[],
  tell: (mutant: Drawn, fate: Fate) => void,
): Promise<void> {
  const vitest = await prepare(files, only.length > 0 ? only : TESTS);
  await vitest.standalone();
  const covered = await coveredTests(vitest, only.length > 0 ? undefined : keyOf(files));
  const most =
    only.length > 0 ? Number.POSITIVE_INFINITY : LARGEST_PART * sum(covered.map(duration));
  for (const mutant of sample) {
    const own = files.find(({ path }) => path === mutant.path);
    const order = covering(covered, mutant.id, own).filter(withinTime(most));
    tell(mutant, order.length === 0 ? 'not reached' : await fateOf(vitest, mutant.id, order));
  }
  await vitest.close();
}

function keyOf(files: readonly BrokenFile[]): string {
  return files.map(({ path, first }) => `${path} ${first}`).join('\n');
}

function prepare(files: readonly BrokenFile[], include: readonly string[]): Promise<Vitest> {
  const woven = new Map(
    files.map(({ path, code, mutants, first }) => [resolve(path), weave(code, mutants, first)]),
  );
  const plugin: Plugin = {
    name: 'mutants',
    enforce: 'pre',
    transform: (_code, id) => woven.get(id),
  };
  const silence = () => new Writable({ write: (_chunk, _encoding, done) => done() });
  return createVitest(
    'test',
    {
      config: false,
      // It would keep one room's mutants for the next.
      fsModuleCache: false,
      watch: false,
      include: [...include],
      globalSetup: ['tests/support/memory-folder.ts', 'tests/support/databases.ts'],
      setupFiles: ['tests/support/mutant-switch.ts'],
      provide: { engine: 'sqlite', size: 'small', everything: false },
      pool: 'forks',
      maxWorkers: 3,
      testTimeout: 90_000,
      hookTimeout: 60_000,
      // A test that fails now and then kills nothing by that.
      retry: 1,
      bail: 1,
      reporters: [{}],
    },
    { plugins: [plugin] },
    { stdout: silence(), stderr: silence() },
  );
}

/** The files with the tests to run; first what is quick and has much to do with the mutant's module. */
function covering(covered: readonly Covered[], id: number, file?: BrokenFile): Covered[] {
  return covered
    .map((each) => {
      const { tests, outside } = each;
      const own = tests.filter(({ reached }) => outside.includes(id) || reached.includes(id));
      return { ...each, tests: own };
    })
    .filter(({ tests }) => tests.length > 0)
    .map((each) => ({ each, cost: duration(each) / (1 + touched(each, file)) }))
    .sort((a, b) => a.cost - b.cost)
    .map(({ each }) => each);
}

function withinTime(most: number) {
  let spent = 0;
  return (each: Covered) => {
    const hasTime = spent < most;
    spent += duration(each);
    return hasTime;
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

function duration({ tests }: Covered): number {
  return sum([START_MS, ...tests.map(({ ms }) => ms)]);
}

/** How many of the module's mutants the tests come by. */
function touched({ tests }: Covered, file?: BrokenFile): number {
  if (!file) return 0;
  const { first, mutants } = file;
  const own = tests.flatMap(({ reached }) => reached);
  return new Set(own.filter((id) => id >= first && id < first + mutants.length)).size;
}

async function fateOf(vitest: Vitest, id: number, order: readonly Covered[]): Promise<Fate> {
  let begun = 0;
  for (const upTo of STAGES) {
    const stage = order.slice(begun, upTo);
    if (stage.length === 0) break;
    begun += stage.length;
    vitest.state.filesMap.clear();
    vitest.provide('mutant', {
      id,
      patienceMs: 20_000 + 5 * Math.max(...stage.map(duration)),
    });
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(
      stage.map(({ path, tests }) =>
        vitest.getRootProject().createSpecification(path, { testIds: tests.map(({ id }) => id) }),
      ),
    );
    if (unhandledErrors.length > 0 || testModules.some((module) => !module.ok())) return 'killed';
  }
  return 'survived';
}
