import { setTimeout as pause } from 'node:timers/promises';

/** Waits until `isOver` says so, for `patienceMs` at most. */
export async function waitUntil(isOver: () => boolean, patienceMs: number): Promise<void> {
  const end = performance.now() + patienceMs;
  while (!isOver() && performance.now() < end) await pause(10);
}
