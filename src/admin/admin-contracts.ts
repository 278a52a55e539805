/** Staff's sign-in, sessions and their record. */
import type { Contract } from '../platform/contract.ts';
import type { auditPage, endedSessions, openSessions, signedOut, who } from './admin-shapes.ts';
import type { signInRequest } from './sign-in.ts';

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
