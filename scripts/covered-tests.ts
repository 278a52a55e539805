/** Which tests come by which mutants: found by running all tests once, and kept for those that do not change. */
import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { TestModule, TestSpecification, Vitest } from 'vitest/node';

/** A file of tests. */
export interface Covered {
  path: string;
  /** Of the file as it was run. */
  hash: string;
  tests: { id: string; ms: number; reached: readonly number[] }[];
  /** By what is imported and by what runs before and after the tests: it may show in any of them. */
  outside: readonly number[];
}

/** What all tests stand on: a change there may lead any of them elsewhere. */
const GROUND = ['src/**/*', 'content/**/*', 'tests/support/**/*', 'scripts/{mutators,weave}.ts'];
const KEPT = 'node_modules/.cache/mutants';
const ABOUT_NONE = { id: -1, patienceMs: 20 * 60_000 };

/** `woven` says which mutants there are; without it nothing is taken from former runs or left for later ones. */
export async function coveredTests(vitest: Vitest, woven?: string): Promise<Covered[]> {
  const specifications = await vitest.globTestSpecifications();
  if (woven === undefined) return cover(vitest, specifications);
  const page = `${KEPT}/${hashOf(groundFiles(), woven)}.json`;
  const former: Covered[] = existsSync(page) ? JSON.parse(readFileSync(page, 'utf8')) : [];
  const known = former.filter(({ path, hash }) => existsSync(path) && hash === hashOf([path]));
  const paths = new Set(known.map(({ path }) => path));
  const changed = specifications.filter(({ moduleId }) => !paths.has(moduleId));
  const covered = [...known, ...(await cover(vitest, changed))];
  rmSync(KEPT, { recursive: true, force: true });
  mkdirSync(KEPT, { recursive: true });
  writeFileSync(page, JSON.stringify(covered));
  return covered;
}

async function cover(vitest: Vitest, tests: TestSpecification[]): Promise<Covered[]> {
  vitest.provide('mutant', ABOUT_NONE);
  vitest.config.bail = 0;
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(tests);
  vitest.config.bail = 1;
  for (const error of unhandledErrors) console.error('without a mutant:', error);
  return testModules.map(toCovered);
}

function toCovered(module: TestModule): Covered {
  const tests = [...module.children.allTests()].flatMap((test) => {
    const { state, errors } = test.result();
    if (state === 'failed')
      console.error(`fails without a mutant: ${test.fullName}:`, errors[0]?.message);
    const reached = [...(test.meta().reached ?? [])];
    const ms = test.diagnostic()?.duration ?? 0;
    return state === 'passed' ? [{ id: test.id, ms, reached }] : [];
  });
  const outside = [...(module.meta().reached ?? [])];
  return { path: module.moduleId, hash: hashOf([module.moduleId]), tests, outside };
}

function groundFiles(): string[] {
  const files = globSync(GROUND, { withFileTypes: true }).filter((file) => file.isFile());
  const paths = files.map((file) => `${file.parentPath}/${file.name}`);
  return paths.filter((path) => !/\.test\.tsx?$/.test(path)).sort();
}

function hashOf(paths: readonly string[], text = ''): string {
  const hash = createHash('sha256').update(text);
  for (const path of paths) hash.update(path).update(readFileSync(path));
  return hash.digest('hex');
}
