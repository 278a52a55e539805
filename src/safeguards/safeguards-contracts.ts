/** The self-check's one call; the result itself needs none. */
import type { Contract } from '../platform/contract.ts';
import type { reportRequest, reportSent } from './safeguards-shapes.ts';

export const SEND_REPORT: Contract<typeof reportRequest, typeof reportSent> =
  'POST /api/safeguards-report';
