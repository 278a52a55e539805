/** How long the caller of an API call waits for what is asked of others on its way, all of it together. */
import { AsyncLocalStorage } from 'node:async_hooks';

/** A visitor gives up after eight seconds; the rest is for the database and the way back. */
const CALL_MS = 7_000;

const ends = new AsyncLocalStorage<number>();

/** Whatever `answer` asks of others shares one patience. */
export function withPatience<Answer>(answer: () => Promise<Answer>): Promise<Answer> {
  return ends.run(performance.now() + CALL_MS, answer);
}

/** When the present call's patience ends, by performance.now(); outside of a call each question has its own. */
export function patienceEnds(): number {
  return ends.getStore() ?? performance.now() + CALL_MS;
}
