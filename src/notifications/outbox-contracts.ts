/** What staff ask of the outbox. */
import type { Contract } from '../platform/old/contract.ts';
import type { delivery, openDeliveries } from './delivery-shapes.ts';

export const LIST_OUTBOX: Contract<null, typeof openDeliveries> = 'GET /api/admin/outbox';
export const RESEND: Contract<null, typeof delivery> = 'POST /api/admin/outbox/:id/resend';
export const DISMISS: Contract<null, typeof delivery> = 'POST /api/admin/outbox/:id/dismiss';
