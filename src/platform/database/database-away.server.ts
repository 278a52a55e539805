/** Which errors say that the database is not there, or cannot be written to. */
import { CannotStart } from '../config/cannot-start.server.ts';

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

const CONNECTION_LOST =
  /connection terminated|timeout (exceeded|expired)|query read timeout|not queryable/i;

/** The way to the database is closed. The same system's error of anything else is a fault of ours. */
export class DatabaseUnavailable extends Error {}

/** For an error on the way to the database: as it is, unless it means that there is no way now. */
export function onTheWay(error: unknown): unknown {
  return isClosed(error) ? new DatabaseUnavailable(String(error), { cause: error }) : error;
}

function isClosed(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isClosed);
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  return SYSTEM_AWAY.has(code) || CONNECTION_LOST.test(error.message);
}

/** Whether an error means that the database is away (the caller gets 503) rather than a fault of ours. */
export function isDatabaseAway(error: unknown): boolean {
  // CannotStart: found wrong when it came back after the start. It can be mended, and no request is at fault.
  if (error instanceof DatabaseUnavailable || error instanceof CannotStart) return true;
  if (!(error instanceof Error)) return false;
  if ('errcode' in error && typeof error.errcode === 'number')
    return SQLITE_AWAY.has(error.errcode & 0xff);
  return 'code' in error && typeof error.code === 'string' && POSTGRES_AWAY.test(error.code);
}
