/** The calls for signing in and out, sessions and the audit. */
import * as z from 'zod/mini';
import { MAX_PASSWORD } from '../limits.ts';
import { contract } from '../platform/contract.ts';
import { singleLine, usernameField } from '../platform/fields.ts';
import { count, fallback, list, rowId, text, textOrNull } from '../platform/schema.ts';

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

/** Audited: sign-ins, and what staff do with orders, quotes, messages and a person's data. */
const AUDIT_KINDS = {
  'signed-in': 'Signed in',
  'sign-in-failed': 'Sign-in failed',
  'signed-out': 'Signed out',
  'sessions-ended': 'Sessions ended',
  'account-blocked': 'Account blocked',
  'account-unblocked': 'Account unblocked',
  'password-changed': 'Password changed',
  'public-name-set': 'Name for customers set',
  'proof-failed': 'Password or code refused',
  'second-factor-on': 'Authenticator set up',
  'second-factor-off': 'Authenticator removed',
  'recovery-code-used': 'Recovery code used',
  'recovery-codes-made': 'New recovery codes made',
  'message-marked': 'Message marked',
  'message-answered': 'Message answered',
  'file-taken': 'File with customers’ data downloaded',
  'quote-link-made': 'Link to a quote made',
  'person-exported': 'Personal data downloaded',
  'person-erased': 'Personal data erased',
  'order-status': 'Order’s status set',
  'order-refunded': 'Refund requested',
  'order-ended': 'End of an order requested',
  'order-kept': 'End of an order taken back',
  'order-changed': 'Plan of an order changed',
  'order-details': 'Details of an order corrected',
  'order-marked-paid': 'Invoice marked as paid',
  'order-po-number': 'Purchase order number changed',
  'order-link-made': 'Link to an order made',
  'order-links-revoked': 'Links to an order revoked',
  'delivery-resent': 'Notification sent again',
  'delivery-dismissed': 'Notification dismissed',
  'quote-made': 'Quote made',
  'quote-changed': 'Quote changed',
  'quote-withdrawn': 'Quote withdrawn',
  'notice-price': 'Notice of new prices',
  'notice-take-back': 'Notice of new prices taken back',
  'notice-delivered': 'Notice of new prices delivered by hand',
  'notice-terms': 'Notice of new terms',
};

export type AuditKind = keyof typeof AUDIT_KINDS;

/** The kind itself if this version does not know it. */
export function auditLabel(kind: string): string {
  return Object.entries(AUDIT_KINDS).find(([name]) => name === kind)?.[1] ?? kind;
}

export const AUDIT_PAGE_SIZE = 50;

const openSession = z.object({
  /** Tells it from the others. */
  key: z.string(),
  signedInAt: text,
  lastSeenAt: text,
  /** Shortened. */
  address: text,
  userAgent: text,
  current: fallback(z.boolean(), false),
});

export type OpenSession = z.output<typeof openSession>;

const staffAccount = z.object({
  id: rowId,
  name: text,
  email: textOrNull,
  /** As customers read it; null until it is known. */
  publicName: textOrNull,
  /** An account of the company's OpenID provider. */
  work: fallback(z.boolean(), false),
  signedInAt: text,
  blocked: fallback(z.boolean(), false),
  current: fallback(z.boolean(), false),
});

export type StaffAccount = z.output<typeof staffAccount>;

const auditEntry = z.object({
  id: rowId,
  at: text,
  /** Possibly one that this version does not know. */
  kind: text,
  /** '' for a failed sign-in with a name that no account has. */
  name: text,
  /** Shortened; '' for an action on the server itself. */
  address: text,
  detail: text,
});

export type AuditEntry = z.output<typeof auditEntry>;

/** The username is '' if the server does not send it. */
const account = fallback(z.object({ username: text }), { username: '' });
/** `mustSetUp`: the session is good for nothing before an authenticator is set up. */
const flag = fallback(z.optional(z.boolean()), undefined);
const session = fallback(z.object({ username: text, mustSetUp: flag, workAccount: flag }), {
  username: '',
});

export const SIGN_IN = contract('POST /api/admin/login', { body: credentials, answer: account });
export const SIGN_OUT = contract('POST /api/admin/logout', { answer: z.null() });
export const GET_SESSION = contract('GET /api/admin/session', { answer: session });
export const LIST_SESSIONS = contract('GET /api/admin/sessions', { answer: list(openSession) });
export const END_OTHER_SESSIONS = contract('POST /api/admin/sessions/end-others', {
  answer: z.object({ ended: fallback(count, 0) }),
});
export const LIST_ACCOUNTS = contract('GET /api/admin/accounts', { answer: list(staffAccount) });
/** A blocked work account is refused at its next sign-in, and its sessions end at once. */
export const BLOCK_ACCOUNT = contract('POST /api/admin/accounts/:id/block', {
  body: z.strictObject({ blocked: z.boolean() }),
  answer: z.null(),
});
/** The name that customers read above the answers of this account, which has a password. */
export const publicName = z.strictObject({
  name: singleLine({ min: 1, max: 100, tooShort: 'A name is required' }),
});
export const SET_PUBLIC_NAME = contract('POST /api/admin/account/name', {
  body: publicName,
  answer: z.null(),
});
/** Newest first; `page` in the query counts from 1. */
export const LIST_AUDIT = contract('GET /api/admin/audit', {
  answer: z.object({ total: fallback(count, 0), entries: list(auditEntry) }),
});

// Pages of the sign-in at the company's OpenID provider, where there is one. Each redirects.

export const OIDC_SIGN_IN = contract('GET /api/admin/oidc');
export const OIDC_CALLBACK = contract('GET /api/admin/oidc/callback');
export const OIDC_SIGN_OUT = contract('GET /api/admin/oidc/sign-out');

/** How a sign-in at the provider ended, as `work` in the query of the sign-in page. */
export type WorkOutcome =
  | 'in'
  | 'out'
  | 'canceled'
  | 'not-allowed'
  | 'too-many-groups'
  | 'blocked'
  | 'unavailable'
  | 'clock'
  | 'secret'
  | 'lost'
  | 'used'
  | 'failed';

export interface SignInMethods {
  password: boolean;
  /** Null without an OpenID provider. */
  work: { canSignOut: boolean } | null;
}
