/** How long a person waits: one deadline for everything that a request asks of other services. */
import { AsyncLocalStorage } from 'node:async_hooks';

interface Deadline {
  /** In milliseconds since 1970. */
  at: number;
  /** Aborts then. */
  signal: AbortSignal;
}

const deadlines = new AsyncLocalStorage<Deadline>();

export async function withDeadline<Result>(
  ms: number,
  act: () => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), ms);
  try {
    return await deadlines.run({ at: Date.now() + ms, signal: controller.signal }, act);
  } finally {
    clearTimeout(timer);
  }
}

/** Undefined in the background, where no one waits. */
export function deadline(): Deadline | undefined {
  return deadlines.getStore();
}

/** The work's result, or `late` at the deadline; the work then goes on without its caller. */
export async function untilDeadline<Result, const Late>(
  work: Promise<Result>,
  late: Late,
): Promise<Result | Late> {
  const signal = deadline()?.signal;
  if (!signal) return work;
  const { promise, resolve } = Promise.withResolvers<Late>();
  const end = () => resolve(late);
  signal.addEventListener('abort', end);
  if (signal.aborted) end();
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', end);
  }
}
