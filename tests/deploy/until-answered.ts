import { setTimeout } from 'node:timers/promises';

/** Resolves once a server that was just started answers at all. */
export async function untilAnswered(url: string): Promise<void> {
  while (!(await fetch(url, { redirect: 'manual' }).catch(() => null))) await setTimeout(50);
}
