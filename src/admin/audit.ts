/** What the audit table tells of: what happens at the staff's door, and what is done with a person's data. */
import * as z from 'zod/mini';
import { count, moment, rowId } from '../platform/json-shapes.ts';

export const AUDIT_KINDS = {
  'signed-in': 'Signed in',
  'sign-in-failed': 'Sign-in failed',
  'signed-out': 'Signed out',
  'sessions-ended': 'Sessions ended',
  'password-changed': 'Password changed',
  'person-exported': "A person's data downloaded",
  'person-erased': "A person's data erased",
};

export type AuditKind = keyof typeof AUDIT_KINDS;

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

export const AUDIT_PAGE = 50;
