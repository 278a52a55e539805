import type { Feature } from '../site.server.ts';
import { staffAccountCalls } from './accounts.server.ts';
import { outboxCalls } from './outbox-calls.server.ts';
import { expireSessions, sessionCalls } from './sessions.server.ts';

export const staffFeature: Feature = {
  calls: [outboxCalls, sessionCalls, staffAccountCalls],
  intervals: [expireSessions, ({ failureAudit }) => failureAudit.writing],
};
