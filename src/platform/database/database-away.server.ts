/** Which errors say that the database is not there, or cannot be written to. */
import { CannotStart } from '../env/cannot-start.server.ts';

/**
 * PostgreSQL's classes 'connection exception', 'invalid authorization', 'invalid catalog name', 'insufficient
 * resources', 'operator intervention' and 'system error', and a database that is read-only.
 */
const POSTGRES_AWAY = /^(08|28|3D|53|57|58|25006$)/;
const SYSTEM_AWAY = new Set([
  'EACCES',
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EDQUOT',
  'EHOSTUNREACH',
  'EIO',
  'EMFILE',
  'ENETUNREACH',
  'ENFILE',
  'ENOENT',
  'ENOSPC',
  'ENOTFOUND',
  'EPERM',
  'EPIPE',
  'EROFS',
  'ETIMEDOUT',
]);
/** SQLITE_PERM, SQLITE_BUSY, SQLITE_READONLY, SQLITE_IOERR, SQLITE_FULL, SQLITE_CANTOPEN, SQLITE_PROTOCOL. */
const SQLITE_AWAY = new Set([3, 5, 8, 10, 13, 14, 15]);

/** Whether a database error means 'not now' (the caller gets 503) rather than a fault of ours. */
export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isDatabaseAway);
  if (!(error instanceof Error)) return false;
  // Found wrong when it came back after the start: it can be mended, and no request is at fault.
  if (error instanceof CannotStart) return true;
  if ('errcode' in error && typeof error.errcode === 'number')
    return SQLITE_AWAY.has(error.errcode & 0xff);
  if ('code' in error && typeof error.code === 'string') {
    return SYSTEM_AWAY.has(error.code) || POSTGRES_AWAY.test(error.code);
  }
  return /connection terminated|timeout (exceeded|expired)|query read timeout|not queryable/i.test(
    error.message,
  );
}
