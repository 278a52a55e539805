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
};

export type AuditKind = keyof typeof AUDIT_KINDS;

export const AUDIT_PAGE = 50;
