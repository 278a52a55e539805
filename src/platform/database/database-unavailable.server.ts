/** Which errors mean that the database cannot be reached or written to, and how the start waits for it. */
import { setTimeout } from 'node:timers/promises';
import { CannotStart } from '../config/cannot-start.server.ts';
import { logFault } from '../log.server.ts';

/**
 * PostgreSQL's classes 'connection exception', 'invalid authorization', 'invalid catalog name', 'insufficient
 * resources', 'operator intervention' and 'system error', and a database that is read-only.
 */
const POSTGRES_UNAVAILABLE = /^(08|28|3D|53|57|58|25006$)/;
/** Errors that the PostgreSQL driver throws without a code. */
const CONNECTION_LOST =
  /connection terminated|timeout (exceeded|expired)|query read timeout|not queryable/i;
/** System calls on a connection. Network errors of other services never get here: their clients wrap them. */
const NETWORK_CALL = /^(connect|getaddrinfo|read|write)$/;
const FOLDER_UNAVAILABLE = /^(EACCES|EDQUOT|EIO|EMFILE|ENFILE|ENOENT|ENOSPC|EPERM|EROFS)$/;
/** SQLITE_PERM, SQLITE_BUSY, SQLITE_READONLY, SQLITE_IOERR, SQLITE_FULL, SQLITE_CANTOPEN, SQLITE_PROTOCOL. */
const SQLITE_UNAVAILABLE = new Set([3, 5, 8, 10, 13, 14, 15]);

/** SQLite's folder cannot be used for now. */
export class DatabaseUnavailable extends Error {}

/** Whether an error means that the database is unavailable (the caller gets 503) rather than a bug. */
export function isDatabaseUnavailable(error: unknown): boolean {
  // A CannotStart after the start: the database came back in a state that the operator has to fix.
  if (error instanceof DatabaseUnavailable || error instanceof CannotStart) return true;
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnavailable);
  if (!(error instanceof Error)) return false;
  if ('errcode' in error && typeof error.errcode === 'number')
    return SQLITE_UNAVAILABLE.has(error.errcode & 0xff);
  if ('syscall' in error) return NETWORK_CALL.test(String(error.syscall)) && 'code' in error;
  return (
    ('code' in error && POSTGRES_UNAVAILABLE.test(String(error.code))) ||
    CONNECTION_LOST.test(error.message)
  );
}

/** Whether a file system error can go away without a change of configuration. */
export function isFolderUnavailable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && FOLDER_UNAVAILABLE.test(String(error.code));
}

const RETRY_MS = 500;

/**
 * Runs each step once, in order; while the database is unavailable, retries in the background. Rejects only when the
 * first attempt fails for another reason.
 */
export async function whenDatabaseReady(steps: readonly (() => Promise<void>)[]) {
  const left = [...steps];
  const stopped = new AbortController();
  const { signal } = stopped;

  async function attempt(): Promise<void> {
    for (let [next] = left; next && !signal.aborted; [next] = left) {
      await next();
      left.shift();
    }
  }

  async function retry(): Promise<void> {
    while (left.length > 0 && !signal.aborted) {
      await setTimeout(RETRY_MS, undefined, { signal, ref: false }).catch(() => undefined);
      await attempt().catch((error: unknown) => {
        if (!isDatabaseUnavailable(error)) logFault('start-not-finished', error);
      });
    }
  }

  await attempt().catch((error: unknown) => {
    if (!isDatabaseUnavailable(error)) throw error;
  });
  const retrying = retry();
  return {
    isDone: () => left.length === 0,
    stop() {
      stopped.abort();
      return retrying;
    },
  };
}
