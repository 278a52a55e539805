/** What travels of staff's sessions and of their record: the answers of the calls. */
import * as z from 'zod/mini';
import { count, moment, rowId } from '../platform/json-shapes.ts';

const openSession = z.strictObject({
  /** Names the session to the call that ends it. */
  key: z.string(),
  signedInAt: moment,
  lastSeenAt: moment,
  /** Shortened. */
  address: z.string(),
  userAgent: z.string(),
  /** Whether it is the session that asks. */
  current: z.boolean(),
});

export type OpenSession = z.output<typeof openSession>;

export const openSessions = z.array(openSession);

export const endedSessions = z.strictObject({ ended: count });

const auditEntry = z.strictObject({
  id: rowId,
  at: moment,
  /** May be one that this version does not know. */
  kind: z.string(),
  username: z.string(),
  /** Shortened; '' for what was done on the server itself. */
  address: z.string(),
  detail: z.string(),
});

export type AuditEntry = z.output<typeof auditEntry>;

/** Newest first. */
export const auditPage = z.strictObject({ total: count, entries: z.array(auditEntry) });

export type AuditPage = z.output<typeof auditPage>;

export const who = z.strictObject({ username: z.string() });

/** Answered without a body. */
export const signedOut = z.null();
