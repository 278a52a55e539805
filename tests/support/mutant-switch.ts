/** Turns one mutant of the program on, and notes which mutants each test comes by. See scripts/mutant-run.ts. */
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, inject } from 'vitest';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Which mutant is on, and how long a file of tests may take with it. */
    mutant: { id: number; patienceMs: number };
  }
  interface TaskMeta {
    /** The mutants that the test came by; for a file, those that it came by outside its tests. */
    reached?: ReadonlySet<number>;
  }
}

const { id: on, patienceMs } = inject('mutant');
const outside = new Set<number>();
let reached = outside;
Object.assign(globalThis, {
  __mutant(id: number) {
    reached.add(id);
    return id === on;
  },
});
// In a thread of its own: a mutant that turns for ever would keep a timer of this one waiting.
const watch = `setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${patienceMs})`;
new Worker(watch, { eval: true }).unref();

beforeEach(({ task }) => {
  // Filled until the file has ended, which is when its meta is sent.
  task.file.meta.reached = outside;
  task.meta.reached = reached = new Set();
});
afterEach(() => {
  reached = outside;
});
