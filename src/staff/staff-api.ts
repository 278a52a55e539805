/** The calls for signing in and out, sessions and the audit. */
import * as z from 'zod/mini';
import { MAX_PASSWORD } from '../limits.ts';
import { contract } from '../platform/contract.ts';
import { singleLine, usernameField } from '../platform/fields.ts';
import { count, fallback, list, rowId } from '../platform/schema.ts';

const NO_PASSWORD = 'Password is required';

export const passwordField = z
  .string(NO_PASSWORD)
  .check(
    z.minLength(1, NO_PASSWORD),
    z.maxLength(MAX_PASSWORD, `Please use at most ${MAX_PASSWORD} characters`),
  );

/** A code of the authenticator or a recovery code, with spaces and dashes as a person likes. */
export const codeField = (min: 0 | 1) => singleLine({ min, max: 60, tooShort: 'Code is required' });

export const credentials = z.strictObject({
  username: usernameField(),
  password: passwordField,
  /** Ignored for an account without an authenticator. */
  code: z.optional(codeField(0)),
});

export type Credentials = z.output<typeof credentials>;

/** Audited: sign-ins, access to a person's data, and quotes made by hand. */
const AUDIT_KINDS = {
  'signed-in': 'Signed in',
  'sign-in-failed': 'Sign-in failed',
  'signed-out': 'Signed out',
  'sessions-ended': 'Sessions ended',
  'password-changed': 'Password changed',
  'proof-failed': 'Password or code refused',
  'second-factor-on': 'Authenticator set up',
  'second-factor-off': 'Authenticator removed',
  'recovery-code-used': 'Recovery code used',
  'recovery-codes-made': 'New recovery codes made',
  'person-exported': 'Personal data downloaded',
  'person-erased': 'Personal data erased',
  'quote-made': 'Quote made',
  'quote-changed': 'Quote changed',
  'quote-withdrawn': 'Quote withdrawn',
};

export type AuditKind = keyof typeof AUDIT_KINDS;

/** The kind itself if this version does not know it. */
export function auditLabel(kind: string): string {
  return Object.entries(AUDIT_KINDS).find(([name]) => name === kind)?.[1] ?? kind;
}

export const AUDIT_PAGE = 50;

const text = fallback(z.string(), '');

const openSession = z.object({
  /** Identifies the session in END_SESSION. */
  key: z.string(),
  signedInAt: text,
  lastSeenAt: text,
  /** Shortened. */
  address: text,
  userAgent: text,
  /** The session of this request. */
  current: fallback(z.boolean(), false),
});

export type OpenSession = z.output<typeof openSession>;

const auditEntry = z.object({
  id: rowId,
  at: text,
  /** Possibly one that this version does not know. */
  kind: text,
  /** '' for a failed sign-in with a name that no account has. */
  username: text,
  /** Shortened; '' for an action on the server itself. */
  address: text,
  detail: text,
});

export type AuditEntry = z.output<typeof auditEntry>;

/** The username is '' if the server does not send it. */
const account = fallback(z.object({ username: text }), { username: '' });
/** `mustSetUp`: the session is good for nothing before an authenticator is set up. */
const session = fallback(
  z.object({ username: text, mustSetUp: fallback(z.optional(z.boolean()), undefined) }),
  { username: '' },
);
const ended = z.object({ ended: fallback(count, 0) });

export const SIGN_IN = contract('POST /api/admin/login', { body: credentials, answer: account });
export const SIGN_OUT = contract('POST /api/admin/logout', { answer: z.null() });
export const GET_SESSION = contract('GET /api/admin/session', { answer: session });
export const LIST_SESSIONS = contract('GET /api/admin/sessions', { answer: list(openSession) });
export const END_OTHER_SESSIONS = contract('POST /api/admin/sessions/end-others', {
  answer: ended,
});
export const END_SESSION = contract('POST /api/admin/sessions/:key/end', { answer: ended });
/** Newest first; `page` in the query counts from 1. */
export const LIST_AUDIT = contract('GET /api/admin/audit', {
  answer: z.object({ total: fallback(count, 0), entries: list(auditEntry) }),
});
