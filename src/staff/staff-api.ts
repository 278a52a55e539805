/** Staff's sign-in, their sessions and the record of what they do: the calls, and the shapes of bodies and answers. */
import * as z from 'zod/mini';
import { LONGEST_PASSWORD, usernameField } from '../platform/fields.ts';
import type { Contract } from '../platform/old/contract.ts';
import { count, moment, rowId } from '../platform/old/json-shapes.ts';

const NO_PASSWORD = 'Password is required';

export const signInRequest = z.strictObject({
  username: usernameField(),
  password: z
    .string(NO_PASSWORD)
    .check(
      z.minLength(1, NO_PASSWORD),
      z.maxLength(LONGEST_PASSWORD, `Please use at most ${LONGEST_PASSWORD} characters`),
    ),
});

/** What the sign-in page shows while it opens the staff area. */
export type DemoCredentials = z.output<typeof signInRequest>;

/** What the audit table tells of: what happens at the staff's door, what is done with a person's data, and quotes made by hand. */
export const AUDIT_KINDS = {
  'signed-in': 'Signed in',
  'sign-in-failed': 'Sign-in failed',
  'signed-out': 'Signed out',
  'sessions-ended': 'Sessions ended',
  'password-changed': 'Password changed',
  'person-exported': 'Personal data downloaded',
  'person-erased': 'Personal data erased',
  'quote-made': 'Quote made',
  'quote-changed': 'Quote changed',
  'quote-withdrawn': 'Quote withdrawn',
  'stripe-event-unreadable': 'Unreadable message from Stripe',
};

export type AuditKind = keyof typeof AUDIT_KINDS;

export const AUDIT_PAGE = 50;

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

export const SIGN_IN: Contract<typeof signInRequest, typeof who> = 'POST /api/admin/login';
export const SIGN_OUT: Contract<null, typeof signedOut> = 'POST /api/admin/logout';
export const GET_SESSION: Contract<null, typeof who> = 'GET /api/admin/session';
export const LIST_SESSIONS: Contract<null, typeof openSessions> = 'GET /api/admin/sessions';
export const END_OTHER_SESSIONS: Contract<null, typeof endedSessions> =
  'POST /api/admin/sessions/end-others';
export const END_SESSION: Contract<null, typeof endedSessions> =
  'POST /api/admin/sessions/:key/end';
/** `page` in the query counts from 1. */
export const LIST_AUDIT: Contract<null, typeof auditPage> = 'GET /api/admin/audit';
