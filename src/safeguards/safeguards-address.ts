import type { Contract } from '../platform/old/contract.ts';
import type { reportRequest, reportSent } from './safeguards-shapes.ts';

/** Where the self-check is, and what its parts are called behind the #. */
export const SAFEGUARDS = {
  path: '/safeguards-check',
  title: 'FTC Safeguards check for dealerships',
} as const;

/** Where the form without script asks for the report by email. */
export const EMAIL_REPORT_PATH = `${SAFEGUARDS.path}/email`;

export const RESULT = '#result';
export const FINISH = '#finish';
export const stepOf = (id: string) => `#q-${id}`;

export const SEND_REPORT: Contract<typeof reportRequest, typeof reportSent> =
  'POST /api/safeguards-report';
