/** Which errors say that the database is not there, or cannot be written to. */
import { setTimeout } from 'node:timers/promises';
import { CannotStart } from '../config/cannot-start.server.ts';
import { logFault } from '../log.server.ts';

/**
 * PostgreSQL's classes 'connection exception', 'invalid authorization', 'invalid catalog name', 'insufficient
 * resources', 'operator intervention' and 'system error', and a database that is read-only.
 */
const POSTGRES_AWAY = /^(08|28|3D|53|57|58|25006$)/;
/** What the driver of PostgreSQL says without a code. */
const CONNECTION_LOST =
  /connection terminated|timeout (exceeded|expired)|query read timeout|not queryable/i;
/** System calls on a connection. The calls to other services wrap what theirs say in errors of their own. */
const NETWORK_CALL = /^(connect|getaddrinfo|read|write)$/;
const FOLDER_AWAY = /^(EACCES|EDQUOT|EIO|EMFILE|ENFILE|ENOENT|ENOSPC|EPERM|EROFS)$/;
/** SQLITE_PERM, SQLITE_BUSY, SQLITE_READONLY, SQLITE_IOERR, SQLITE_FULL, SQLITE_CANTOPEN, SQLITE_PROTOCOL. */
const SQLITE_AWAY = new Set([3, 5, 8, 10, 13, 14, 15]);

/** The folder of the embedded database cannot be used now. */
export class DatabaseUnavailable extends Error {}

/** Whether an error means that the database is away (the caller gets 503) rather than a fault of ours. */
export function isDatabaseUnavailable(error: unknown): boolean {
  // CannotStart: found wrong when it came back after the start. It can be mended, and no request is at fault.
  if (error instanceof DatabaseUnavailable || error instanceof CannotStart) return true;
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnavailable);
  if (!(error instanceof Error)) return false;
  if ('errcode' in error && typeof error.errcode === 'number')
    return SQLITE_AWAY.has(error.errcode & 0xff);
  if ('syscall' in error) return NETWORK_CALL.test(String(error.syscall)) && 'code' in error;
  return (
    ('code' in error && POSTGRES_AWAY.test(String(error.code))) ||
    CONNECTION_LOST.test(error.message)
  );
}

/** Whether an error of the file system can pass without anybody changing the configuration. */
export function isFolderUnavailable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && FOLDER_AWAY.test(String(error.code));
}

const RETRY_MS = 500;

/**
 * Does each step once, in order: now when the database is there, else as soon as it is. Rejects when the first attempt
 * fails for another reason.
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
