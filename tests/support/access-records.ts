/** Sample records for the access log. */
import type { AccessRecord } from '../../src/access-log/access-record.server.ts';

export function request(at: number, more: Partial<AccessRecord> = {}): AccessRecord {
  return {
    at,
    ip: '192.0.2.1',
    method: 'GET',
    url: '/',
    status: 200,
    durationUs: 1500,
    bytes: 100,
    referrer: '',
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64)',
    ...more,
  };
}
