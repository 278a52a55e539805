/** Turns one mutant of the program on, and notes at which mutants each test came by. See scripts/mutate.ts. */
import { afterAll, afterEach, beforeEach, inject } from 'vitest';
import { Worker } from 'node:worker_threads';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Which mutant is on, and how long a file of tests may take with it. */
    mutant: { id: number; patienceMs: number };
  }
  interface TaskMeta {
    /** The mutants that the test came by; of a file, what it came by outside its tests. */
    reached?: number[];
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
// A mutant that turns for ever lets no timer of this thread come.
new Worker(`setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${patienceMs})`, {
  eval: true,
}).unref();

beforeEach(() => {
  reached = new Set();
});
afterEach(({ task }) => {
  task.meta.reached = [...reached];
  reached = outside;
});
afterAll((_context, file) => {
  file.meta.reached = [...outside];
});
