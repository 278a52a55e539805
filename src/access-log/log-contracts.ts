/** What staff, and a scraper with the token, ask of the access log. */
import type { Contract } from '../platform/contract.ts';
import type { analyticsAnswer, logsAnswer } from './analytics.ts';

export const READ_ANALYTICS: Contract<null, typeof analyticsAnswer> =
  'GET /api/admin/logs/analytics';
export const READ_LOG: Contract<null, typeof logsAnswer> = 'GET /api/admin/logs';
/** A file of CSV. */
export const DOWNLOAD_LOG: Contract = 'GET /api/admin/logs/download';
/** Text for Prometheus, for staff and for who brings the token. */
export const READ_METRICS: Contract = 'GET /api/admin/metrics';
