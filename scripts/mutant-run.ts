/** Runs the tests against mutants: all in one program, which is read once, each turned on in its turn. */
import { resolve } from 'node:path';
import { Writable } from 'node:stream';
import type { Plugin } from 'vite';
import { createVitest, type TestModule, type Vitest } from 'vitest/node';
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

interface Covered {
  path: string;
  tests: { id: string; ms: number; reached: ReadonlySet<number> }[];
  /** By what is imported and by what runs before and after the tests: it may show in any of them. */
  outside: ReadonlySet<number>;
}

const NOTHING_ON = { id: -1, patienceMs: 20 * 60_000 };
/** For a worker to start and a site with it. */
const START_MS = 500;
/** How many files of tests run at first: most mutants do not live longer. */
const STAGES = [1, 4, Number.POSITIVE_INFINITY];
/** Tests are run against one mutant for so long at most, those first that know most of it: more would cost days. */
const MOST_MS = 60_000;

/** Calls `tell` with the fate of each mutant of the sample; `tests` are globs. */
export async function tryMutants(
  files: readonly BrokenFile[],
  sample: readonly number[],
  tests: readonly string[],
  tell: (id: number, fate: Fate) => void,
): Promise<void> {
  const vitest = await prepare(files, tests);
  const covered = await cover(vitest);
  for (const id of sample) {
    const file = files.findLast(({ first }) => first <= id);
    const order = covering(covered, id, file);
    tell(id, order.length === 0 ? 'not reached' : await fateOf(vitest, id, order));
  }
  await vitest.close();
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
      globalSetup: ['tests/support/databases.ts'],
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

/** Which tests come by which mutants. */
async function cover(vitest: Vitest): Promise<Covered[]> {
  await vitest.standalone();
  vitest.provide('mutant', NOTHING_ON);
  vitest.config.bail = 0;
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(
    await vitest.globTestSpecifications(),
  );
  vitest.config.bail = 1;
  for (const error of unhandledErrors) console.error('before any mutant:', error);
  return testModules.map(toCovered);
}

function toCovered(module: TestModule): Covered {
  const tests = [...module.children.allTests()].flatMap((test) => {
    const { state } = test.result();
    if (state === 'failed') console.error(`fails without a mutant: ${test.fullName}`);
    const { duration = 0 } = test.diagnostic() ?? {};
    const reached = test.meta().reached ?? new Set();
    return state === 'passed' ? [{ id: test.id, ms: duration, reached }] : [];
  });
  return { path: module.moduleId, tests, outside: module.meta().reached ?? new Set() };
}

/** The files with the tests to run; first what is quick and has much to do with the mutant's module. */
function covering(covered: readonly Covered[], id: number, file?: BrokenFile): Covered[] {
  return covered
    .map(({ path, tests, outside }) => {
      const own = tests.filter(({ reached }) => outside.has(id) || reached.has(id));
      return { path, tests: own, outside };
    })
    .filter(({ tests }) => tests.length > 0)
    .map((each) => ({ each, cost: duration(each) / (1 + touched(each, file)) }))
    .sort((a, b) => a.cost - b.cost)
    .map(({ each }) => each)
    .filter(withinTime());
}

function withinTime() {
  let spent = 0;
  return (each: Covered) => {
    spent += duration(each);
    return spent <= MOST_MS || spent === duration(each);
  };
}

function duration({ tests }: Covered): number {
  return tests.reduce((sum, { ms }) => sum + ms, START_MS);
}

/** How many of the module's mutants the tests come by. */
function touched({ tests }: Covered, file?: BrokenFile): number {
  if (!file) return 0;
  const { first, mutants } = file;
  const own = tests.flatMap(({ reached }) => [...reached]);
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
