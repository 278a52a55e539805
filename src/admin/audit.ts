/** What the audit table tells of: what happens at the staff's door, and what is done with a person's data. */
export const AUDIT_KINDS = {
  'signed-in': 'Signed in',
  'sign-in-failed': 'Sign-in failed',
  'signed-out': 'Signed out',
  'sessions-ended': 'Sessions ended',
  'password-changed': 'Password changed',
  'person-exported': 'Personal data downloaded',
  'person-erased': 'Personal data erased',
};

export type AuditKind = keyof typeof AUDIT_KINDS;

export const AUDIT_PAGE = 50;
