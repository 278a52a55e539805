/**
 * The files of a worker share its globals: a timer function that one of them leaves replaced stands still in all that
 * come after, where nothing tells why.
 */
import { beforeAll, expect } from 'vitest';

const NAMES = ['setTimeout', 'setInterval', 'setImmediate', 'Date'] as const;

interface Kept {
  real: Map<string, unknown>;
  before: string | undefined;
}
const worker = globalThis as typeof globalThis & { realClock?: Kept };

beforeAll(() => {
  const now = new Map<string, unknown>(NAMES.map((name) => [name, globalThis[name]]));
  const { real, before } = worker.realClock ?? { real: now, before: undefined };
  const replaced = NAMES.filter((name) => now.get(name) !== real.get(name));
  if (replaced.length > 0)
    throw new Error(`${before} has left these replaced: ${replaced.join(', ')}`);
  worker.realClock = { real, before: expect.getState().testPath };
});
