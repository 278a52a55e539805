import { REPORT_FAILURE } from '../platform/failure-report.ts';
import { type Call, call } from '../platform/http/call.server.ts';
import type { Limit } from '../platform/http/rate-limit.server.ts';
import { logEvent } from '../platform/log.server.ts';

const LIMIT: Limit = { name: 'page-failures', rules: [{ calls: 10, seconds: 60 }] };

/** POST /api/page-failures: what failed in a visitor's browser reaches the server's log. */
export const failureReport: Call = call(REPORT_FAILURE, {
  access: 'anyone',
  limit: LIMIT,
  handle: ({ body, accept }) => {
    logEvent('warn', 'part-failed', body);
    accept();
    return null;
  },
});
