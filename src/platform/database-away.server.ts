/** Whether the database is there, and which of its errors say that it is not. */
import { setTimeout } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Tables } from './tables.server.ts';

/** PostgreSQL's classes 'connection exception', 'insufficient resources' and 'operator intervention'. */
const POSTGRES_AWAY = /^(08|53|57)/;
const SOCKET_AWAY = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
/** SQLITE_BUSY, SQLITE_READONLY, SQLITE_IOERR, SQLITE_FULL, SQLITE_CANTOPEN. */
const SQLITE_AWAY = new Set([5, 8, 10, 13, 14]);

/** Whether a database error means 'not now' (the caller gets 503) rather than a fault of ours. */
export function isDatabaseAway(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isDatabaseAway);
  if (!(error instanceof Error)) return false;
  if ('errcode' in error && typeof error.errcode === 'number')
    return SQLITE_AWAY.has(error.errcode & 0xff);
  if ('code' in error && typeof error.code === 'string') {
    return SOCKET_AWAY.has(error.code) || POSTGRES_AWAY.test(error.code);
  }
  return /connection terminated|timeout (exceeded|expired)|query read timeout|not queryable/i.test(
    error.message,
  );
}

const PATIENCE_MS = 1_500;

/** Gives up after a second and a half: a load balancer that asks wants an answer. */
export async function databaseAnswers(db: Kysely<Tables>): Promise<boolean> {
  const answered = db
    .selectFrom('plans')
    .select('id')
    .limit(1)
    .execute()
    .then(
      () => true,
      () => false,
    );
  return Promise.race([answered, setTimeout(PATIENCE_MS, false, { ref: false })]);
}
